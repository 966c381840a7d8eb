/**
 * Routes of a sign-in at an identity provider: two redirects and the back-channel logout (docs/decisions/221,
 * docs/how-to/sign-in-with-oidc.md#3-link-existing-users). They are not operations: a browser navigates to the
 * redirects, and the provider calls the logout in the format of OpenID Connect. After a failed sign-in, the browser
 * goes to the console with an error code.
 */
import type { FastifyInstance } from 'fastify';
import { CALLBACK } from './callback.ts';
import type { Flows, OidcParts } from './flows.ts';

/** Registers the redirects and the logout. */
export function registerOidc(app: FastifyInstance, parts: OidcParts): void {
  // The libraries are loaded at the first sign-in with a provider, because most processes never need them.
  let loaded: Promise<Flows> | undefined;
  const flows = () => {
    loaded ??= import('./flows.ts').then((module) => new module.Flows(parts));
    return loaded;
  };
  app.get('/session/oidc/:providerId/start', async (request, reply) => (await flows()).start(request, reply));
  app.get(CALLBACK, async (request, reply) => (await flows()).callback(request, reply));
  app.post('/session/oidc/:providerId/logout', async (request, reply) => (await flows()).logout(request, reply));
}

/**
 * Signing in at an identity provider: two redirects and a logout that the provider sends (docs/decisions/221, docs/decisions/222).
 * These are no operations: a browser follows them, and whatever goes wrong it ends at the console with a code, never with an error.
 */
import type { FastifyInstance } from 'fastify';
import { CALLBACK } from './callback.ts';
import type { Flows, OidcParts } from './flows.ts';

/** Registers the redirects and the logout. */
export function registerOidc(app: FastifyInstance, parts: OidcParts): void {
  // Loaded when somebody signs in so: its libraries are a part of the start that most processes do without.
  let loaded: Promise<Flows> | undefined;
  const flows = () => {
    loaded ??= import('./flows.ts').then((module) => new module.Flows(parts));
    return loaded;
  };
  app.get('/session/oidc/:providerId/start', async (request, reply) => (await flows()).start(request, reply));
  app.get(CALLBACK, async (request, reply) => (await flows()).callback(request, reply));
  app.post('/session/oidc/:providerId/logout', async (request, reply) => (await flows()).logout(request, reply));
}

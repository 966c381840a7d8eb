/** Caches the discovery documents and keys of identity providers for an hour. */
import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as joseFetch } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { gateOf } from '../../platform/http/gate.ts';
import { lru } from '../../platform/lru.ts';
import type { Sealer } from '../../platform/secrets.ts';
import type { Site } from '../../platform/site.ts';
import type { IdentityProviderRow } from '../../platform/storage/tables.ts';
import { HOUR_MS, SECOND_MS } from '../../platform/time.ts';
import { type ProviderFetch, ProviderUnavailable, providerFetch } from './fetch.ts';

const KEPT = 500;
const KEPT_MS = HOUR_MS;
/** Time for which a failure is cached. While it is cached, further sign-ins send no request to the provider. */
const FAILED_MS = 3 * SECOND_MS;

/** In a trial on one machine, a provider can have any address, including a private address. */
const ANY_ADDRESS = ['0.0.0.0/0', '::/0'];

/** A provider whose discovery document is loaded. */
export interface Connected {
  config: Configuration;
  /** Keys that sign the logout tokens of the provider. */
  keys: JWTVerifyGetKey;
}

export class Providers {
  readonly #sealer: Sealer;
  readonly #isTrial: boolean;
  readonly #fetch: ProviderFetch;
  readonly #known = lru<string, Promise<Connected>>(KEPT, { ttl: KEPT_MS });

  constructor(sealer: Sealer, site: Site) {
    this.#sealer = sealer;
    // The configuration permits plain http only on loopback, so an http URL means a trial on one machine.
    this.#isTrial = site.url !== undefined && !site.isSecure;
    this.#fetch = providerFetch(gateOf(this.#isTrial ? ANY_ADDRESS : []));
  }

  /**
   * Returns the provider with its discovery document, which is cached for an hour.
   * @throws ProviderUnavailable or an error of openid-client.
   */
  async connect(row: IdentityProviderRow): Promise<Connected> {
    const key = JSON.stringify([row.client_id, row.provider_id, row.issuer, row.oidc_client_id, row.client_secret]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const connected = this.#discover(row);
    this.#known.set(key, connected);
    // A failure is cached for a short time only.
    connected.catch(() => this.#known.set(key, connected, { ttl: FAILED_MS }));
    return connected;
  }

  async #discover(row: IdentityProviderRow): Promise<Connected> {
    // Only trials on one machine allow http. The library marks the function as deprecated only to warn its users.
    // oxlint-disable-next-line typescript/no-deprecated
    const insecure = this.#isTrial ? [allowInsecureRequests] : [];
    const options = {
      [customFetch]: this.#fetch,
      execute: [enableNonRepudiationChecks, ...insecure],
    };
    const secret = this.#sealer.open(row.client_secret);
    const config = await discovery(new URL(row.issuer), row.oidc_client_id, undefined, authOf(secret), options);
    const { jwks_uri: jwksUri } = config.serverMetadata();
    if (jwksUri === undefined) throw new ProviderUnavailable('the discovery document names no keys');
    const keys = createRemoteJWKSet(new URL(jwksUri), {
      [joseFetch]: (url, { headers, method, signal }) =>
        this.#fetch(url, {
          headers: Object.fromEntries(headers),
          method: method,
          body: undefined,
          redirect: 'manual',
          signal,
        }),
    });
    return { config, keys };
  }
}

/**
 * Sends the secret in the header Authorization: Basic, the default of OpenID Connect. If the provider supports POST but
 * not Basic, sends the secret in the body.
 */
function authOf(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers): void => {
    const { token_endpoint_auth_methods_supported: methods } = server;
    const isPost = methods?.includes('client_secret_basic') === false && methods.includes('client_secret_post');
    (isPost ? post : basic)(server, client, body, headers);
  };
}

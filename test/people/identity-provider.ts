/**
 * Identity providers in the process of the test: a real provider and a hostile provider. The test sets the responses of
 * the hostile provider.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import type { Answer, Backroom } from '../support/backroom.ts';

export const CALLBACK = 'http://127.0.0.1:8080/session/oidc/callback';
export const OIDC_CLIENT = 'backroom';
export const OIDC_SECRET = 'the secret of backroom at the provider';

/** Claims of the accounts of a provider, by subject. */
type Accounts = Map<string, Record<string, unknown>>;

export interface RealProvider {
  issuer: string;
  accounts: Accounts;
  close: () => Promise<void>;
}

/** Opens an OpenID Connect provider: oidc-provider with its own sign-in pages. */
export async function openProvider(): Promise<RealProvider> {
  const { server, origin } = await listen((request, response) => void callback(request, response));
  const accounts: Accounts = new Map();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(origin, {
    clients: [
      {
        client_id: OIDC_CLIENT,
        client_secret: OIDC_SECRET,
        redirect_uris: [CALLBACK],
        backchannel_logout_uri: 'http://127.0.0.1:8080/unused',
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'k1', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the provider'] },
    claims: { openid: ['sub', 'sid'], profile: ['name', 'roles', 'realm_access'] },
    conformIdTokenClaims: false,
    features: { backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    findAccount: (_ctx, id) => {
      const claims = accounts.get(id);
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
    },
  });
  const callback = provider.callback();
  return { issuer: origin, accounts, close: () => close(server) };
}

/** A browser. It keeps the cookies of the service and of the provider, and follows redirects between them. */
export class Browser {
  readonly #backroom: Backroom;
  readonly #jar = new Map<string, Map<string, string>>();

  constructor(backroom: Backroom) {
    this.#backroom = backroom;
  }

  /** Returns the Cookie header for the service. */
  get cookies(): string {
    return this.#header('backroom');
  }

  /** Deletes a cookie of the service. */
  forget(name: string): void {
    this.#jar.get('backroom')?.delete(name);
  }

  /** Sends a request to the service with the browser's cookies. */
  async ask(path: string, method: 'GET' | 'POST' | 'DELETE' = 'GET', body?: object): Promise<Answer> {
    const headers = { cookie: this.cookies, 'sec-fetch-site': 'same-origin' };
    const answer = await this.#backroom.call({ method, path, headers, ...(body !== undefined && { body }) });
    const given: string | string[] = answer.headers['set-cookie'] ?? [];
    this.#keep('backroom', typeof given === 'string' ? [given] : given);
    return answer;
  }

  /** Signs in an account at a real provider and returns the response of the callback. */
  async signIn(start: string, account: string): Promise<Answer> {
    const first = await this.ask(start);
    const back = await this.authorize(first.headers['location'] ?? '', account);
    return this.ask(back);
  }

  /** Follows the pages of a real provider; returns the path of the callback that the provider redirects to. */
  async authorize(url: string, account: string): Promise<string> {
    let next: { url: string; form: Record<string, string> | undefined } = { url, form: undefined };
    for (let step = 0; step < 12; step++) {
      const { url: at, form } = next;
      if (at.startsWith(CALLBACK)) return at.slice('http://127.0.0.1:8080'.length);
      const response = await fetch(at, {
        redirect: 'manual',
        headers: { cookie: this.#header('provider') },
        ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
      });
      this.#keep('provider', response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (location !== null) {
        next = { url: new URL(location, at).href, form: undefined };
        continue;
      }
      const page = await response.text();
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
      if (prompt === undefined) throw new Error(`the provider returned ${response.status}: ${page.slice(0, 500)}`);
      next = { url: at, form: { prompt, login: account, password: 'x' } };
    }
    throw new Error('the provider sends around in circles');
  }

  #keep(site: string, cookies: readonly string[]): void {
    const jar = this.#jar.get(site) ?? new Map<string, string>();
    this.#jar.set(site, jar);
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
  }

  #header(site: string): string {
    return [...(this.#jar.get(site) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** Responses of the hostile provider. Omitted fields keep the valid behavior. */
export interface Hostility {
  /** Claims that replace claims of a valid ID token. */
  claims?: Record<string, unknown>;
  /** Whole ID token. */
  idToken?: string;
  /** Signs with a key that is not in the provider's key set. */
  foreignKey?: boolean;
  /** Sends tokens with the header `alg` none and without a signature. */
  unsigned?: boolean;
  /** Signs with HMAC and the client secret. */
  symmetric?: boolean;
  tokenStatus?: number;
  /** The token endpoint never responds. */
  hangs?: boolean;
  /** Fields that replace fields of the discovery document. */
  metadata?: Record<string, unknown>;
  discoveryStatus?: number;
  /** The response to every request is a 101 that switches to another protocol. */
  switches?: boolean;
}

export interface HostileProvider {
  issuer: string;
  hostility: Hostility;
  /** Number of requests by path. */
  asked: Map<string, number>;
  /** Returns a signed logout token with the usual claims and these claims. */
  logoutToken: (claims: Record<string, unknown>, options?: { foreignKey?: boolean; at?: number }) => Promise<string>;
  close: () => Promise<void>;
}

/** Opens a provider that signs in the subject `mallory`, with the deviations of `hostility`. */
export async function openHostileProvider(): Promise<HostileProvider> {
  const own = await generateKeyPair('RS256', { extractable: true });
  const foreign = await generateKeyPair('RS256', { extractable: true });
  const { server, origin } = await listen((request, response) => void answer(request, response));
  const provider: HostileProvider = {
    issuer: origin,
    hostility: {},
    asked: new Map(),
    logoutToken: async (claims, { foreignKey = false, at = Math.floor(Date.now() / 1000) } = {}) =>
      new SignJWT({
        iss: origin,
        aud: OIDC_CLIENT,
        jti: crypto.randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ: 'logout+jwt' })
        .setIssuedAt(at)
        .sign((foreignKey ? foreign : own).privateKey),
    close: () => close(server),
  };
  /** Nonce of each authorization request, by the state of the request. The state is also the authorization code. */
  const nonces = new Map<string, string>();
  const idToken = async (nonce: string): Promise<string> => {
    const { hostility } = provider;
    if (hostility.idToken !== undefined) return hostility.idToken;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: origin,
      aud: OIDC_CLIENT,
      sub: 'mallory',
      sid: 'sid-1',
      nonce,
      iat: now,
      exp: now + 300,
      roles: ['lead'],
      ...hostility.claims,
    };
    if (hostility.unsigned === true) {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none' })}.${part(claims)}.`;
    }
    const token = new SignJWT(claims);
    if (hostility.symmetric === true) {
      return token.setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(OIDC_SECRET));
    }
    const { privateKey } = hostility.foreignKey === true ? foreign : own;
    return token.setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', origin);
    const { pathname: path } = url;
    provider.asked.set(path, (provider.asked.get(path) ?? 0) + 1);
    const { hostility } = provider;
    const json = (body: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (hostility.switches === true) {
      response.writeHead(101, { connection: 'Upgrade', upgrade: 'other' }).end();
    } else if (path === '/.well-known/openid-configuration') {
      json(
        {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          jwks_uri: `${origin}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
          ...hostility.metadata,
        },
        hostility.discoveryStatus,
      );
    } else if (path === '/jwks') {
      json({ keys: [{ ...(await exportJWK(own.publicKey)), kid: 'k1', use: 'sig', alg: 'RS256' }] });
    } else if (path === '/authorize') {
      const code = url.searchParams.get('state') ?? '';
      nonces.set(code, url.searchParams.get('nonce') ?? '');
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', code);
      response.writeHead(302, { location: back.href }).end();
    } else if (path === '/token' && hostility.hangs !== true) {
      let form = '';
      for await (const chunk of request) form += String(chunk);
      const code = new URLSearchParams(form).get('code') ?? '';
      const body = { access_token: 'x', token_type: 'Bearer', id_token: await idToken(nonces.get(code) ?? '') };
      if (hostility.tokenStatus === undefined) json(body);
      else json({ error: 'server_error' }, hostility.tokenStatus);
    } else if (path !== '/token') {
      json({}, 404);
    }
  };
  return provider;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(listener: Listener): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

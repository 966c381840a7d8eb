/** The redirects of a sign-in at an identity provider, and the back-channel logout (docs/decisions/221). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { jwtVerify } from 'jose';
import { type RawBuilder, sql } from 'kysely';
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  calculatePKCECodeChallenge,
} from 'openid-client';
import { type Actor, type Ctx, type CtxParts, makeCtx } from '../../platform/ctx.ts';
import { traceIdIn, traceToKeep } from '../../platform/http/request-trace.ts';
import { readJson } from '../../platform/json-column.ts';
import type { Site } from '../../platform/site.ts';
import type { Reader, Store } from '../../platform/storage/db.ts';
import type { IdentityProviderRow } from '../../platform/storage/tables.ts';
import { deviceFor } from '../devices.ts';
import { openRoundTrip, ROUND_TRIP_MS, sealRoundTrip, spend } from '../round-trip.ts';
import { recordSignedOut, startSession } from '../session.ts';
import { userOf } from './accounts.ts';
import { CALLBACK } from './callback.ts';
import type { Claims } from './claims.ts';
import { ProviderUnavailable } from './fetch.ts';
import { Providers } from './providers.ts';

/**
 * Error codes of a sign-in. The console gets the code in the fragment of its URL, after `#error=`
 * (docs/how-to/sign-in-with-oidc.md#errors).
 */
export const SIGN_IN_ERRORS = {
  PROVIDER_UNKNOWN: 'There is no such identity provider',
  PROVIDER_UNAVAILABLE: 'The identity provider did not respond in time, or responded with an error',
  PROVIDER_REFUSED: 'The identity provider rejected the sign-in, or the user canceled',
  SIGN_IN_EXPIRED: 'The sign-in took longer than ten minutes, was already completed, or began in another browser',
  SIGN_IN_INVALID:
    'The response of the identity provider is not valid: issuer, audience, nonce, time or signature is wrong',
  USER_UNKNOWN: 'No user is linked to this account, and the provider does not create users',
  USER_DISABLED: 'The user is disabled',
  ROLE_MISSING: 'The account has none of the mapped roles',
  SIGN_IN_UNAVAILABLE: 'The service cannot sign in users now: PUBLIC_URL is not set, or the database does not respond',
} as const;
type SignInError = keyof typeof SIGN_IN_ERRORS;

export interface OidcParts extends CtxParts {
  store: Store;
  site: Site;
}

/** The values of a started sign-in. The service checks the response of the provider with these values. */
interface Started {
  providerId: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** The subject and the session id in a logout token; at least one of them is present. */
interface Ending {
  sub?: string;
  sid?: string;
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const SUBJECT_MAX = 255;

/** Thrown to end a flow with an error code for the console. */
class Ended extends Error {
  readonly code: SignInError;

  constructor(code: SignInError, cause?: unknown) {
    super(SIGN_IN_ERRORS[code], { cause });
    this.code = code;
  }
}

export class Flows {
  readonly #parts: OidcParts;
  readonly #providers: Providers;

  constructor(parts: OidcParts) {
    this.#parts = parts;
    this.#providers = new Providers(parts.sealer, parts.site);
  }

  /** Sends the browser to the provider, or to the console with an error code. */
  async start(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const target = await this.#begin(request, reply).catch((error: unknown) => this.#failed(request, error));
    return reply.redirect(target, 302);
  }

  async #begin(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { site, ports, store } = this.#parts;
    if (site.url === undefined) throw new Ended('SIGN_IN_UNAVAILABLE');
    const { providerId } = request.params as { providerId: string };
    const row = await store.read((db) => findProvider(db, textOf(request, 'clientId'), providerId));
    if (row === undefined) throw new Ended('PROVIDER_UNKNOWN');
    const { config } = await this.#providers.connect(row);
    const [state, nonce, verifier] = [random(ports), random(ports), random(ports)];
    const url = buildAuthorizationUrl(config, {
      redirect_uri: `${site.url}${CALLBACK}`,
      scope: readJson(row.scopes).join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const started: Started = { providerId, state, nonce, verifier };
    const { randomBytes } = ports;
    const { sealer } = this.#parts;
    const sealed = sealRoundTrip({ sealer, randomBytes }, 'oidc', row.client_id, ports.now(), started);
    reply.header('set-cookie', site.cookie('backroom-oidc', sealed, ROUND_TRIP_MS / 1000));
    return url.href;
  }

  /** Handles the redirect from the provider: signs in and sends the browser to the console. */
  async callback(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { site } = this.#parts;
    const forgotten = site.forget('backroom-oidc');
    try {
      reply.header('set-cookie', [...(await this.#signIn(request)), forgotten]);
    } catch (error) {
      return reply.header('set-cookie', forgotten).redirect(this.#failed(request, error), 302);
    }
    return reply.redirect(`${site.path}/console/`, 302);
  }

  /** Signs in and returns the cookies of the new session. */
  async #signIn(request: FastifyRequest): Promise<string[]> {
    const { site, ports, store, sealer } = this.#parts;
    if (site.url === undefined) throw new Ended('SIGN_IN_UNAVAILABLE');
    const sealed = site.read(request.headers, 'backroom-oidc');
    const trip = openRoundTrip<'oidc', Started>(sealer, 'oidc', sealed, ports.now());
    if (trip === undefined || textOf(request, 'state') !== trip.content.state) throw new Ended('SIGN_IN_EXPIRED');
    const { clientId } = trip;
    const { providerId, state, nonce, verifier } = trip.content;
    // The round trip is first marked as used, so that a repeated request causes no request to the provider.
    const isFirst = await store.write((tx) => spend({ db: tx, now: ports.now() }, trip));
    if (!isFirst) throw new Ended('SIGN_IN_EXPIRED');
    const row = await store.read((db) => findProvider(db, clientId, providerId));
    if (row === undefined) throw new Ended('PROVIDER_UNKNOWN');
    const { config } = await this.#providers.connect(row);
    const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
    const tokens = await authorizationCodeGrant(config, new URL(`${site.url}${CALLBACK}${query}`), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims() as Claims;
    if (!isSubject(claims['sub'])) throw new Ended('SIGN_IN_INVALID');
    const done = await store.write(async (tx) => {
      const ctx = this.#ctx(tx, request, providerId);
      // The sign-in fails if the provider was removed or its issuer has changed during this request. A removal after
      // this lock waits, and then ends the new session.
      const current = await findProvider(tx, clientId, providerId, ctx.dialect.forNoKeyUpdate);
      if (current === undefined || current.issuer !== row.issuer) return 'SIGN_IN_EXPIRED';
      const user = await userOf(ctx, current, claims);
      if (typeof user === 'string') return user;
      const { user_id: userId, name, role, language } = user;
      const [subject, session] = [claims['sub'] as string, isSubject(claims['sid']) ? claims['sid'] : null];
      const who = { clientId, userId, name, role, nodeIds: readJson(user.node_ids), language };
      return startSession(ctx, {
        who,
        method: 'OIDC',
        headers: request.headers,
        device: await deviceFor(tx, site, who, request.headers),
        provider: { providerId, subject, session },
      });
    });
    if (typeof done === 'string') throw new Ended(done);
    return done.cookies;
  }

  /** Ends the sessions of a user who has signed out at the provider. */
  async logout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { store } = this.#parts;
    try {
      const { providerId } = request.params as { providerId: string };
      const row = await store.read((db) => findProvider(db, textOf(request, 'clientId'), providerId));
      if (row === undefined) throw new Ended('PROVIDER_UNKNOWN');
      const claims = await this.#logoutClaims(row, request.body);
      await store.write((tx) => endSessionsOf(this.#ctx(tx, request, providerId), row, claims));
    } catch (error) {
      const { code } = this.#ended(request, error);
      const body = { error: 'invalid_request', error_description: SIGN_IN_ERRORS[code] };
      return reply.code(400).type('application/json; charset=utf-8').send(JSON.stringify(body));
    }
    return reply.code(200).send();
  }

  /** Checks a logout token by OpenID Connect Back-Channel Logout 1.0, 2.6. */
  async #logoutClaims(row: IdentityProviderRow, body: unknown): Promise<Ending> {
    const token = body instanceof Buffer ? new URLSearchParams(body.toString('utf8')).get('logout_token') : null;
    if (token === null) throw new Ended('SIGN_IN_INVALID');
    const { config, keys } = await this.#providers.connect(row);
    const { payload } = await jwtVerify(token, keys, {
      issuer: config.serverMetadata().issuer,
      audience: row.oidc_client_id,
      algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
      maxTokenAge: '10 minutes',
      clockTolerance: 60,
      requiredClaims: ['iat', 'jti', 'events'],
    });
    const { sub, sid, events, nonce } = payload;
    const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
    const isNamed =
      (sub !== undefined || sid !== undefined) && [sub, sid].every((one) => one === undefined || isSubject(one));
    if (!isLogout || !isNamed || nonce !== undefined) throw new Ended('SIGN_IN_INVALID');
    return { ...(sub !== undefined && { sub }), ...(sid !== undefined && { sid: sid as string }) };
  }

  #ctx(db: Ctx['db'], request: FastifyRequest, providerId: string): Ctx {
    const actor: Actor = { kind: 'system', id: `oidc:${providerId}` };
    return makeCtx(this.#parts, { db, actor, requestId: request.id, trace: traceToKeep(request) });
  }

  #failed(request: FastifyRequest, error: unknown): string {
    const { code } = this.#ended(request, error);
    return `${this.#parts.site.path}/console/#error=${code}`;
  }

  #ended(request: FastifyRequest, error: unknown): Ended {
    const ended = error instanceof Ended ? error : new Ended(codeOf(error), error);
    const { providerId } = request.params as { providerId?: string };
    const why = ended.cause instanceof Error ? causesOf(ended.cause) : undefined;
    const { log } = this.#parts.ports;
    const asked = { requestId: request.id, traceId: traceIdIn(request) };
    const entry = { ...asked, code: ended.code, ...(providerId && { providerId }), ...(why && { why }) };
    log.info(entry, `a sign-in at an identity provider ended with ${ended.code}, request ${request.id}`);
    return ended;
  }
}

/**
 * Ends the sessions of a provider with this subject or this session id. If both are sent, both must match, but a
 * session that was stored without a session id is found by its subject alone.
 */
async function endSessionsOf(ctx: Ctx, provider: IdentityProviderRow, { sub, sid }: Ending): Promise<void> {
  const { client_id: clientId, provider_id: providerId } = provider;
  let ending = ctx.db.deleteFrom('sessions').where('client_id', '=', clientId).where('provider_id', '=', providerId);
  if (sub !== undefined) ending = ending.where('provider_subject', '=', sub);
  if (sid !== undefined) {
    ending = ending.where((eb) =>
      sub === undefined
        ? eb('provider_session', '=', sid)
        : eb.or([eb('provider_session', '=', sid), eb('provider_session', 'is', null)]),
    );
  }
  const ended = await ending.returning(['user_id', 'session_id', 'device_id']).execute();
  for (const { user_id: userId, session_id: sessionId, device_id: deviceId } of ended) {
    await recordSignedOut(ctx, { clientId, userId, sessionId, deviceId }, { providerId });
  }
}

function random({ randomBytes }: Pick<Ctx, 'randomBytes'>): string {
  return randomBytes(32).toString('base64url');
}

/** Returns a query parameter that occurs once and is well-formed Unicode without NUL; otherwise ''. */
function textOf(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : '';
}

function isSubject(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= SUBJECT_MAX &&
    value.isWellFormed() &&
    !value.includes('\0')
  );
}

function findProvider(
  db: Reader,
  clientId: string,
  providerId: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<IdentityProviderRow | undefined> {
  if (!isSubject(providerId)) return Promise.resolve(undefined);
  return db
    .selectFrom('identity_providers')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .modifyEnd(lock)
    .executeTakeFirst();
}

/** Returns the sign-in error code for an error of the libraries or the database. */
function codeOf(error: unknown): SignInError {
  const causes = chainOf(error);
  if (causes.some((one) => one instanceof ProviderUnavailable)) return 'PROVIDER_UNAVAILABLE';
  const { code, name } = error as { code?: string; name?: string };
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || code === 'ERR_JWKS_TIMEOUT') return 'PROVIDER_UNAVAILABLE';
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') return 'PROVIDER_UNAVAILABLE';
  if (error instanceof AuthorizationResponseError || name === 'ResponseBodyError') return 'PROVIDER_REFUSED';
  if (error instanceof ClientError || code?.startsWith('ERR_J') === true || code?.startsWith('OAUTH_') === true) {
    return 'SIGN_IN_INVALID';
  }
  return 'SIGN_IN_UNAVAILABLE';
}

function chainOf(error: unknown): unknown[] {
  const chain = [];
  for (let one = error; one !== undefined && chain.length < 10; one = (one as { cause?: unknown }).cause) {
    chain.push(one);
    if (typeof one !== 'object' || one === null) break;
  }
  return chain;
}

/** Returns the names and codes of an error and its causes for the log, without texts of the provider. */
function causesOf(error: Error): string {
  return chainOf(error)
    .map((one) => {
      const { name = '', code } = one as { name?: string; code?: unknown };
      return typeof code === 'string' ? `${name} ${code}` : name;
    })
    .filter((one) => one !== '')
    .join(' < ');
}

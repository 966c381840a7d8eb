/** The token endpoint for clients of OAuth 2 (RFC 6749, client credentials; docs/api.md#access-tokens). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inEnglish } from '../message/sentence.ts';
import type { Ports } from '../ports.ts';
import type { Store } from '../storage/db.ts';
import { HOUR_MS, SECOND_MS } from '../time.ts';
import { makeAccessToken, type Signer } from './access-token.ts';
import { clientActor, findBasic, groupsOfRow } from './auth.ts';
import { rawBody } from './body.ts';
import { asRefusal, Refusal } from './errors.ts';
import type { Limits } from './rate-limit.ts';
import { sendRefusal } from './response.ts';

export const TOKEN_PATH = '/oauth/token';
const BODY_LIMIT = 8_192;
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

interface TokenOptions {
  store: Store;
  sealer: Signer;
  ports: Pick<Ports, 'now'>;
}

/**
 * Registers `POST /oauth/token`. It is not an operation: the OpenAPI document has it as the URL of a security scheme.
 */
export function registerTokens(app: FastifyInstance, options: TokenOptions, limits: Limits): void {
  app.post(TOKEN_PATH, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    try {
      return await respond(request, reply, options, limits);
    } catch (error) {
      const refusal = asRefusal(error);
      if (refusal.status === 500) throw error;
      return sendRefusal(request, reply.headers(NO_STORE), refusal);
    }
  });
}

async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  { store, sealer, ports }: TokenOptions,
  limits: Limits,
): Promise<FastifyReply> {
  const now = ports.now();
  const signIn = { address: request.ip, headers: request.headers, auth: 'basic', requestId: request.id } as const;
  const find = async () => {
    const row = await store.read((db) => findBasic(db, request.headers.authorization, now));
    return { row, actor: clientActor(row) };
  };
  const { row } = await limits.find(signIn, now, find);
  const asked = readForm(request);
  if (asked.get('grant_type') !== 'client_credentials') {
    const isMissing = asked.get('grant_type') === undefined;
    throw isMissing
      ? oauthError(400, 'invalid_request', 'grant_type is missing; send grant_type=client_credentials')
      : oauthError(400, 'unsupported_grant_type', 'grant_type is not supported; send grant_type=client_credentials');
  }
  const own = groupsOfRow(row);
  const scope = asked.get('scope');
  const groups = scope === undefined ? own : own.filter((group) => scope.split(' ').includes(group));
  const unknown = scope?.split(' ').filter((word) => !own.some((group) => group === word)) ?? [];
  if (unknown.length > 0 || groups.length === 0) {
    throw oauthError(400, 'invalid_scope', `the credential has the groups ${own.join(', ')}; send some of them`);
  }
  // A token never lives longer than its credential.
  const until = Math.min(now + HOUR_MS, row.expires_at ?? Number.POSITIVE_INFINITY);
  return reply.headers(NO_STORE).send({
    access_token: makeAccessToken(sealer, row, scope === undefined ? undefined : groups, until),
    token_type: 'Bearer',
    expires_in: Math.floor((until - now) / SECOND_MS),
    scope: groups.join(' '),
  });
}

/**
 * The parameters of the body. A parameter without a value counts as absent. RFC 6749 does not permit the same parameter
 * twice.
 */
function readForm(request: FastifyRequest): Map<string, string> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw oauthError(400, 'invalid_request', 'the body is not a form; send it as application/x-www-form-urlencoded');
  }
  const all = new URLSearchParams(rawBody(request)?.toString('utf8') ?? '');
  const names = [...all.keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw oauthError(400, 'invalid_request', 'a parameter occurs twice; send each once');
  return new Map([...all].filter(([, value]) => value !== ''));
}

function oauthError(status: number, error: string, description: string): Refusal {
  return new Refusal(status, 'VALIDATION', 'INVALID_REQUEST', inEnglish(description), { extra: { error } });
}

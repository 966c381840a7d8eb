import { Me } from '../access/schema.ts';
import { GROUPS, type ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { Role } from '../platform/roles.ts';
import { formatDateTime } from '../platform/time.ts';
import { toCredential } from './credential.ts';

/** Returns the caller and its permissions. */
export const readMe = readOperation({
  id: 'readMe',
  since: '0.2.0',
  method: 'GET',
  path: '/operator/v1/me',
  summary: 'Read your own identity and limits',
  description:
    'Returns the credential of the request and its limits: the client, the stores and nodes it is limited to, its groups, its ' +
    'expiry and its rate limit; for a session, the user, role and permissions. Any valid credential can send this request, with any groups; an apiKey ' +
    'needs no Authorization: Basic.',
  access: { auth: 'operatorOrApiKey', group: GROUPS, permission: 'any' },
  message: {
    replies: { 200: { description: 'The identity and limits of the caller', schema: Me } },
    errors: 'problem',
  },
  run: {
    async handle(ctx) {
      const limit = ctx.config.rateLimit;
      return reply(200, {
        ...(await whoIs(ctx)),
        ...(limit !== undefined && { rateLimits: { requestsPerMinute: limit } }),
      } satisfies Me);
    },
  },
  example: { path: '/operator/v1/me' },
});

function whoIs(ctx: ReadCtx) {
  if (ctx.actor.kind === 'user') return person(ctx);
  return ctx.actor.kind === 'operator' ? operator(ctx) : credential(ctx);
}

function person({ actor: { clientId, nodeIds, permissions = [], session } }: ReadCtx) {
  const { userId, role, expiresAt } = session!;
  return {
    kind: 'USER' as const,
    ...(clientId !== undefined && { clientId }),
    userId,
    role: role as Role,
    ...(nodeIds && { nodeIds: [...nodeIds] }),
    permissions: [...permissions],
    expiresAt: formatDateTime(expiresAt),
  };
}

async function credential({ db, actor }: ReadCtx) {
  const credentialId = actor.id.slice('credential:'.length);
  const row = await db
    .selectFrom('credentials')
    .selectAll()
    .where('client_id', '=', actor.clientId!)
    .where('credential_id', '=', credentialId)
    .executeTakeFirstOrThrow();
  const { clientId, label, storeIds, nodeIds, expiresAt } = toCredential(row);
  return {
    kind: 'CREDENTIAL' as const,
    clientId,
    credentialId,
    label,
    ...(storeIds && { storeIds }),
    ...(nodeIds && { nodeIds }),
    groups: [...(actor.groups ?? [])],
    ...(expiresAt && { expiresAt }),
  };
}

async function operator({ db, actor }: ReadCtx) {
  const keyId = actor.id.slice('operator:'.length);
  const row = await db
    .selectFrom('operator_keys')
    .select(['label', 'expires_at'])
    .where('client_id', '=', '')
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  // The operator key of the configuration has no row.
  if (row === undefined) return { kind: 'OPERATOR' as const, label: 'BACKROOM_OPERATOR_KEY' };
  return {
    kind: 'OPERATOR' as const,
    credentialId: keyId,
    label: row.label,
    ...(row.expires_at !== null && { expiresAt: formatDateTime(row.expires_at) }),
  };
}

import { record } from '../events/record.ts';
import { type Ctx, GROUPS, type Group } from '../platform/ctx.ts';
import { makeCredential, makeCredentialId } from '../platform/http/auth.ts';
import { denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { repeatErrors } from '../platform/http/put.ts';
import type { FieldError } from '../platform/message/validate.ts';
import { sha256 } from '../platform/secrets.ts';
import { DAY_MS, formatDateTime, parseDateTime } from '../platform/time.ts';
import { beyond, CredentialPost, NewCredential, toCredential } from './credential.ts';
import { unknownIdErrors } from './resource.ts';

/** Keys are to be replaced at least every six months. */
const KEY_LIFE_DAYS = 180;

/** A key for nodes is for the work there: whoever wants more names it (docs/decisions/166). */
function groupsUnlessNamed({ nodeIds }: CredentialPost): readonly Group[] {
  return nodeIds === undefined ? GROUPS : ['fulfillment'];
}

/** Makes a credential of a client and shows its secrets, once (docs/interface.md#access). */
export const createCredential = writeOperation({
  id: 'createCredential',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/credentials',
  auth: 'operator',
  permission: 'client',
  fresh: true,
  repeat: { adds: 'another credential' },
  summary: 'Make a credential',
  description:
    'Makes a credential of the client. The answer is the only place where its apiKey and password ever stand; the service keeps their hashes. It may be narrowed to stores, nodes and groups of operations, and may expire. You give only groups, stores and nodes that you have yourself. Without `groups` it has all of them, or only fulfillment where it is narrowed to nodes. Replace keys at least every six months: without `expiresAt` the answer proposes an instant, and the credential never expires.',
  body: CredentialPost,
  replies: { 201: { description: 'The credential was made; keep its texts now.', schema: NewCredential } },
  refusals: { 404: 'There is no such client.' },
  errors: 'problem',
  async rules({ db, now }, { clientId, body: { storeIds, nodeIds, groups, expiresAt } }, errors) {
    errors.addAll([
      ...repeatErrors('/storeIds', storeIds),
      ...repeatErrors('/nodeIds', nodeIds),
      ...repeatErrors('/groups', groups),
      ...(await unknownIdErrors(db, 'stores', clientId, '/storeIds', storeIds)),
      ...(await unknownIdErrors(db, 'nodes', clientId, '/nodeIds', nodeIds)),
      ...expiryErrors(expiresAt, now),
    ]);
  },
  async handle(ctx, { clientId, body }) {
    const why = beyond(ctx.actor, { ...body, groups: [...(body.groups ?? groupsUnlessNamed(body))] });
    if (why !== undefined) throw denied(why);
    const made = await insertCredential(ctx, clientId, body);
    const { credentialId } = made;
    await record(ctx, {
      clientId,
      type: 'credential.created',
      resource: 'credential',
      resourceId: credentialId,
      data: made.shown,
    });
    const { storeIds, nodeIds, groups, expiresAt } = made.shown;
    return reply(201, {
      credentialId,
      ...made.texts,
      ...(storeIds && { storeIds }),
      ...(nodeIds && { nodeIds }),
      groups,
      ...(expiresAt === undefined
        ? { proposedExpiresAt: formatDateTime(ctx.now + KEY_LIFE_DAYS * DAY_MS) }
        : { expiresAt }),
    });
  },
});

function expiryErrors(expiresAt: string | undefined, now: number): FieldError[] {
  if (expiresAt === undefined || parseDateTime(expiresAt) > now) return [];
  return [
    {
      pointer: '/expiresAt',
      rule: 'future',
      message: 'expiresAt is in the past; send a later instant or leave it out',
    },
  ];
}

/** Ids are short enough to meet once in a long while: then another is taken. */
async function insertCredential(ctx: Ctx, clientId: string, body: CredentialPost) {
  for (;;) {
    const credentialId = makeCredentialId(ctx.randomBytes);
    const texts = makeCredential(clientId, credentialId, ctx.randomBytes);
    const row = {
      client_id: clientId,
      credential_id: credentialId,
      label: body.label,
      key_hash: sha256(texts.apiKey),
      username: texts.username,
      password_hash: sha256(texts.password),
      store_ids: body.storeIds === undefined ? null : JSON.stringify(body.storeIds),
      node_ids: body.nodeIds === undefined ? null : JSON.stringify(body.nodeIds),
      groups: JSON.stringify(body.groups ?? groupsUnlessNamed(body)),
      expires_at: body.expiresAt === undefined ? null : parseDateTime(body.expiresAt),
      revoked_at: null,
      created_at: ctx.now,
    };
    const made = await ctx.db
      .insertInto('credentials')
      .values(row)
      .onConflict((on) => on.doNothing())
      .executeTakeFirstOrThrow();
    if (made.numInsertedOrUpdatedRows === 1n) return { credentialId, texts, shown: toCredential(row) };
  }
}

import { record } from '../events/record.ts';
import { type Ctx, GROUPS, type Group } from '../platform/ctx.ts';
import { makeCredential, makeCredentialId } from '../platform/http/auth.ts';
import { denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { repeatErrors } from '../platform/http/put.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { FieldError } from '../platform/message/validate.ts';
import { sha256 } from '../platform/secrets.ts';
import { DAY_MS, formatDateTime, parseDateTime } from '../platform/time.ts';
import { beyond, CredentialPost, NewCredential, toCredential } from './credential.ts';
import { unknownIdErrors } from './resource.ts';
import { say } from './sentences.ts';

/** Days from the creation of a key to its proposed replacement. Keys should be replaced at least every six months. */
const KEY_LIFE_DAYS = 180;

/**
 * Default groups of a key: all groups, or only `fulfillment` if the key is limited to nodes
 * (docs/api.md#paths-and-credentials).
 */
function groupsUnlessNamed({ nodeIds }: CredentialPost): readonly Group[] {
  return nodeIds === undefined ? GROUPS : ['fulfillment'];
}

/** Creates a credential of a client and shows its secrets once (docs/interface.md#access). */
export const createCredential = writeOperation({
  id: 'createCredential',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/credentials',
  summary: 'Create a credential',
  description:
    'Creates a credential of the client. Only this response shows its apiKey and password; the service keeps their hashes. You can limit the credential to stores, nodes and groups of operations, and let it expire. You can grant only groups, stores and nodes that you have yourself. Without `groups` the credential has all groups; a credential limited to nodes has only the group `fulfillment`. Replace keys at least every six months: without `expiresAt` the credential never expires, and the response proposes a time for its replacement.',
  events: ['credential.created'],
  access: { auth: 'operator', permission: 'client', fresh: true },
  message: {
    body: CredentialPost,
    replies: { 201: { description: 'The credential was created; store its secrets now.', schema: NewCredential } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another credential' },
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
  },
  example: { path: '/operator/v1/clients/NEXT/credentials', body: { label: 'Order system', groups: ['intake'] } },
});

function expiryErrors(expiresAt: string | undefined, now: number): FieldError[] {
  if (expiresAt === undefined || parseDateTime(expiresAt) > now) return [];
  return [
    {
      pointer: '/expiresAt',
      rule: 'future',
      message: say('expiresAt is in the past; send a later time, or leave expiresAt out'),
    },
  ];
}

/** Ids are short and can collide. If an id exists already, another id is made. */
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
      store_ids: body.storeIds === undefined ? null : stringifyJson(body.storeIds),
      node_ids: body.nodeIds === undefined ? null : stringifyJson(body.nodeIds),
      groups: stringifyJson(body.groups ?? groupsUnlessNamed(body)),
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

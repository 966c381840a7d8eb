/** A credential: its schemas, its response, and the permissions to create, see and revoke it. */

import { type Actor, GROUPS, isOfOperator } from '../platform/ctx.ts';
import { GROUP_PERMISSIONS } from '../platform/group-permissions.ts';
import { notFound } from '../platform/http/errors.ts';
import { readJson } from '../platform/json-column.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import { listed, quote } from '../platform/message/words.ts';
import { dateTime, identifier, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { CredentialRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { say } from './sentences.ts';

const narrowing = {
  storeIds: Type.Optional(
    list(
      identifier(40),
      { min: 1, max: 200 },
      { description: 'Limits the credential to these stores; default: all stores' },
    ),
  ),
  nodeIds: Type.Optional(
    list(
      identifier(40),
      { min: 1, max: 200 },
      { description: 'Limits the credential to these nodes; default: all nodes' },
    ),
  ),
};
const groups = list(oneOf(GROUPS), { min: 1, max: GROUPS.length }, { description: 'Groups of operations' });

export const CredentialPost = named(
  'CredentialPost',
  object({
    label: text(1, 120, { description: 'Purpose of the credential' }),
    ...narrowing,
    groups: Type.Optional(
      list(
        oneOf(GROUPS),
        { min: 1, max: GROUPS.length },
        { description: 'Groups of operations; default: all, or only fulfillment if nodeIds is set' },
      ),
    ),
    expiresAt: Type.Optional(
      dateTime({ description: 'Time from which the service rejects the credential; default: it does not expire' }),
    ),
  }),
);
export type CredentialPost = Static<typeof CredentialPost>;

/** The secrets of a new credential, shown once. */
export const NewCredential = named(
  'NewCredential',
  object({
    credentialId: text(1, 40),
    apiKey: text(1, 400, { description: 'Value of the apiKey header' }),
    username: text(1, 200, { description: 'User name of Authorization: Basic' }),
    password: text(1, 100, { description: 'Password of Authorization: Basic' }),
    ...narrowing,
    groups,
    expiresAt: Type.Optional(dateTime({ description: 'Time from which the service rejects the credential' })),
    proposedExpiresAt: Type.Optional(
      dateTime({
        description: 'Time by which to replace a credential that has no expiresAt; the credential remains valid',
      }),
    ),
  }),
);

/** A credential without its secrets. */
export const Credential = named(
  'Credential',
  object({
    clientId: text(1, 32),
    credentialId: text(1, 40),
    label: text(1, 120, { description: 'Purpose of the credential' }),
    username: text(1, 200),
    ...narrowing,
    groups,
    expiresAt: Type.Optional(dateTime()),
    revokedAt: Type.Optional(dateTime()),
    createdAt: dateTime(),
  }),
);
export type Credential = Static<typeof Credential>;

export function toCredential(row: CredentialRow): Credential {
  return {
    clientId: row.client_id,
    credentialId: row.credential_id,
    label: row.label,
    username: row.username,
    ...(row.store_ids !== null && { storeIds: readJson(row.store_ids) }),
    ...(row.node_ids !== null && { nodeIds: readJson(row.node_ids) }),
    groups: [...readJson(row.groups)],
    ...(row.expires_at !== null && { expiresAt: formatDateTime(row.expires_at) }),
    ...(row.revoked_at !== null && { revokedAt: formatDateTime(row.revoked_at) }),
    createdAt: formatDateTime(row.created_at),
  };
}

/**
 * The access of a credential: its groups, stores and nodes. Without `storeIds` it has access to all stores, and without
 * `nodeIds` to all nodes.
 */
type Reach = Pick<Credential, 'storeIds' | 'nodeIds' | 'groups'>;

/** Maximum number of the user's stores or nodes that an error lists. */
const LISTED = 10;

/**
 * Returns the reason why a user cannot create, see or revoke a credential (docs/people.md#roles). The user needs every
 * permission of its groups, and access to its stores and nodes. Returns undefined if the user has them; the operator
 * always has them.
 */
export function beyond(actor: Actor, { storeIds, nodeIds, groups }: Reach): Sentence | undefined {
  if (isOfOperator(actor)) return undefined;
  const { permissions = [] } = actor;
  const more = groups.filter((group) => !GROUP_PERMISSIONS[group].every((one) => permissions.includes(one)));
  if (more.length > 0) {
    return say('you can grant only groups whose permissions you have yourself, not {more}; leave these groups out', {
      more: more.join(', '),
    });
  }
  return beyondIds('stores', actor.storeIds, storeIds) ?? beyondIds('nodes', actor.nodeIds, nodeIds);
}

function beyondIds(
  what: 'stores' | 'nodes',
  own: readonly string[] | null | undefined,
  given: readonly string[] | undefined,
): Sentence | undefined {
  if (own === null || own === undefined || given?.every((id) => own.includes(id)) === true) return undefined;
  const name = what === 'stores' ? 'storeIds' : 'nodeIds';
  return say(
    'you can give access only to {what} to which you have access; send {name} with values from this list: {own}',
    {
      what: what === 'stores' ? say('stores') : say('nodes'),
      name,
      own: listed(own.map(quote), LISTED),
    },
  );
}

/** Returns a credential of the client. @throws Refusal 404 if it does not exist or the caller cannot see it */
export async function findCredential(
  { db, actor }: { db: Reader; actor: Actor },
  clientId: string,
  credentialId: string,
): Promise<CredentialRow> {
  const row = await db
    .selectFrom('credentials')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  if (row === undefined || beyond(actor, toCredential(row)) !== undefined) {
    throw notFound(
      say('There is no credential {credentialId} of client {clientId}.', {
        credentialId: quote(credentialId),
        clientId: JSON.stringify(clientId),
      }),
    );
  }
  return row;
}

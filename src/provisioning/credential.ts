/** A credential: what makes one, what replies show of it, and whose it is to give, see and revoke. */

import { type Actor, GROUPS, isOfOperator } from '../platform/ctx.ts';
import { GROUP_PERMISSIONS } from '../platform/group-permissions.ts';
import { notFound } from '../platform/http/errors.ts';
import { listed, quote } from '../platform/message/words.ts';
import { dateTime, identifier, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { CredentialRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';

const narrowing = {
  storeIds: Type.Optional(
    list(identifier(40), { min: 1, max: 200 }, { description: 'Only these stores; left out: all' }),
  ),
  nodeIds: Type.Optional(
    list(identifier(40), { min: 1, max: 200 }, { description: 'Only these nodes; left out: all' }),
  ),
};
const groups = list(oneOf(GROUPS), { min: 1, max: GROUPS.length }, { description: 'Groups of operations' });

export const CredentialPost = named(
  'CredentialPost',
  object({
    label: text(1, 120, { description: 'What the credential is for' }),
    ...narrowing,
    groups: Type.Optional(
      list(
        oneOf(GROUPS),
        { min: 1, max: GROUPS.length },
        { description: 'Groups of operations; left out: all, but only fulfillment with nodeIds' },
      ),
    ),
    expiresAt: Type.Optional(
      dateTime({ description: 'From this instant on the credential is refused; left out: never' }),
    ),
  }),
);
export type CredentialPost = Static<typeof CredentialPost>;

/** The texts of a new credential, shown once. */
export const NewCredential = named(
  'NewCredential',
  object({
    credentialId: text(1, 40),
    apiKey: text(1, 400, { description: 'Value of the apiKey header' }),
    username: text(1, 200, { description: 'User name of Authorization: Basic' }),
    password: text(1, 100, { description: 'Password of Authorization: Basic' }),
    ...narrowing,
    groups,
    expiresAt: Type.Optional(dateTime({ description: 'From this instant on the credential is refused' })),
    proposedExpiresAt: Type.Optional(
      dateTime({ description: 'When to have replaced a credential that was made without expiresAt; it stays good' }),
    ),
  }),
);

/** A credential without its secrets. */
export const Credential = named(
  'Credential',
  object({
    clientId: text(1, 32),
    credentialId: text(1, 40),
    label: text(1, 120, { description: 'What the credential is for' }),
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
    ...(row.store_ids !== null && { storeIds: JSON.parse(row.store_ids) as string[] }),
    ...(row.node_ids !== null && { nodeIds: JSON.parse(row.node_ids) as string[] }),
    groups: JSON.parse(row.groups) as Credential['groups'],
    ...(row.expires_at !== null && { expiresAt: formatDateTime(row.expires_at) }),
    ...(row.revoked_at !== null && { revokedAt: formatDateTime(row.revoked_at) }),
    createdAt: formatDateTime(row.created_at),
  };
}

/** What a credential may do: the groups, and the stores and nodes that it is for (left out: all). */
type Reach = Pick<Credential, 'storeIds' | 'nodeIds' | 'groups'>;

/** Ids of the own stores or nodes that a refusal lists. */
const LISTED = 10;

/**
 * Why a credential is more than a person has: its groups, stores or nodes, in words; undefined where it is not. The operator has everything.
 * Such a credential is not the person's to give, see or revoke (docs/decisions/167).
 */
export function beyond(actor: Actor, { storeIds, nodeIds, groups }: Reach): string | undefined {
  if (isOfOperator(actor)) return undefined;
  const { permissions = [] } = actor;
  const more = groups.filter((group) => !GROUP_PERMISSIONS[group].every((one) => permissions.includes(one)));
  if (more.length > 0) {
    return `you give only groups that you have yourself, and not ${more.join(', ')}; name the groups of the key`;
  }
  return beyondIds('stores', actor.storeIds, storeIds) ?? beyondIds('nodes', actor.nodeIds, nodeIds);
}

function beyondIds(
  what: 'stores' | 'nodes',
  own: readonly string[] | null | undefined,
  given: readonly string[] | undefined,
): string | undefined {
  if (own === null || own === undefined || given?.every((id) => own.includes(id)) === true) return undefined;
  const name = what === 'stores' ? 'storeIds' : 'nodeIds';
  return `you give only ${what} that you have yourself; name ${name} among ${listed(own.map(quote), LISTED)}`;
}

/** A credential of the client. @throws Refusal 404 where there is none, or none that is the caller's to see */
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
    throw notFound(`There is no credential ${quote(credentialId)} of client ${JSON.stringify(clientId)}.`);
  }
  return row;
}

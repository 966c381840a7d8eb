/** A credential: what makes one, and what replies show of it. */

import { GROUPS } from '../platform/ctx.ts';
import { dateTime, identifier, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
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

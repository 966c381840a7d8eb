/** From rows to what replies show, and what every PUT of provisioning does alike. */

import type { ExpressionBuilder } from 'kysely';
import { record } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { numeric } from '../platform/decimal.ts';
import { type Reply, reply } from '../platform/http/operation.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { FieldError } from '../platform/message/validate.ts';
import type { Reader } from '../platform/storage/db.ts';
import type {
  ClientRow,
  CredentialRow,
  IdentityProviderRow,
  NodeItemRow,
  NodeRow,
  StoreRow,
  Tables,
  UserRow,
} from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Client, Credential, IdentityProvider, Node, NodeItem, Store, User } from './schema.ts';

function times(row: { created_at: number; updated_at: number }) {
  return { createdAt: formatDateTime(row.created_at), updatedAt: formatDateTime(row.updated_at) };
}

export function toClient(row: ClientRow): Client {
  return {
    clientId: row.client_id,
    name: row.name,
    catalogIds: JSON.parse(row.catalog_ids) as string[],
    settings: JSON.parse(row.settings) as Client['settings'],
    ...times(row),
  };
}

export function toStore(row: StoreRow): Store {
  return {
    clientId: row.client_id,
    storeId: row.store_id,
    name: row.name,
    catalogId: row.catalog_id,
    sellerId: row.seller_id,
    storeCode: row.store_code,
    currency: row.currency,
    returnsLabel: row.returns_label === 1,
    ...times(row),
  };
}

export function toNode(row: NodeRow): Node {
  return {
    clientId: row.client_id,
    nodeId: row.node_id,
    name: row.name,
    nodeType: row.node_type,
    timeZone: row.time_zone,
    address: JSON.parse(row.address) as Node['address'],
    phone: row.phone,
    openingHours: JSON.parse(row.opening_hours) as Node['openingHours'],
    holdLocations: JSON.parse(row.hold_locations) as string[],
    fulfillmentTypes: JSON.parse(row.fulfillment_types) as Node['fulfillmentTypes'],
    holidays: JSON.parse(row.holidays) as string[],
    declinePolicy: row.decline_policy,
    stock: row.stock,
    promise: row.promise,
    receiveTo: row.receive_to,
    ...(row.receiving_warehouse_id !== null && { receivingWarehouseId: row.receiving_warehouse_id }),
    ...times(row),
  };
}

export function toNodeItem(row: NodeItemRow): NodeItem {
  return {
    clientId: row.client_id,
    nodeId: row.node_id,
    itemId: row.item_id,
    ...(row.retail_price !== null && { retailPrice: numeric(row.retail_price) }),
    ...(row.pick_location !== null && { pickLocation: row.pick_location }),
    ...(row.on_hand !== null && { onHand: row.on_hand }),
    updatedAt: formatDateTime(row.updated_at),
  };
}

export function toUser(row: UserRow, identities: NonNullable<User['identities']> = []): User {
  return {
    clientId: row.client_id,
    userId: row.user_id,
    name: row.name,
    role: row.role as User['role'],
    nodeIds: JSON.parse(row.node_ids) as string[],
    state: row.state,
    ...(row.language !== null && { language: row.language }),
    ...(identities.length > 0 && { identities }),
    ...times(row),
  };
}

export function toIdentityProvider(row: IdentityProviderRow): IdentityProvider {
  return {
    clientId: row.client_id,
    providerId: row.provider_id,
    name: row.name,
    issuer: row.issuer,
    oidcClientId: row.oidc_client_id,
    scopes: JSON.parse(row.scopes) as string[],
    ...(row.role_claim !== null && {
      roleClaim: row.role_claim,
      roles: JSON.parse(row.roles) as NonNullable<IdentityProvider['roles']>,
    }),
    createUsers: row.create_users === 1,
    nodeIds: JSON.parse(row.node_ids) as string[],
    ...times(row),
  };
}

/** Condition on users: those who work at one of the nodes by name. Node ids stand in a JSON list; nothing stands for anything else in it. */
export function worksAt(nodeIds: readonly string[]) {
  return (eb: ExpressionBuilder<Tables, 'users'>) =>
    eb.or(
      nodeIds.map((id) =>
        eb(eb.fn<string>('replace', ['node_ids', eb.val(JSON.stringify(id)), eb.val('')]), '<>', eb.ref('node_ids')),
      ),
    );
}

/** An error for each id of a body's list that is no store or node of the client. */
export async function unknownIdErrors(
  db: Reader,
  table: 'stores' | 'nodes',
  clientId: string,
  pointer: string,
  sent: readonly (string | undefined)[] = [],
): Promise<FieldError[]> {
  const ids = sent.filter((id) => id !== undefined);
  if (ids.length === 0) return [];
  const rows =
    table === 'stores'
      ? await db
          .selectFrom('stores')
          .select('store_id as id')
          .where('client_id', '=', clientId)
          .where('store_id', 'in', ids)
          .execute()
      : await db
          .selectFrom('nodes')
          .select('node_id as id')
          .where('client_id', '=', clientId)
          .where('node_id', 'in', ids)
          .execute();
  const known = new Set(rows.map((row) => row.id));
  return sent.flatMap((id, index) =>
    id === undefined || known.has(id)
      ? []
      : [
          {
            pointer: `${pointer}/${index}`,
            rule: 'unknown-id',
            message: `${JSON.stringify(id)} is no ${table === 'stores' ? 'store' : 'node'} of the client; make it first or leave it out`,
          },
        ],
  );
}

/** Fields that differ between two states of a resource, as the audit trail keeps them. */
export function differences(before: object, after: object): Record<string, { from: unknown; to: unknown }> {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed: Record<string, { from: unknown; to: unknown }> = {};
  for (const name of names) {
    if (name === 'createdAt' || name === 'updatedAt' || old[name] === now[name]) continue;
    if (stringifyJson(old[name] ?? null) !== stringifyJson(now[name] ?? null)) {
      changed[name] = { from: old[name] ?? null, to: now[name] ?? null };
    }
  }
  return changed;
}

/** Whether a PUT leaves the resource as it is: then nothing is written, and the answer is what is stored. */
export function stays(before: object, after: object): boolean {
  return Object.keys(differences(before, after)).length === 0;
}

/**
 * Returns a PUT that did something and records its effect: 201 when the resource was made, 200 when it changed. `also`
 * are changes that no reply shows, such as a new password.
 */
export async function answerPut(
  ctx: Ctx,
  resource: 'client' | 'store' | 'node' | 'nodeItem' | 'user' | 'identityProvider',
  clientId: string,
  resourceId: string,
  before: object | undefined,
  after: object,
  also: Record<string, string> = {},
): Promise<Reply> {
  const type = `${resource}.${before === undefined ? 'created' : 'changed'}` as const;
  const data: Record<string, unknown> =
    before === undefined ? { ...after } : { ...differences(before, after), ...also };
  await record(ctx, { clientId, type, resource, resourceId, data });
  return reply(before === undefined ? 201 : 200, after);
}

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

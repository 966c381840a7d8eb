/**
 * A web store: the schemas of PUT and of responses, the function that makes a response from a row, and the operations
 * that read it.
 */

import { GROUPS } from '../platform/ctx.ts';
import { resource } from '../platform/http/resource.ts';
import { parseJson } from '../platform/message/json.ts';
import { flag, identifier, named, object, type Static, Type, text } from '../platform/schema.ts';
import type { StoreRow } from '../platform/storage/tables.ts';
import { withConditions } from '../shared/return-settings.ts';
import { sentBack, sentId, shown, times } from './resource.ts';
import { Returns } from './returns-settings.ts';
import { say } from './sentences.ts';

const store = {
  name: text(1, 120, { description: 'Name of the web store' }),
  catalogId: identifier(4, { description: 'One of the client’s catalogs' }),
  sellerId: identifier(40, { description: 'Seller in inbound messages. A seller belongs to one client' }),
  storeCode: identifier(5, {
    description: 'Code of the store in inbound messages (field storeCode), unique per seller',
  }),
  currency: text(3, 3, {
    pattern: '^[A-Z]{3}$',
    'x-hint': say('send the ISO 4217 code of the currency in three capital letters, such as EUR'),
    description: 'ISO 4217 code of the currency',
  }),
};

export const StorePut = named(
  'StorePut',
  object({
    ...store,
    returnsLabel: Type.Optional(
      flag({ description: 'true: pack slips include a returns label with the address of the node; default false' }),
    ),
    returns: Type.Optional(Returns),
    clientId: sentId,
    storeId: sentId,
    ...sentBack,
  }),
);
export type StorePut = Static<typeof StorePut>;

/** A web store (seller organization). */
export const Store = named(
  'Store',
  object({
    clientId: text(1, 32),
    storeId: text(1, 40),
    ...store,
    returnsLabel: flag(),
    returns: Type.Optional(Returns),
    ...shown,
  }),
);
export type Store = Static<typeof Store>;

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
    ...(row.returns !== null && { returns: withConditions(parseJson(row.returns)) }),
    ...times(row),
  };
}

const stores = resource({
  name: 'store',
  table: 'stores',
  id: 'store_id',
  path: '/operator/v1/clients/{clientId}/stores/{storeId}',
  example: '/operator/v1/clients/TOWN/stores/TOWN_US',
  access: { auth: 'operatorOrApiKey', group: GROUPS, permission: 'any' },
  schema: Store,
  show: toStore,
});

/** Reads a web store. */
export const getStore = stores.get({
  id: 'getStore',
  since: '0.1.0',
  summary: 'Read a web store',
  description: 'Returns a web store as it is stored. You can send the response back with PUT.',
});

/** Lists the web stores of a client. */
export const listStores = stores.list({
  id: 'listStores',
  since: '0.1.0',
  summary: 'List the web stores of a client',
  description:
    'Returns the web stores of a client in the order of their ids, one page at a time. Send `next` as `after` to get the next page. A key that is limited to stores gets only these stores.',
  stale: true,
  seenBy: ({ kind, storeIds }, all) =>
    kind === 'client' && storeIds != null ? all.where('store_id', 'in', [...storeIds]) : all,
});

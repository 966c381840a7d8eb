import type { Ctx } from '../platform/ctx.ts';
import { findStore } from '../platform/http/auth.ts';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors } from '../platform/http/put.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { isUniqueViolation, type Writer } from '../platform/storage/db.ts';
import type { ClientRow, StoreRow } from '../platform/storage/tables.ts';
import type { ReturnSettings } from '../shared/return-settings.ts';
import { toClient } from './client.ts';
import { answerPut, differences, LIMITS, stays } from './resource.ts';
import { returnsErrors } from './returns-settings.ts';
import { say } from './sentences.ts';
import { Store, StorePut, toStore } from './store.ts';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const FIXED = ['catalogId', 'sellerId', 'storeCode', 'currency'] as const;

/** Creates a web store of a client, or overwrites it (docs/api.md#set-up-of-clients-stores-and-nodes). */
export const putStore = writeOperation({
  id: 'putStore',
  since: '0.1.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/stores/{storeId}',
  summary: 'Create or change a web store',
  description:
    'Creates a web store or overwrites it. A storeId is unique in the installation, a sellerId belongs to one client, and a storeCode is unique per seller. Once the store has an order or an inbound shipment, its catalogId, sellerId, storeCode and currency cannot change.',
  events: ['store.created', 'store.changed'],
  access: { auth: 'operator', permission: 'installation' },
  message: {
    body: StorePut,
    replies: {
      200: { description: 'The store as it is now.', schema: Store },
      201: { description: 'The store was created.', schema: Store },
    },
    refusals: {
      404: 'There is no such client.',
      409: 'The storeId, the sellerId or the storeCode is taken, or the store is in use.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules(ctx, { params: { storeId }, clientId, body: { catalogId, currency, returns } }, errors) {
      errors.addAll(pathIdErrors('storeId', storeId, LIMITS.storeId));
      errors.addAll(returnsErrors('/returns', returns ?? {}));
      const { catalogIds } = toClient(await lockClient(ctx, clientId));
      if (catalogId !== undefined && !catalogIds.includes(catalogId)) {
        const message = say("catalogId must be one of the client's catalogs: {catalogIds}", {
          catalogIds: catalogIds.join(', '),
        });
        errors.add('/catalogId', 'unknown-id', message);
      }
      if (currency !== undefined && !CURRENCIES.has(currency)) {
        const message = say('{currency} is not a currency code of ISO 4217; send a code such as EUR or USD', {
          currency,
        });
        errors.add('/currency', 'enum', message);
      }
    },
    async handle(ctx, { params: { storeId }, clientId, body }) {
      const { db } = ctx;
      await claimSeller(db, clientId, body.sellerId);
      const values = {
        name: body.name,
        catalog_id: body.catalogId,
        seller_id: body.sellerId,
        store_code: body.storeCode,
        currency: body.currency,
        returns_label: body.returnsLabel === true ? 1 : 0,
        returns: body.returns === undefined ? null : stringifyJson(body.returns as Partial<ReturnSettings>),
        updated_at: ctx.now,
      };
      const row = { client_id: clientId, store_id: storeId, ...values, created_at: ctx.now };
      const made = await db
        .insertInto('stores')
        .values(row)
        .onConflict((on) => on.doNothing())
        .executeTakeFirstOrThrow();
      if (made.numInsertedOrUpdatedRows === 1n)
        return answerPut(ctx, 'store', clientId, storeId, undefined, toStore(row));
      const before = await findStore(db, clientId, storeId);
      const holder = await findByCode(db, clientId, body.sellerId, body.storeCode);
      if (holder !== undefined && holder.store_id !== storeId) throw codeTaken(body, holder.store_id);
      if (before === undefined)
        throw conflict(
          say('The storeId {storeId} is taken in this installation; choose another.', {
            storeId: JSON.stringify(storeId),
          }),
        );
      const after = { ...before, ...values };
      if (stays(toStore(before), toStore(after))) return reply(200, toStore(before));
      await overwrite(db, before, after, body);
      return answerPut(ctx, 'store', clientId, storeId, toStore(before), toStore(after));
    },
  },
  example: {
    path: '/operator/v1/clients/NEXT/stores/NEXT_US',
    body: { name: 'Next online', catalogId: '31', sellerId: 'NEXTS', storeCode: '001', currency: 'USD' },
  },
});

/** Returns the client and locks it, so that its catalogs cannot change on engines that run writes in parallel. */
function lockClient({ db, dialect }: Ctx, clientId: string): Promise<ClientRow> {
  return db
    .selectFrom('clients')
    .selectAll()
    .where('client_id', '=', clientId)
    .modifyEnd(dialect.forNoKeyUpdate)
    .executeTakeFirstOrThrow();
}

/**
 * Assigns the seller to the client, unless the client has the seller already.
 * @throws Refusal 409 if another client has the seller
 */
async function claimSeller(db: Writer, clientId: string, sellerId: string): Promise<void> {
  await db
    .insertInto('sellers')
    .values({ client_id: clientId, seller_id: sellerId })
    .onConflict((on) => on.doNothing())
    .execute();
  const own = await db
    .selectFrom('sellers')
    .select('seller_id')
    .where('client_id', '=', clientId)
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();
  if (own === undefined)
    throw conflict(
      say('The sellerId {sellerId} is taken in this installation; choose another.', {
        sellerId: JSON.stringify(sellerId),
      }),
    );
}

function findByCode(db: Writer, clientId: string, sellerId: string, storeCode: string) {
  return db
    .selectFrom('stores')
    .select('store_id')
    .where('client_id', '=', clientId)
    .where('seller_id', '=', sellerId)
    .where('store_code', '=', storeCode)
    .executeTakeFirst();
}

function codeTaken({ sellerId, storeCode }: StorePut, holder?: string): Refusal {
  const whose = holder === undefined ? say('another store') : say('store {holder}', { holder: JSON.stringify(holder) });
  return conflict(
    say('The storeCode {storeCode} of seller {sellerId} is taken by {whose}; choose another.', {
      storeCode: JSON.stringify(storeCode),
      sellerId: JSON.stringify(sellerId),
      whose,
    }),
  );
}

/**
 * Overwrites a store. Orders and shipments depend on the fields of FIXED, so these fields can change only while the
 * store has no orders and no shipments. The update itself checks this condition.
 * @throws Refusal 409 if the condition is not met, or if another store has the store code
 */
async function overwrite(db: Writer, before: StoreRow, after: StoreRow, body: StorePut): Promise<void> {
  const { client_id: clientId, store_id: storeId } = before;
  const changed = FIXED.filter((name) => name in differences(toStore(before), toStore(after)));
  const { client_id: _client, store_id: _store, ...columns } = after;
  let update = db.updateTable('stores').set(columns).where('client_id', '=', clientId).where('store_id', '=', storeId);
  if (changed.length > 0) {
    const orders = db.selectFrom('fulfillment_orders').select('store_id').where('client_id', '=', clientId);
    const shipments = db.selectFrom('inbound_shipments').select('store_id').where('client_id', '=', clientId);
    update = update
      .where((row) => row.not(row.exists(orders.where('store_id', '=', storeId))))
      .where((row) => row.not(row.exists(shipments.where('store_id', '=', storeId))));
  }
  const done = await update.executeTakeFirst().catch((error: unknown) => {
    throw isUniqueViolation(error) ? codeTaken(body) : error;
  });
  if (done.numUpdatedRows === 0n) {
    throw conflict(
      say('Store {storeId} has orders or inbound shipments, so its {changed} cannot change; create a new store.', {
        storeId: JSON.stringify(storeId),
        changed: changed.join(', '),
      }),
    );
  }
  if (before.seller_id === after.seller_id) return;
  const stores = db.selectFrom('stores').select('store_id').where('client_id', '=', clientId);
  await db
    .deleteFrom('sellers')
    .where('client_id', '=', clientId)
    .where('seller_id', '=', before.seller_id)
    .where((row) => row.not(row.exists(stores.where('seller_id', '=', before.seller_id))))
    .execute();
}

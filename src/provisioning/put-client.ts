import { sql } from 'kysely';
import { QUEUE_IDS } from '../kernel/states.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors, repeatErrors } from '../platform/http/put.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { Writer } from '../platform/storage/db.ts';
import type { ClientRow } from '../platform/storage/tables.ts';
import { isTraining, TRAINING_ACTOR } from '../platform/training.ts';
import { rangeOf } from '../shared/item-id.ts';
import { Client, ClientPut, toClient } from './client.ts';
import { type Settings, settingsErrors } from './client-settings-errors.ts';
import { answerPut, LIMITS, stays } from './resource.ts';
import { say } from './sentences.ts';

/** Creates a client, or overwrites its name, catalogs and settings (docs/api.md#set-up-of-clients-stores-and-nodes). */
export const putClient = writeOperation({
  id: 'putClient',
  since: '0.1.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}',
  summary: 'Create or change a client',
  description:
    'Creates a client (retailer) or overwrites it: a field that is left out gets its default. `settings` has the values that a retailer can change. A list replaces the whole default list; a map replaces only the entries that it has. You cannot remove a catalog that has a store or an item of the client.',
  events: ['client.created', 'client.changed'],
  access: { auth: 'operator', permission: 'installation', fresh: true },
  message: {
    body: ClientPut,
    replies: {
      200: { description: 'The client as it is now.', schema: Client },
      201: { description: 'The client was created.', schema: Client },
    },
    refusals: {
      409: 'A catalog that the request removes is in use; or the request changes `settings.queueIds` while an order is on a queue or a pick ticket is open.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules({ actor }, { params: { clientId }, body }, errors) {
      errors.addAll([
        ...pathIdErrors('clientId', clientId, LIMITS.clientId),
        ...repeatErrors('/catalogIds', body.catalogIds),
        ...settingsErrors(body.settings ?? {}),
      ]);
      if (isTraining(clientId) && actor.id !== TRAINING_ACTOR) {
        errors.add(
          'path:clientId',
          'reserved',
          say('clientId in the path is reserved for trainings; choose another clientId'),
        );
      }
      for (const [queue, other] of sameQueues(body.settings?.queueIds ?? {}, errors)) {
        const message = say('{queue} and {other} have the same id; give each queue its own id', { queue, other });
        errors.add(`/settings/queueIds/${queue}`, 'uniqueItems', message);
      }
    },
    async handle(ctx, { params: { clientId }, body }) {
      const values = {
        name: body.name,
        catalog_ids: stringifyJson(body.catalogIds),
        // The compiler also allows undefined values in maps with optional entries, so the type must be cast.
        settings: stringifyJson(body.settings ?? {}) as ClientRow['settings'],
        updated_at: ctx.now,
      };
      const row = { client_id: clientId, ...values, created_at: ctx.now };
      const made = await ctx.db
        .insertInto('clients')
        .values(row)
        .onConflict((on) => on.doNothing())
        .executeTakeFirstOrThrow();
      if (made.numInsertedOrUpdatedRows === 1n)
        return answerPut(ctx, 'client', clientId, clientId, undefined, toClient(row));
      const known = await rowOf(ctx.db, clientId).executeTakeFirstOrThrow();
      // The locks wait for items and orders that other transactions have written but not committed. Writers of bundles
      // lock items before the client; the other order can deadlock.
      if (droppedBy(body, known).length > 0) await ctx.dialect.lockTable?.('items').execute(ctx.db);
      // Another PUT can have changed the client during the wait.
      const before = await rowOf(ctx.db, clientId).modifyEnd(ctx.dialect.forNoKeyUpdate).executeTakeFirstOrThrow();
      const after = { ...before, ...values };
      if (stays(toClient(before), toClient(after))) return reply(200, toClient(before));
      await ctx.db.updateTable('clients').set(values).where('client_id', '=', clientId).execute();
      for (const catalogId of droppedBy(body, before)) await requireUnused(ctx.db, clientId, catalogId);
      if (queueIdsDiffer(toClient(before), body)) {
        await ctx.dialect.lockTable?.('fulfillment_orders').execute(ctx.db);
        await requireEmptyQueues(ctx.db, clientId);
      }
      return answerPut(ctx, 'client', clientId, clientId, toClient(before), toClient(after));
    },
  },
  example: { path: '/operator/v1/clients/NEXT', body: { name: 'Next Retailer', catalogIds: ['31'] } },
});

function rowOf(db: Writer, clientId: string) {
  return db.selectFrom('clients').selectAll().where('client_id', '=', clientId);
}

/** Returns the catalogs of the client that the message leaves out. */
function droppedBy({ catalogIds }: { catalogIds: readonly string[] }, row: ClientRow): string[] {
  return toClient(row).catalogIds.filter((id) => !catalogIds.includes(id));
}

/** Returns the pairs of queues with the same id, without queues whose id is invalid. */
function sameQueues(queueIds: NonNullable<Settings['queueIds']>, errors: FieldErrors): (readonly [string, string])[] {
  const ids = QUEUE_IDS.filter((queue) => !errors.isBad(`/settings/queueIds/${queue}`)).map(
    (queue) => [queue, queueIds[queue] ?? queue] as const,
  );
  return ids.flatMap(([queue, id]) => {
    const other = ids.find(([name, taken]) => taken === id && name !== queue)?.[0];
    return other === undefined || queueIds[queue] === undefined ? [] : [[queue, other] as const];
  });
}

/**
 * Checks that no store and no item uses a catalog. The caller has locked the row of the client by an update, so a
 * concurrent new store either waits or is visible here.
 * @throws Refusal 409 if a store or an item uses the catalog
 */
async function requireUnused(db: Writer, clientId: string, catalogId: string): Promise<void> {
  const store = await db
    .selectFrom('stores')
    .select('store_id')
    .where('client_id', '=', clientId)
    .where('catalog_id', '=', catalogId)
    .orderBy('store_id')
    .limit(1)
    .executeTakeFirst();
  if (store !== undefined)
    throw conflict(
      say('Catalog {catalogId} is in use by store {storeId}; keep it in catalogIds.', {
        catalogId: JSON.stringify(catalogId),
        storeId: JSON.stringify(store.store_id),
      }),
    );
  const { first, before } = rangeOf(catalogId);
  const item = await db
    .selectFrom('items')
    .select('item_id')
    .where('client_id', '=', clientId)
    .where('item_id', '>=', first)
    .where('item_id', '<', before)
    .limit(1)
    .executeTakeFirst();
  if (item !== undefined)
    throw conflict(
      say('Catalog {catalogId} has items, for example {itemId}; keep it in catalogIds or delete its items first.', {
        catalogId: JSON.stringify(catalogId),
        itemId: JSON.stringify(item.item_id),
      }),
    );
}

function queueIdsDiffer(before: Client, body: ClientPut): boolean {
  const [old, now] = [before.settings.queueIds ?? {}, body.settings?.queueIds ?? {}] as Record<string, string>[];
  return QUEUE_IDS.some((queue) => (old?.[queue] ?? queue) !== (now?.[queue] ?? queue));
}

/**
 * Checks that all queues are empty. Orders and pick tickets store the id of their queue. Queue ids can therefore change
 * only while no order is on a queue and no ticket is open. After an order has ended, its reverse ticket can still be
 * open.
 * @throws Refusal 409 if a queue has an order, or a ticket is open
 */
async function requireEmptyQueues(db: Writer, clientId: string): Promise<void> {
  const order = await db
    .selectFrom('fulfillment_orders')
    .select('fulfillment_order_id')
    .where('client_id', '=', clientId)
    .where('queue_id', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (order !== undefined)
    throw conflict(say('Orders are on the queues of this client; change settings.queueIds when all queues are empty.'));
  const ticket = await db
    .selectFrom('pick_tickets')
    .select('pick_ticket_id')
    .where('client_id', '=', clientId)
    .where(sql<boolean>`status <> 'CLOSED'`)
    .limit(1)
    .executeTakeFirst();
  if (ticket !== undefined)
    throw conflict(
      say(
        'Pick ticket {pickTicketId} is open, so settings.queueIds cannot change; confirm or reset the ticket first.',
        {
          pickTicketId: JSON.stringify(ticket.pick_ticket_id),
        },
      ),
    );
}

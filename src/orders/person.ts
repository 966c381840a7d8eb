/**
 * Collects all data about the customer of a web order, for requests of access to personal data. The result has all data
 * that `anonymizeOrder` removes, except PINs, hashes and stored responses. The other data of an order identifies no
 * person.
 */
import { sql } from 'kysely';
import { personalReturnsOf } from '../kernel/returns/personal.ts';
import { readJson } from '../platform/json-column.ts';
import { parseJson } from '../platform/message/json.ts';
import type { Sealer } from '../platform/secrets.ts';
import type { Reader } from '../platform/storage/db.ts';
import { contains } from '../platform/storage/like.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { textWithoutIndex } from '../platform/storage/without-index.ts';
import { formatDateTime } from '../platform/time.ts';
import { findNotes } from './change-store.ts';

/** Replaces a PIN, because the person who requests the data may not be the person who collects the order. */
const PIN_HELD = 'held, sealed; not shown';

/**
 * Returns the fulfillment orders of a web order, sorted by id. Each store numbers its web orders itself, so the orders
 * of several stores are of different people.
 */
export function findOrdersOfPerson(
  db: Reader,
  clientId: string,
  webOrderId: string,
  storeId?: string,
): Promise<FulfillmentOrderRow[]> {
  const all = db.selectFrom('fulfillment_orders').selectAll().where('client_id', '=', clientId);
  const own = all.where('web_order_id', '=', webOrderId).$if(storeId !== undefined, (of) => {
    return of.where('store_id', '=', storeId!);
  });
  // This expression is in no index. With the plain column, SQLite reads all orders of the client along the primary key.
  return own.orderBy(textWithoutIndex('fulfillment_order_id')).execute();
}

/** Returns all data about the customer of these orders. The orders belong to one web order. */
export async function personOf(db: Reader, sealer: Sealer, orders: readonly FulfillmentOrderRow[]): Promise<object> {
  const { client_id: clientId, web_order_id: webOrderId } = orders[0]!;
  const ids = orders.map((row) => row.fulfillment_order_id);
  const accessEvents = await accessEventsOf(db, clientId, ids);
  const fulfillmentOrders: object[] = [];
  for (const row of orders) {
    const own = await orderOf(db, sealer, row);
    fulfillmentOrders.push({ ...own, accessEvents: accessEvents.get(row.fulfillment_order_id) });
  }
  return { clientId, webOrderId, fulfillmentOrders };
}

async function orderOf(db: Reader, sealer: Sealer, row: FulfillmentOrderRow): Promise<object> {
  const { client_id: clientId, fulfillment_order_id: orderId } = row;
  return {
    fulfillmentOrderId: orderId,
    omsOrderId: row.oms_order_id,
    externalOrderNumber: row.external_order_number,
    externalOrderNumber2: row.external_order_number2,
    storeId: row.store_id,
    nodeId: row.node_id,
    fulfillmentType: row.fulfillment_type,
    status: String(row.status),
    orderDate: formatDateTime(row.order_date),
    createdAt: formatDateTime(row.created_at),
    forgottenAt: row.blanked_at === null ? null : formatDateTime(row.blanked_at),
    pinNumber: row.pin_cipher === null ? null : PIN_HELD,
    ...parseJson(row.contacts),
    searchKeys: {
      customer: [row.customer_name_key, row.customer_email_key, row.customer_phone_key],
      proxyDetails: [row.proxy_name_key, row.proxy_email_key, row.proxy_phone_key],
      postalCode: row.postal_code_key,
    },
    lines: await linesOf(db, clientId, orderId),
    packages: await packagesOf(db, clientId, orderId),
    handOvers: await handOversOf(db, sealer, clientId, orderId),
    returns: await personalReturnsOf(db, clientId, orderId),
    messages: await messagesOf(db, clientId, orderId),
    notes: (await findNotes(db, row)).map(({ at, user_id, note }) => ({
      at: formatDateTime(at),
      userId: user_id,
      note,
    })),
    resourceRequests: await requestsOf(db, clientId, orderId),
    ...(await eventsOf(db, clientId, orderId)),
  };
}

async function linesOf(db: Reader, clientId: string, orderId: string): Promise<object[]> {
  const rows = await db
    .selectFrom('order_lines')
    .select(['web_line_id', 'item_id', 'ordered', 'instructions'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .orderBy('line_index')
    .execute();
  return rows.map((row) => ({
    webLineId: row.web_line_id,
    itemId: row.item_id,
    quantity: row.ordered,
    instructions: read(row.instructions),
  }));
}

async function packagesOf(db: Reader, clientId: string, orderId: string): Promise<object[]> {
  const packages = await db
    .selectFrom('packages')
    .select(['package_index', 'package_id', 'tracking_number'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .orderBy('package_index')
    .execute();
  const items = await db
    .selectFrom('package_items')
    .select(['package_index', 'instructions', 'custom_attributes'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .orderBy('package_index')
    .orderBy('line_index')
    .execute();
  return packages.map((one) => ({
    packageId: one.package_id,
    trackingNumber: one.tracking_number,
    items: items
      .filter(({ package_index }) => package_index === one.package_index)
      .map((item) => ({ instructions: read(item.instructions), customAttributes: read(item.custom_attributes) })),
  }));
}

async function handOversOf(db: Reader, sealer: Sealer, clientId: string, orderId: string): Promise<object[]> {
  const rows = await db
    .selectFrom('hand_overs')
    .select(['hand_over_id', 'at', 'collected_by', 'verification_method', 'modify_associate_id'])
    .select(['proof_kind', 'proof_type', 'proof_cipher'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    handOverId: row.hand_over_id,
    at: formatDateTime(row.at),
    collectedBy: row.collected_by,
    verificationMethod: row.verification_method,
    modifyAssociateId: row.modify_associate_id,
    proof:
      row.proof_cipher === null
        ? null
        : { kind: row.proof_kind, mediaType: row.proof_type, data: sealer.open(row.proof_cipher) },
  }));
}

async function messagesOf(db: Reader, clientId: string, orderId: string): Promise<object[]> {
  const rows = await db
    .selectFrom('customer_messages')
    .select(['message_id', 'kind', 'status', 'created_at', 'ended_at'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .orderBy('created_at')
    .orderBy('message_id')
    .execute();
  return rows.map((row) => ({
    messageId: row.message_id,
    kind: row.kind,
    status: row.status,
    createdAt: formatDateTime(row.created_at),
    endedAt: row.ended_at === null ? null : formatDateTime(row.ended_at),
  }));
}

async function requestsOf(db: Reader, clientId: string, orderId: string): Promise<object[]> {
  const rows = await db
    .selectFrom('resource_requests')
    .select(['request_id', 'status', 'new_fulfillment_order_id'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .orderBy('request_id')
    .execute();
  return rows.map((row) => ({
    requestId: row.request_id,
    status: row.status,
    newFulfillmentOrderId: row.new_fulfillment_order_id,
  }));
}

/** Returns the events of the order and their webhook deliveries. */
async function eventsOf(db: Reader, clientId: string, orderId: string): Promise<object> {
  const ofOrder = db
    .selectFrom('events')
    .select(['event_id', 'at', 'type', 'actor', 'data', 'position'])
    .where('client_id', '=', clientId)
    .where('resource_type', '=', 'order')
    .where('resource_id', '=', orderId);
  // Events with a position in the feed and events without one are in two indexes, so two statements read them.
  const rows = [
    ...(await ofOrder.where('sequence', 'is not', null).orderBy('sequence').execute()),
    ...(await ofOrder.where('position', 'is', null).orderBy('written').orderBy('event_id').execute()),
  ];
  const positions = rows.flatMap(({ position }) => (position === null ? [] : [position]));
  const sent =
    positions.length === 0
      ? []
      : await db
          .selectFrom('webhook_deliveries')
          .select(['webhook_id', 'position', 'status', 'updated_at'])
          .where('client_id', '=', clientId)
          .where('webhook_id', 'in', (eb) =>
            eb.selectFrom('webhooks').select('webhooks.webhook_id').where('webhooks.client_id', '=', clientId),
          )
          .where('position', 'in', positions)
          .orderBy('webhook_id')
          .orderBy('position')
          .execute();
  return {
    events: rows.map((row) => ({
      eventId: row.event_id,
      at: formatDateTime(row.at),
      type: row.type,
      actor: row.actor,
      data: parseJson(row.data),
    })),
    webhookDeliveries: sent.map((row) => ({
      webhookId: row.webhook_id,
      position: row.position,
      status: row.status,
      at: formatDateTime(row.updated_at),
    })),
  };
}

/** Number of access events that one statement reads, so that no statement exceeds the time limit of the database. */
const ACCESS_PART = 20_000;

/** Returns the access events of each order: who read it, and when. */
async function accessEventsOf(
  db: Reader,
  clientId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, object[]>> {
  const found = new Map<string, object[]>(orderIds.map((id) => [id, []]));
  const head = await db
    .selectFrom('access_events')
    .select((eb) => [eb.fn.min<number | null>('position').as('first'), eb.fn.max<number | null>('position').as('last')])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  const last = head?.last ?? -1;
  for (let from = head?.first ?? 0; from <= last; from += ACCESS_PART) {
    const rows = await db
      .selectFrom('access_events')
      .select(['at', 'type', 'actor', 'data'])
      .where('client_id', '=', clientId)
      .where('position', '>=', from)
      .where('position', '<', from + ACCESS_PART)
      .where((eb) => eb.or(orderIds.map((id) => contains(sql`data`, JSON.stringify(id)))))
      .orderBy('position')
      .execute();
    for (const { at, type, actor, data } of rows) {
      const { operation, fulfillmentOrderIds = [] } = readJson(data) as {
        operation?: string;
        fulfillmentOrderIds?: readonly string[];
      };
      for (const id of fulfillmentOrderIds) found.get(id)?.push({ at: formatDateTime(at), type, actor, operation });
    }
  }
  return found;
}

function read(text: string | null): unknown {
  return text === null ? null : parseJson(text);
}

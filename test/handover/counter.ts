/** Orders that wait at the counter or for delivery, and functions that build hand-over messages. */
import { expect } from 'vitest';
import type { OrderState } from '../../src/kernel/states.ts';
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import { openPlace, type Place, pickupOrder } from '../orders/place.ts';
import type { Answer } from '../support/backroom.ts';

export const PIN = '4711';
export const PROXY = { name: 'Bo Byrne', email: 'bo@example.com', phone: '5550100' };
export const REFUSED = 'CancelMXCreditCustomerRefusal';

/** Three units of line 1 and two units of line 2. */
export const LINES = [
  { webLineId: '1', itemId: '1-A', quantity: 3, unitPrice: 10 },
  { webLineId: '2', itemId: '1-B', quantity: 2, unitPrice: 5 },
];
const PICKED: Record<string, number> = { 1: 3, 2: 2 };
const ITEM: Record<string, string> = { 1: '1-A', 2: '1-B' };

/** Returns a line of the message: units that are handed over, and units that are canceled. */
export const item = (webLineId: string, picked: number, canceled = 0, members: object = {}) => ({
  webLineId,
  itemId: ITEM[webLineId] ?? '1-A',
  customerPickedQuantity: picked,
  canceledQuantity: canceled,
  ...(canceled > 0 && { cancellationReasonCode: REFUSED }),
  backroomPickedQuantity: PICKED[webLineId] ?? 0,
  ...members,
});
export const ALL = [item('1', 3), item('2', 2)];

export const message = (fulfillmentOrderId: string, customerPickUpItems: unknown, members: object = {}) => ({
  modifyAssociateId: 'bo',
  customerPickUpDetails: { storeId: 'S1', nodeId: 'N1', fulfillmentOrderId, customerPickUpItems, ...members },
});

interface Stands {
  status: number;
  queue: string | null;
  revision: number;
  attempts: number;
  lockedUntil: number | null;
  /** By line: units that were picked, handed over, and canceled at the hand-over, and the reason. */
  lines: [picked: number, handedOver: number, refused: number, reason: string | null][];
}

export interface Counter extends Place {
  /** Creates a STORE_PICK_UP order in `status` with all units picked. */
  ready: (id: string, members?: Partial<OrderIntake>, status?: OrderState) => Promise<void>;
  /** Creates an ASSOCIATE_DELIVERY order that waits for delivery. */
  toDeliver: (id: string, members?: Partial<OrderIntake>) => Promise<void>;
  send: (id: string, body: unknown, options?: { apiKey?: string; path?: string }) => Promise<Answer>;
  hand: (id: string, items: unknown, members?: object) => Promise<Answer>;
  deliver: (id: string, members?: object, apiKey?: string) => Promise<Answer>;
  details: (id: string, options?: { body?: unknown; apiKey?: string; path?: string }) => Promise<Answer>;
  unlock: (id: string, members?: object) => Promise<Answer>;
  stands: (id: string) => Promise<Stands>;
  handOvers: (id: string) => Promise<Record<string, unknown>[]>;
  events: (id: string) => Promise<{ type: string; data: Record<string, unknown> }[]>;
  /** Cancels the whole order for the customer. */
  cancel: (id: string) => Promise<void>;
  setLine: (id: string, index: number, columns: Record<string, unknown>) => Promise<void>;
  settings: (settings: object) => Promise<void>;
}

export const confirmPath = '/stores/S1/nodes/N1/customerPickUp/confirm';
const detailsPath = (id: string) => `/stores/S1/nodes/N1/customerPickUps/${id}`;
const deliverPath = (id: string) => `/operator/v1/stores/S1/fulfillmentOrders/${id}/deliver`;
export const unlockPath = (id: string) => `/operator/v1/stores/S1/fulfillmentOrders/${id}/pin/unlock`;

export async function openCounter(): Promise<Counter> {
  const place = await openPlace();
  const apiKeyOf = (apiKey = place.keys.all) => ({ apiKey });
  const waiting = async (id: string, status: OrderState, queue: string, members: Partial<OrderIntake>) => {
    const answer = await place.intake(pickupOrder(id, { lines: LINES, ...members }));
    if (answer.status !== 201) throw new Error(answer.text);
    await place.store.write((tx) =>
      tx
        .updateTable('order_lines')
        .set((eb) => ({ picked: eb.ref('ordered') }))
        .where('client_id', '=', 'C1')
        .where('fulfillment_order_id', '=', id)
        .execute(),
    );
    await place.setOrder(id, {
      status,
      queue_id: queue,
      hold_location: 'A1',
      ...(status === 1150 && { pick_ticket_id: '1' }),
    });
  };
  const send: Counter['send'] = (_id, body, { apiKey, path = confirmPath } = {}) =>
    place.call({ method: 'PUT', path, body, headers: apiKeyOf(apiKey) });
  return {
    ...place,
    ready: (id, members = {}, status = 1400) => waiting(id, status, 'WAITING_FOR_CUSTOMER_PICK', members),
    toDeliver: (id, members = {}) =>
      waiting(id, 1500, 'WAITING_FOR_DELIVERY', { fulfillmentType: 'ASSOCIATE_DELIVERY', ...members }),
    send,
    cancel: async (id) => {
      const path = `/operator/v1/stores/S1/fulfillmentOrders/${id}/cancel`;
      const answer = await place.operator('POST', path, { reasonCode: 'CancelCustomerInitiated' });
      expect(answer.status, answer.text).toBe(200);
    },
    hand: (id, items, members) => send(id, message(id, items, members)),
    deliver: (id, members = {}, apiKey) =>
      place.call({
        method: 'POST',
        path: deliverPath(id),
        body: { nodeId: 'N1', modifyAssociateId: 'bo', ...members },
        headers: apiKeyOf(apiKey),
      }),
    details: (id, { body, apiKey, path = detailsPath(id) } = {}) =>
      place.call({
        method: 'POST',
        path,
        body: body ?? { storeId: 'S1', nodeId: 'N1', fulfillmentOrderId: id },
        headers: apiKeyOf(apiKey),
      }),
    unlock: (id, members = {}) =>
      place.operator('POST', unlockPath(id), { nodeId: 'N1', modifyAssociateId: 'mara', ...members }),
    stands: (id) =>
      place.store.read(async (db) => {
        const order = await db
          .selectFrom('fulfillment_orders')
          .selectAll()
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', id)
          .executeTakeFirstOrThrow();
        const lines = await db
          .selectFrom('order_lines')
          .selectAll()
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', id)
          .orderBy('line_index')
          .execute();
        return {
          status: order.status,
          queue: order.queue_id,
          revision: order.revision,
          attempts: order.pin_attempts,
          lockedUntil: order.pin_locked_until,
          lines: lines.map((line) => [line.picked, line.handed_over, line.refused, line.refuse_reason]),
        };
      }),
    handOvers: (id) =>
      place.store.read((db) =>
        db
          .selectFrom('hand_overs')
          .selectAll()
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', id)
          .orderBy('position')
          .execute(),
      ) as Promise<unknown> as Promise<Record<string, unknown>[]>,
    events: (id) =>
      place.store.read(async (db) => {
        const rows = await db
          .selectFrom('events')
          .selectAll()
          .where('client_id', '=', 'C1')
          .where('resource_id', '=', id)
          .where('type', '<>', 'order.received')
          .orderBy('revision')
          .execute();
        return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }));
      }),
    setLine: async (id, index, columns) => {
      await place.store.write((tx) =>
        tx
          .updateTable('order_lines')
          .set(columns)
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', id)
          .where('line_index', '=', index)
          .execute(),
      );
    },
    settings: async (settings) => {
      const answer = await place.operator('PUT', '/operator/v1/clients/C1', {
        name: 'First',
        catalogIds: ['1'],
        settings,
      });
      if (answer.status >= 300) throw new Error(answer.text);
    },
  };
}

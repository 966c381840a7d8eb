/** Ship-to-store orders on their way to the store, and helpers that build check-in messages. */

import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import type { Json } from '../../src/platform/json-column.ts';
import { openPlace, type Place, storeOrder } from '../orders/place.ts';
import { breakContacts } from '../packing/slips.ts';
import type { Answer } from '../support/backroom.ts';

/** Two packages: P1 with two units of line 1; P2 with one unit of line 1 and one of line 2. */
export const PACKAGES: OrderIntake['packages'] = [
  { checkInPackageId: 'P1', trackingNumber: 'T1', items: [{ webLineId: '1', quantity: 2 }] },
  {
    checkInPackageId: 'P2',
    trackingNumber: 'T2',
    items: [
      { webLineId: '1', quantity: 1 },
      { webLineId: '2', quantity: 1 },
    ],
  },
];

const ITEM: Record<string, string> = { 1: '1-A', 2: '1-B' };

/** Builds one line of a package: the units that arrived, the units that are canceled, and the reason. */
export function line(webLineId: string, quantity: number, arrived: number, canceled = 0, reason?: string) {
  return {
    itemId: ITEM[webLineId] ?? '1-A',
    webLineId,
    quantity,
    checkInQuantity: arrived,
    checkInCanceledQuantity: canceled,
    ...(reason !== undefined && { checkInCancellationReasonCode: reason }),
  };
}

export function pack(checkInPackageId: string, ...checkInPackageItems: ReturnType<typeof line>[]) {
  return { checkInPackageId, checkInPackageItems };
}

export const DAMAGED = 'STSProductReceivedDamagedInterior';
export const LOST = 'STSPackageNotReceived';

/** Every unit arrived. */
export const ALL = [pack('P1', line('1', 2, 2)), pack('P2', line('1', 1, 1), line('2', 1, 1))];

export function message(fulfillmentOrderId: string, action: string, checkInPackages: unknown, members: object = {}) {
  return {
    modifyAssociateId: 'bo',
    fulfillmentOrder: {
      action,
      storeId: 'S1',
      nodeId: 'N1',
      fulfillmentOrderId,
      ...(action === 'CONFIRM' && { holdLocation: 'A1' }),
      checkInPackages,
      ...members,
    },
  };
}

export interface Dock extends Place {
  arriving: (id: string, members?: Partial<OrderIntake>) => Promise<void>;
  send: (id: string, body: unknown, options?: { apiKey?: string; path?: string }) => Promise<Answer>;
  update: (id: string, packages: unknown, members?: object) => Promise<Answer>;
  confirm: (id: string, packages: unknown, members?: object) => Promise<Answer>;
  read: (id: string, options?: { apiKey?: string; path?: string }) => Promise<Answer>;
  /** Corrupts the stored contacts of an order, so that the service itself fails. */
  breakContacts: (id: string) => Promise<void>;
  breakSettings: (settings: string) => Promise<void>;
  /**
   * Returns status, queue, hold location, SLA step and revision of an order, and its lines as `[ordered, picked,
   * declined, reason]`.
   */
  stands: (id: string) => Promise<Stands>;
  /** Returns types and data of the order's check-in events. */
  events: (id: string) => Promise<{ type: string; data: unknown }[]>;
}

interface Stands {
  status: number;
  queue: string | null;
  hold: string | null;
  sla: string | null;
  revision: number;
  lines: (number | string | null)[][];
}

export const pathOf = (id: string) => `/stores/S1/nodes/N1/fulfillmentOrders/${id}/checkin`;

export async function openDock(): Promise<Dock> {
  const place = await openPlace();
  const send: Dock['send'] = (id, body, { apiKey = place.keys.all, path = pathOf(id) } = {}) =>
    place.call({ method: 'POST', path, body, headers: { apiKey } });
  return {
    ...place,
    send,
    update: (id, packages, members) => send(id, message(id, 'UPDATE', packages, members)),
    confirm: (id, packages, members) => send(id, message(id, 'CONFIRM', packages, members)),
    read: (id, { apiKey = place.keys.all, path = pathOf(id) } = {}) =>
      place.call({ method: 'GET', path, headers: { apiKey } }),
    arriving: async (id, members = {}) => {
      const answer = await place.intake(storeOrder(id, { ...(PACKAGES && { packages: PACKAGES }), ...members }));
      if (answer.status !== 201) throw new Error(answer.text);
    },
    breakContacts: (id) => breakContacts(place, id),
    breakSettings: async (settings) => {
      await place.store.write((tx) =>
        tx
          .updateTable('clients')
          .set({ settings: settings as Json<never> })
          .where('client_id', '=', 'C1')
          .execute(),
      );
    },
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
          hold: order.hold_location,
          sla: order.sla_type,
          revision: order.revision,
          lines: lines.map((one) => [one.ordered, one.picked, one.declined, one.decline_reason]),
        };
      }),
    events: (id) =>
      place.store.read(async (db) => {
        const rows = await db
          .selectFrom('events')
          .selectAll()
          .where('client_id', '=', 'C1')
          .where('resource_id', '=', id)
          .where('type', 'like', 'order.check%')
          .orderBy('event_id')
          .execute();
        return rows.map((row) => ({ type: row.type, data: JSON.parse(row.data) as unknown }));
      }),
  };
}

/** Orders that are packed in boxes, and functions that build package messages. */
import type { PackageUpdate } from '../../src/packing/package-schema.ts';
import type { Answer } from '../support/backroom.ts';
import { FULL, openShop, type Shop } from './slips.ts';

export type Change = Partial<PackageUpdate['packDetails']['packages'][number]> & { action: string };

/** Units by line: `{ L1: 2 }` means two units of line L1. */
export type Units = Record<string, number>;

const ITEM: Record<string, string> = { L1: '1-A', L2: '1-C' };

export const items = (units: Units) =>
  Object.entries(units).map(([webLineId, quantity]) => ({ itemId: ITEM[webLineId] ?? '1-A', webLineId, quantity }));

const MEASURES = {
  boxWeight: { unit: 'LBS', value: 2.5 },
  packingMaterialWeight: { unit: 'LBS', value: 0.25 },
  length: { unit: 'IN', value: 10 },
  height: { unit: 'IN', value: 4 },
  width: { unit: 'IN', value: 8 },
};

/** Returns a package to create, with tracking number `T<boxId>` unless `members` has another one. */
export const create = (boxId: string, units: Units, members: object = {}): Change => ({
  action: 'CREATE',
  boxId,
  trackingNumber: `T${boxId}`,
  ...MEASURES,
  packageItems: items(units),
  ...members,
});
/** Returns a package to create without a tracking number. */
export const untracked = (boxId: string, units: Units): Change => {
  const { trackingNumber: _none, ...rest } = create(boxId, units);
  return rest;
};
export const modify = (boxId: string, members: object): Change => ({ action: 'MODIFY', boxId, ...members });
export const voided = (boxId: string): Change => ({ action: 'VOID', boxId });

export const message = (fulfillmentOrderId: string, packages: unknown, members: object = {}) => ({
  modifyAssociateId: 'bo',
  packDetails: { storeId: 'S1', nodeId: 'N1', fulfillmentOrderId, packages, ...members },
});

interface Stands {
  status: number;
  queue: string | null;
  revision: number;
  /** By line: picked units and handed-over units. */
  lines: [picked: number, handedOver: number][];
  /** Units in packages, by box; a voided package has none. */
  boxes: Record<string, Units>;
}

export interface PackRoom extends Shop {
  /** Creates a SHIP_TO_HOME order with 3 units of L1 and 2 units of L2 picked, unless `picked` has other units. */
  toShip: (id: string, picked?: readonly number[]) => Promise<void>;
  /** Creates an ASSOCIATE_DELIVERY order with the same units picked. */
  toDeliver: (id: string, picked?: readonly number[]) => Promise<void>;
  send: (id: string, body: unknown, options?: { apiKey?: string; path?: string }) => Promise<Answer>;
  /** Sends packages and returns any response. */
  pack: (id: string, packages: readonly Change[], members?: object) => Promise<Answer>;
  /** Sends packages and expects that the service accepts them. */
  packed: (id: string, packages: readonly Change[]) => Promise<void>;
  details: (id: string, options?: { body?: unknown; apiKey?: string; path?: string }) => Promise<Answer>;
  stands: (id: string) => Promise<Stands>;
  events: (id: string) => Promise<{ type: string; revision: number; data: Record<string, unknown> }[]>;
  /** Sets columns of a line directly in the database, without checks. */
  setLine: (id: string, index: number, columns: Record<string, unknown>) => Promise<void>;
}

export const pathOf = (id: string) => `/stores/S1/fulfillmentOrders/${id}/package/update`;
export const detailsPath = (id: string) => `/stores/S1/fulfillmentOrders/${id}/packages?nodeId=N1`;

export async function openPackRoom(): Promise<PackRoom> {
  const shop = await openShop();
  const key = (id: string) => ({ client_id: 'C1', fulfillment_order_id: id });
  const send: PackRoom['send'] = (id, body, { apiKey = shop.keys.all, path = pathOf(id) } = {}) =>
    shop.call({ method: 'PUT', path, body, headers: { apiKey } });
  const pack: PackRoom['pack'] = (id, packages, members) => send(id, message(id, packages, members));
  return {
    ...shop,
    send,
    pack,
    toShip: (id, picked = [3, 2]) => shop.pickedOrder(id, picked, FULL),
    toDeliver: async (id, picked = [3, 2]) => {
      await shop.pickedOrder(id, picked, { ...FULL, fulfillmentType: 'ASSOCIATE_DELIVERY' });
    },
    packed: async (id, packages) => {
      const answer = await pack(id, packages);
      if (answer.status !== 204) throw new Error(`${answer.status} ${answer.text}`);
    },
    details: (id, { body, apiKey = shop.keys.all, path = detailsPath(id) } = {}) =>
      shop.call({
        method: 'POST',
        path,
        body: body ?? { storeId: 'S1', nodeId: 'N1', fulfillmentOrderId: id },
        headers: { apiKey },
      }),
    stands: (id) =>
      shop.store.read(async (db) => {
        const order = await db
          .selectFrom('fulfillment_orders')
          .selectAll()
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', id)
          .executeTakeFirstOrThrow();
        const of = (table: 'order_lines' | 'packages' | 'package_items') =>
          db.selectFrom(table).where('client_id', '=', 'C1').where('fulfillment_order_id', '=', id);
        const lines = (await of('order_lines').selectAll().orderBy('line_index').execute()) as {
          line_index: number;
          web_line_id: string;
          picked: number;
          handed_over: number;
        }[];
        const boxes = (await of('packages').selectAll().orderBy('package_index').execute()) as {
          package_index: number;
          box_id: string;
        }[];
        const inside = (await of('package_items').selectAll().execute()) as {
          package_index: number;
          line_index: number;
          quantity: number;
        }[];
        const unitsIn = (index: number): Units =>
          Object.fromEntries(
            inside
              .filter((item) => item.package_index === index)
              .map((item) => [lines[item.line_index]!.web_line_id, item.quantity]),
          );
        return {
          status: order.status,
          queue: order.queue_id,
          revision: order.revision,
          lines: lines.map((line) => [line.picked, line.handed_over]),
          boxes: Object.fromEntries(boxes.map((box) => [box.box_id, unitsIn(box.package_index)])),
        };
      }),
    events: (id) =>
      shop.store.read(async (db) => {
        const rows = await db
          .selectFrom('events')
          .selectAll()
          .where('client_id', '=', 'C1')
          .where('resource_id', '=', id)
          .where('type', 'in', ['order.packed', 'order.shipped'])
          .orderBy('revision')
          .orderBy('type')
          .execute();
        return rows.map(({ type, revision, data }) => ({
          type,
          revision,
          data: JSON.parse(data) as Record<string, unknown>,
        }));
      }),
    setLine: async (id, index, columns) => {
      const { client_id, fulfillment_order_id } = key(id);
      await shop.store.write((tx) =>
        tx
          .updateTable('order_lines')
          .set(columns)
          .where('client_id', '=', client_id)
          .where('fulfillment_order_id', '=', fulfillment_order_id)
          .where('line_index', '=', index)
          .execute(),
      );
    },
  };
}

/**
 * The small town with orders in every state, and the actions on their units: cancel, decline, decide, bring back,
 * expire.
 */
import { expect } from 'vitest';
import { findRequested } from '../../src/kernel/requests.ts';
import { type OrderState, stateAfter } from '../../src/kernel/states.ts';
import { onHandUnits, openUnits, unitsOf } from '../../src/kernel/units.ts';
import { expireOrder } from '../../src/orders/expire.ts';
import type { FulfillmentOrderRow, OrderLineRow, PickTicketRow } from '../../src/platform/storage/tables.ts';
import type { FulfillmentType } from '../../src/shared/client-settings.ts';
import {
  allFound,
  DEL,
  found,
  ISPU,
  type LineWish,
  type Members,
  openPicking,
  type Picking,
  SFS,
  type Ticket,
} from '../picking/picking.ts';
import type { Answer } from '../support/backroom.ts';

export const BY_CUSTOMER = 'CancelCustomerInitiated';
export const STORE = '/operator/v1/stores/TOWN_US';
export const OTHER_NODE = 'TOWN-DC001';
const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';

const QUEUE: Record<FulfillmentType, string> = {
  STORE_PICK_UP: ISPU,
  SHIP_TO_HOME: SFS,
  SHIP_TO_STORE: ISPU,
  ASSOCIATE_DELIVERY: DEL,
};

export interface Flow extends Picking {
  /** Creates an order of a type with these units of each line. */
  make: (type: FulfillmentType, units?: readonly number[]) => Promise<string>;
  /** Creates an order and picks it or checks it in. `found` has the found units of each line. */
  picked: (type: FulfillmentType, units?: readonly number[], found?: readonly number[]) => Promise<string>;
  /** Creates an order of a type in one of the states of that type. */
  orderIn: (type: FulfillmentType, state: OrderState) => Promise<string>;
  /** Confirms an open ticket. `found` has the found units of each item. */
  pick: (ticket: Ticket, found: readonly number[]) => Promise<Answer>;
  checkIn: (orderId: string, found: readonly number[]) => Promise<Answer>;
  pack: (orderId: string, units: Record<string, number>, boxId?: string, members?: object) => Promise<Answer>;
  cancel: (orderId: string, body?: Members) => Promise<Answer>;
  decline: (orderId: string, units: Record<string, number>, more?: Members) => Promise<Answer>;
  requestsOf: (orderId: string) => Promise<Members[]>;
  answer: (requestId: unknown, body: Members) => Promise<Answer>;
  /** Returns the open reverse tickets of an order. */
  reverse: (orderId: string) => Promise<PickTicketRow[]>;
  /** Confirms a reverse ticket. `found` has the found units of each item; default: all units. */
  bringBack: (ticket: PickTicketRow, found?: readonly number[]) => Promise<Answer>;
  expire: (orderId: string) => Promise<boolean>;
  /**
   * Returns the units of each line: open, held, canceling, canceled, declined, returned, and missing units if a line
   * has any.
   */
  units: (orderId: string) => Promise<number[][]>;
  /** Returns state and queue of an order. */
  stands: (orderId: string) => Promise<[status: number, queue: string | null]>;
  /** Writes handed-over units and the state to the database, without checks. */
  handedOver: (orderId: string, units: readonly number[], status?: OrderState) => Promise<void>;
  /** Fails unless the units add up on every line and match the state of the order. */
  conserved: (orderId: string) => Promise<void>;
  policy: (declinePolicy: string) => Promise<void>;
}

const SKUS = ['SOAP-LAV', 'LAMP-BRS'] as const;

export async function openFlow(options: Parameters<typeof openPicking>[0] = {}): Promise<Flow> {
  const town = await openPicking(options);
  const { client, store } = town;
  const make: Flow['make'] = (type, units = [3, 2]) => {
    const lines = units.map((quantity, index): LineWish => [SKUS[index]!, quantity, 10]);
    const more = { fulfillmentType: type, ...(type === 'SHIP_TO_STORE' && { inStore: true }) };
    return town.order({ ...(type !== 'SHIP_TO_STORE' && { type }), lines, more });
  };
  const pick: Flow['pick'] = (ticket, units) =>
    town.confirm(
      ticket,
      ticket.pickTicketItems.map((item) =>
        found(item, units[SKUS.findIndex((sku) => item.itemDetails.itemId === `21-${sku}`)] ?? 0),
      ),
    );
  const checkIn: Flow['checkIn'] = async (orderId, units) => {
    const lines = await town.lines(orderId);
    return client.post(`/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders/${orderId}/checkin`, {
      modifyAssociateId: 'bo',
      fulfillmentOrder: {
        action: 'CONFIRM',
        storeId: 'TOWN_US',
        nodeId: 'TOWN-Store001',
        fulfillmentOrderId: orderId,
        holdLocation: 'A1',
        checkInPackages: [
          {
            checkInPackageId: '1',
            checkInPackageItems: lines.map((line, index) => ({
              itemId: line.item_id,
              webLineId: line.web_line_id,
              quantity: line.ordered,
              checkInQuantity: units[index]!,
              checkInCanceledQuantity: line.ordered - units[index]!,
              ...(line.ordered > units[index]! && { checkInCancellationReasonCode: 'STSProductNotReceived' }),
            })),
          },
        ],
      },
    });
  };
  const picked: Flow['picked'] = async (type, units = [3, 2], got = units) => {
    const orderId = await make(type, units);
    const answer =
      type === 'SHIP_TO_STORE'
        ? await checkIn(orderId, got)
        : await pick(await town.ticket([orderId], QUEUE[type]), got);
    expect(answer.status, answer.text).toBe(204);
    return orderId;
  };
  const inches = { unit: 'IN', value: 4 };
  const pounds = { unit: 'LBS', value: 1 };
  const pack: Flow['pack'] = async (orderId, units, boxId = '1', members = {}) => {
    const lines = await town.lines(orderId);
    const packageItems = Object.entries(units).map(([webLineId, quantity]) => ({
      itemId: lines.find((line) => line.web_line_id === webLineId)!.item_id,
      webLineId,
      quantity,
    }));
    const measures = {
      boxWeight: pounds,
      packingMaterialWeight: pounds,
      length: inches,
      height: inches,
      width: inches,
    };
    const box = { action: 'CREATE', boxId, trackingNumber: `T${boxId}`, ...measures, packageItems, ...members };
    const packDetails = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrderId: orderId, packages: [box] };
    return client.put(`/stores/TOWN_US/fulfillmentOrders/${orderId}/package/update`, {
      modifyAssociateId: 'bo',
      packDetails,
    });
  };
  const handedOver: Flow['handedOver'] = async (orderId, units, status) => {
    await store.write(async (tx) => {
      for (const [index, handed_over] of units.entries()) {
        await tx
          .updateTable('order_lines')
          .set({ handed_over })
          .where('client_id', '=', 'TOWN')
          .where('fulfillment_order_id', '=', orderId)
          .where('line_index', '=', index)
          .execute();
      }
      if (status === undefined) return;
      await tx
        .updateTable('fulfillment_orders')
        .set({ status, queue_id: null, sla_type: null, sla_at: null })
        .where('client_id', '=', 'TOWN')
        .where('fulfillment_order_id', '=', orderId)
        .execute();
    });
  };
  /** Creates an order that is held until the street date of the soap, then removes the street date from the item. */
  const held = async (type: FulfillmentType) => {
    const path = '/operator/v1/clients/TOWN';
    const { body } = await town.operator('GET', path);
    const soap = (streetDate: string) =>
      client.put('/item-service/clients/TOWN/items/21-SOAP-LAV?merge=true', { streetDate });
    await town.operator('PUT', path, { ...body, settings: { ...body.settings, streetDate: 'HOLD' } });
    await soap('2099-01-01');
    const orderId = await make(type);
    await soap('');
    await town.operator('PUT', path, body);
    return orderId;
  };
  const cancel: Flow['cancel'] = (orderId, body = {}) =>
    client.post(`${STORE}/fulfillmentOrders/${orderId}/cancel`, { reasonCode: BY_CUSTOMER, ...body });
  const requestsOf: Flow['requestsOf'] = async (orderId) => {
    const all = (await client.get(`${STORE}/resourceRequests?limit=500`)).body as { resourceRequests: Members[] };
    return all.resourceRequests.filter((one) => one['fulfillmentOrderId'] === orderId);
  };
  const answer: Flow['answer'] = (requestId, body) =>
    client.post(`${STORE}/resourceRequests/${String(requestId)}/answer`, body);
  const orderIn: Flow['orderIn'] = async (type, state) => {
    switch (state) {
      case 1000:
        return held(type);
      case 1100:
      case 1300:
        return make(type);
      case 1150: {
        const orderId = await make(type);
        await town.ticket([orderId], QUEUE[type]);
        return orderId;
      }
      case 1200:
      case 1400:
        return picked(type);
      case 9000:
      case 9100:
        return picked(type, [3, 2], [0, 0]);
      case 3800:
      case 3900: {
        const orderId = await picked(type);
        await handedOver(orderId, [3, 2], state);
        return orderId;
      }
      case 8000: {
        const orderId = await picked(type);
        expect((await cancel(orderId)).status).toBe(200);
        return orderId;
      }
      case 9200: {
        const orderId = await picked(type, [3, 2], [0, 0]);
        const [request] = await requestsOf(orderId);
        const to = { nodeId: OTHER_NODE, fulfillmentOrderId: `${orderId}-again` };
        expect((await answer(request!['requestId'], { outcome: 'RESOURCE', ...to })).status).toBe(200);
        return orderId;
      }
      default: {
        const orderId = await picked(type);
        const packed = await pack(orderId, { 1: 3, 2: 2 });
        expect(packed.status, packed.text).toBe(204);
        return orderId;
      }
    }
  };
  const findReverse = async (orderId: string) => {
    const rows = await store.read((db) =>
      db
        .selectFrom('pick_tickets as ticket')
        .innerJoin('pick_ticket_lines as line', (join) =>
          join
            .onRef('line.client_id', '=', 'ticket.client_id')
            .onRef('line.pick_ticket_id', '=', 'ticket.pick_ticket_id'),
        )
        .selectAll('ticket')
        .where('ticket.client_id', '=', 'TOWN')
        .where('line.fulfillment_order_id', '=', orderId)
        .where('ticket.pick_ticket_type', '=', 'REVERSE_PICK_TICKET')
        .where('ticket.status', '<>', 'CLOSED')
        .orderBy('ticket.pick_ticket_id')
        .execute(),
    );
    return [...new Map(rows.map((row) => [row.pick_ticket_id, row])).values()] as PickTicketRow[];
  };
  /** Checks that every response that shows the units to hand over has the same number of units. */
  const totalsAgree = async (order: FulfillmentOrderRow, lines: readonly OrderLineRow[]) => {
    const orderId = order.fulfillment_order_id;
    const where = { storeId: 'TOWN_US', nodeId: order.node_id };
    const node = `/stores/TOWN_US/nodes/${order.node_id}`;
    const sum = (all: readonly Members[], member: string) => all.reduce((total, one) => total + Number(one[member]), 0);
    const { body: read } = await client.get(`${STORE}/fulfillmentOrders/${orderId}`);
    const left = lines.map((line) => openUnits(line) + onHandUnits(line) - line.canceling);
    expect((read['lines'] as Members[]).map((line) => line['leftQuantity'])).toEqual(left);
    const total = left.reduce((all, one) => all + one, 0);
    if (order.queue_id !== null) {
      const path = `${node}/fulfillmentOrders?queueId=${order.queue_id}`;
      const filter = { ...where, queueId: order.queue_id, fulfillmentOrderId: orderId };
      const { body } = await client.post(path, filter);
      const items = left.filter((one) => one > 0).length;
      expect(body['fulfillmentOrders']).toMatchObject([{ totalQuantity: `${total}`, totalNoOfItems: `${items}` }]);
    }
    if ([1400, 8000].includes(order.status) && ['STORE_PICK_UP', 'SHIP_TO_STORE'].includes(order.fulfillment_type)) {
      const { body } = await client.post(`${node}/customerPickUps/${orderId}`, {
        ...where,
        fulfillmentOrderId: orderId,
      });
      const details = body['customerPickUpDetails'] as Members;
      expect(details['totalCustomerPickQuantity']).toBe(total);
      expect(sum(details['customerPickUpItems'] as Members[], 'toPickQuantity')).toBe(total);
    }
    if (
      [1200, 1500, 8000].includes(order.status) &&
      ['SHIP_TO_HOME', 'ASSOCIATE_DELIVERY'].includes(order.fulfillment_type)
    ) {
      const path = `/stores/TOWN_US/fulfillmentOrders/${orderId}/packages?nodeId=${order.node_id}`;
      const { body } = await client.post(path, { ...where, fulfillmentOrderId: orderId });
      const [detail] = body['packDetail'] as [Members];
      const packs = detail['packLines'] as Members[];
      expect(sum(packs, 'wantedQuantity')).toBe(
        total + (order.status === 1500 ? sum(read['lines'] as Members[], 'handedOverQuantity') : 0),
      );
      expect(sum(packs, 'packedQuantity') + sum(packs, 'toPackQuantity')).toBe(sum(packs, 'wantedQuantity'));
    }
  };
  const unitsIn = (line: OrderLineRow) => [
    openUnits(line),
    onHandUnits(line),
    line.canceling,
    line.canceled,
    line.declined,
    line.returned,
    ...(line.missing > 0 ? [line.missing] : []),
  ];
  return {
    ...town,
    make,
    picked,
    orderIn,
    pick,
    checkIn,
    pack,
    handedOver,
    cancel,
    decline: (orderId, units, more = {}) =>
      client.post(`${STORE}/fulfillmentOrders/${orderId}/decline`, {
        nodeId: 'TOWN-Store001',
        modifyAssociateId: 'bo',
        lines: Object.entries(units).map(([webLineId, quantity]) => ({
          webLineId,
          quantity,
          reasonCode: 'CancelInventoryDiscrepancy',
        })),
        ...more,
      }),
    requestsOf,
    answer,
    reverse: findReverse,
    bringBack: async (ticket, got) => {
      const items = await store.read((db) =>
        db
          .selectFrom('pick_ticket_items')
          .selectAll()
          .where('client_id', '=', 'TOWN')
          .where('pick_ticket_id', '=', ticket.pick_ticket_id)
          .orderBy('id')
          .execute(),
      );
      const rows = items.map((item) => ({
        id: item.id,
        itemDetails: { itemId: item.item_id },
        quantity: item.quantity,
      }));
      const asTicket = { pickTicketId: ticket.pick_ticket_id, holdLocation: 'SHELF', pickTicketItems: rows };
      const answers = got === undefined ? allFound(asTicket) : rows.map((item, index) => found(item, got[index]!));
      return town.confirm(asTicket, answers);
    },
    expire: (orderId) =>
      store.write((db) => expireOrder(systemCtx(town, db), { client_id: 'TOWN', fulfillment_order_id: orderId })),
    units: async (orderId) => (await town.lines(orderId)).map(unitsIn),
    stands: async (orderId) => {
      const { status, queue_id: queue } = await town.row(orderId);
      return [status, queue];
    },
    conserved: async (orderId) => {
      const order: FulfillmentOrderRow = await town.row(orderId);
      const lines = await town.lines(orderId);
      for (const line of lines) {
        const { ordered, picked: taken, declined, canceled, canceling, handed_over, refused, returned, missing } = line;
        expect(openUnits(line) + taken + declined + canceled).toBe(ordered);
        expect(onHandUnits(line) + handed_over + refused + returned + missing).toBe(taken);
        expect([openUnits(line), onHandUnits(line)].every((one) => one >= 0)).toBe(true);
        expect(canceling).toBeLessThanOrEqual(openUnits(line) + onHandUnits(line));
      }
      const units = unitsOf(lines, await store.read((db) => findRequested(db, order, lines)));
      const type = order.fulfillment_type as FulfillmentType;
      const state = order.status as OrderState;
      expect(state === 1150 ? 1100 : state, JSON.stringify(units)).toBe(stateAfter(type, state, units));
      expect(order.queue_id === 'WAITING_FOR_REVERSE_PICK').toBe(state === 8000);
      const waiting = (await findReverse(orderId)).reduce((sum, ticket) => sum + ticket.total_quantity, 0);
      if (units.open === 0) expect(waiting).toBe(units.canceling);
      await totalsAgree(order, lines);
    },
    policy: async (declinePolicy) => {
      const node = await town.operator('GET', NODE);
      const put = await town.operator('PUT', NODE, { ...(node.body as Members), declinePolicy });
      expect(put.status, put.text).toBe(200);
    },
  };
}

/** Returns the context that the scheduler gives to a task in the transaction `db`. */
export function systemCtx(town: Picking, db: Parameters<Parameters<Picking['store']['write']>[0]>[0]) {
  return {
    ...town.ports,
    db,
    dialect: town.store.dialect,
    actor: { kind: 'system' as const, id: 'system' },
    requestId: 'expiry',
    now: town.clock.now,
    onCommit: () => {},
  } as unknown as Parameters<typeof expireOrder>[0];
}

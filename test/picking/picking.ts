/** The small town with functions for tests of pick tickets: orders with any lines, tickets, and reads of the rows. */
import type { FulfillmentOrderRow, OrderLineRow, PickTicketRow } from '../../src/platform/storage/tables.ts';
import { formatDateTime } from '../../src/platform/time.ts';
import type { Answer } from '../support/backroom.ts';
import { type OpenTown, openTown } from '../support/town.ts';

export const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
export const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
export const GENERATE = `${NODE}/pickTicket/generate`;
export const UPDATE = `${NODE}/pickTicket/update`;
export const ISPU = 'WAITING_FOR_PICK_ISPU';
export const SFS = 'WAITING_FOR_PICK_SFS';
export const DEL = 'WAITING_FOR_PICK_DEL';
export const REASON = 'CancelMXOutOfStock';

export type Members = Record<string, unknown>;

/** A line: `[clientItemId, quantity, unitPrice]`. */
export type LineWish = readonly [sku: string, quantity: number, unitPrice?: unknown];

export interface OrderWish {
  type?: 'STORE_PICK_UP' | 'SHIP_TO_HOME' | 'ASSOCIATE_DELIVERY';
  lines: readonly LineWish[];
  /** Minutes between the order date and now; default 0. */
  ago?: number;
  storeId?: string;
  more?: Members;
}

export interface TicketItem {
  id: number;
  itemDetails: { itemId: string };
  quantity: number;
}

export interface Ticket {
  pickTicketId: string;
  holdLocation: string;
  pickTicketItems: TicketItem[];
  [member: string]: unknown;
}

export interface Picking extends OpenTown {
  /** Creates an order at the clock's time; returns its id. */
  order: (wish: OrderWish) => Promise<string>;
  generate: (fulfillmentOrderIds: unknown, more?: Members) => Promise<Answer>;
  /** Generates a ticket for these orders of a queue. */
  ticket: (orderIds: string[], queueId?: string) => Promise<Ticket>;
  update: (details: unknown, more?: Members) => Promise<Answer>;
  confirm: (ticket: Ticket, items?: Members[], more?: Members) => Promise<Answer>;
  reset: (ticket: Ticket, more?: Members) => Promise<Answer>;
  row: (orderId: string) => Promise<FulfillmentOrderRow>;
  rows: () => Promise<FulfillmentOrderRow[]>;
  lines: (orderId: string) => Promise<OrderLineRow[]>;
  ticketRow: (pickTicketId: string) => Promise<PickTicketRow>;
  /** Returns type, revision and data of each event of a resource, in order. */
  events: (type: string, resourceId: string) => Promise<{ type: string; revision: number; data: Members }[]>;
}

export async function openPicking(options: Parameters<typeof openTown>[0] = {}): Promise<Picking> {
  const town = await openTown(options);
  const { client, store } = town;
  // The time is 11:00 at the node, within its opening hours.
  town.clock.now += 4 * 3_600_000;
  let count = 0;
  const order = async (wish: OrderWish) => {
    const fulfillmentOrderId = `P${String(++count).padStart(5, '0')}`;
    const body = orderBody(fulfillmentOrderId, wish, town.clock.now);
    const answer = await client.post(`/operator/v1/stores/${wish.storeId ?? 'TOWN_US'}/fulfillmentOrders`, body);
    if (answer.status !== 201) throw new Error(`the order was rejected: ${answer.text}`);
    return fulfillmentOrderId;
  };
  const generate: Picking['generate'] = (fulfillmentOrderIds, more = {}) =>
    client.post(GENERATE, generateBody(fulfillmentOrderIds, more));
  const update: Picking['update'] = (pickTicketDetails, more = {}) =>
    client.put(UPDATE, { modifyAssociateId: 'associate', pickTicketDetails, ...more });
  const common = (ticket: Ticket) => ({ pickTicketId: ticket.pickTicketId, ...WHERE, userId: 'picker' });
  return {
    ...town,
    order,
    generate,
    update,
    async ticket(orderIds, queueId = ISPU) {
      const answer = await generate(orderIds, { queueId });
      if (answer.status !== 201) throw new Error(`the ticket was rejected: ${answer.text}`);
      return (answer.body as { pickTicketDetails: [Ticket] }).pickTicketDetails[0];
    },
    confirm: (ticket, items = allFound(ticket), more = {}) =>
      update({
        ...common(ticket),
        action: 'CONFIRM',
        holdLocation: ticket.holdLocation,
        pickTicketItems: items,
        ...more,
      }),
    reset: (ticket, more = {}) => update({ ...common(ticket), action: 'RESET', ...more }),
    row: (orderId) =>
      store.read((db) =>
        db
          .selectFrom('fulfillment_orders')
          .selectAll()
          .where('client_id', '=', 'TOWN')
          .where('fulfillment_order_id', '=', orderId)
          .executeTakeFirstOrThrow(),
      ),
    rows: () =>
      store.read((db) =>
        db.selectFrom('fulfillment_orders').selectAll().orderBy('client_id').orderBy('fulfillment_order_id').execute(),
      ),
    lines: (orderId) =>
      store.read((db) =>
        db
          .selectFrom('order_lines')
          .selectAll()
          .where('client_id', '=', 'TOWN')
          .where('fulfillment_order_id', '=', orderId)
          .orderBy('line_index')
          .execute(),
      ),
    ticketRow: (pickTicketId) =>
      store.read((db) =>
        db
          .selectFrom('pick_tickets')
          .selectAll()
          .where('client_id', '=', 'TOWN')
          .where('pick_ticket_id', '=', pickTicketId)
          .executeTakeFirstOrThrow(),
      ),
    events: async (type, resourceId) => {
      const rows = await store.read((db) =>
        db
          .selectFrom('events')
          .selectAll()
          .where('client_id', '=', 'TOWN')
          .where('resource_type', '=', type)
          .where('resource_id', '=', resourceId)
          .orderBy('event_id')
          .execute(),
      );
      return rows.map((row) => ({ type: row.type, revision: row.revision, data: JSON.parse(row.data) as Members }));
    },
  };
}

export function generateBody(fulfillmentOrderIds: unknown, more: Members = {}): Members {
  return { ...WHERE, queueId: ISPU, userId: 'picker', fulfillmentOrderIds, modifyAssociateId: 'associate', ...more };
}

/** Returns the items of a CONFIRM that picks every unit of a ticket. */
export function allFound(ticket: Ticket): Members[] {
  return ticket.pickTicketItems.map((item) => found(item, item.quantity));
}

/** Returns an item of a CONFIRM that picks these units of the item and declines the other units. */
export function found(item: TicketItem, units: number): Members {
  return {
    id: item.id,
    itemId: item.itemDetails.itemId,
    pickedQuantity: units,
    canceledQuantity: item.quantity - units,
    ...(units < item.quantity && { cancellationReasonCode: REASON }),
  };
}

/** Returns the errors of a rejected request as `pointer rule`, sorted. */
export function faultsOf(answer: Answer): string[] {
  const errors = (answer.body as { errors: { pointer: string; rule: string }[] }).errors;
  return errors.map(({ pointer, rule }) => `${pointer} ${rule}`).sort();
}

/** Returns a copy of the object without one field. */
export function without(value: Members, member: string): Members {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== member));
}

export function orderBody(fulfillmentOrderId: string, wish: OrderWish, now: number): Members {
  const type = wish.type ?? 'STORE_PICK_UP';
  const place = {
    destinationId: 'home',
    destinationType: 'SHIPPING_ADDRESS',
    personName: { firstName: 'Pat', lastName: 'Kim' },
    address: {
      line1: '1 Pier',
      city: 'Newport',
      mainDivisionCode: 'RI',
      postalCode: '02840',
      countryCode: 'US',
    },
    phone: '+1 401 555 0199',
    email: 'pat@mail.example',
  };
  return {
    fulfillmentOrderId,
    omsOrderId: `OMS-${fulfillmentOrderId}`,
    webOrderId: `WEB-${fulfillmentOrderId}`,
    nodeId: 'TOWN-Store001',
    fulfillmentType: type,
    orderDate: formatDateTime(now - (wish.ago ?? 0) * 60_000),
    currency: 'USD',
    carrier: type === 'SHIP_TO_HOME' ? 'UPS' : '',
    service: type === 'SHIP_TO_HOME' ? 'GROUND' : '',
    customer: { name: 'Pat Kim', email: 'pat@mail.example', phone: '+1 401 555 0199' },
    destinations: [place],
    billToAddress: { destinationId: 'home' },
    shippingAddress: { destinationId: 'home' },
    lines: wish.lines.map(([sku, quantity, unitPrice = 5], index) => ({
      webLineId: String(index + 1),
      itemId: `21-${sku}`,
      quantity,
      unitPrice,
    })),
    ...wish.more,
  };
}

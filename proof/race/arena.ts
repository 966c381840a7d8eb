/**
 * The service for contests, with 400 orders that wait for the pick, and functions that check the outcome of contests.
 */
import { sql } from 'kysely';
import type { Store } from '../../src/platform/storage/db.ts';
import { formatDateTime } from '../../src/platform/time.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { type Answer, clientHeaders } from '../../town/call.ts';
import * as tickets from '../../town/tickets.ts';
import type { Work } from '../campaign.ts';
import { NOON, openService, type Service, type ServiceOptions } from '../service.ts';
import { GOODS_RULES, untoldLevels } from '../support/goods-rules.ts';

export const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
export const NODE = `/stores/${WHERE.storeId}/nodes/${WHERE.nodeId}`;
export const ISPU = 'WAITING_FOR_PICK_ISPU';
const INTAKE = `/operator/v1/stores/${WHERE.storeId}/fulfillmentOrders`;
const POOL = 400;
const ORDERS_A_CALL = 50;
/** Number of attempts for a call. On a busy machine the service may respond with 503. */
const TRIES = 5;

export interface Arena {
  service: Service;
  random: () => number;
  /** The 400 orders, or an empty list. Each contest returns the orders to their first state. */
  orders: readonly string[];
  fail: (what: string) => void;
  /** Returns a random whole number from 0 to `below - 1`. */
  whole: (below: number) => number;
  /** Returns a name that no other contest of the arena uses. */
  name: () => string;
  /** Creates pick-up orders, each with these units of a mug and a tee. Returns their ids. */
  place: (count: number, units?: readonly number[], more?: Record<string, unknown>) => Promise<string[]>;
}

export async function openArena(
  work: Work,
  workers: NonNullable<ServiceOptions['workers']>,
  wrap?: (store: Store) => Store,
  pool = POOL,
): Promise<Arena> {
  const service = await openService(work, { upTo: 'catalog', listen: true, workers, ...(wrap && { wrap }) });
  let names = 0;
  const name = () => `R${++names}`;
  const place: Arena['place'] = async (count, units = [1, 1], more = {}) => {
    const bodies = Array.from({ length: count }, () => orderBody(name(), units, more));
    for (let first = 0; first < count; first += ORDERS_A_CALL) {
      await placed(service, bodies.slice(first, first + ORDERS_A_CALL));
    }
    return bodies.map(({ fulfillmentOrderId }) => fulfillmentOrderId);
  };
  const whole = (below: number) => Math.floor(work.random() * below);
  const orders = await place(pool);
  return { service, random: work.random, orders, fail: work.fail, whole, name, place };
}

async function placed(service: Service, bodies: readonly object[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const answer = await service.client('POST', INTAKE, bodies);
    if (answer.status === 503 && tries < TRIES) continue;
    // A 200 to a retry means that an earlier attempt stored the order, but its response was lost.
    if (answer.status !== 200) must(answer, 201);
    return;
  }
}

/** Returns the message of a new order with `units` of a mug (line 1) and a tee (line 2). */
export function orderBody(fulfillmentOrderId: string, units: readonly number[], more: Record<string, unknown>) {
  const at = formatDateTime(NOON - 3_600_000);
  const person = { name: 'Ada Lovelace', email: 'ada@mail.example', phone: '+1 401 555 0101' };
  const address = {
    line1: '12 Engine Row',
    city: 'Newport',
    mainDivisionCode: 'RI',
    postalCode: '02840',
    countryCode: 'US',
  };
  const home = {
    destinationId: 'home',
    destinationType: 'MAILING_ADDRESS',
    personName: { firstName: 'Ada', lastName: 'Lovelace' },
    address,
    phone: person.phone,
    email: person.email,
  };
  return {
    fulfillmentOrderId,
    omsOrderId: `oms-${fulfillmentOrderId}`,
    webOrderId: `web-${fulfillmentOrderId}`,
    nodeId: WHERE.nodeId,
    fulfillmentType: 'STORE_PICK_UP',
    orderDate: at,
    fulfillmentOrderDate: at,
    currency: 'USD',
    carrier: '',
    service: '',
    customer: person,
    destinations: [home],
    billToAddress: { destinationId: 'home' },
    shippingAddress: { destinationId: 'home' },
    lines: units.map((quantity, index) => ({
      webLineId: String(index + 1),
      itemId: index === 0 ? '21-MUG-WHT' : '21-TEE-RED-M',
      quantity,
      unitPrice: 9.5,
    })),
    ...more,
  };
}

export function generateBody(fulfillmentOrderIds: readonly string[], userId: string) {
  return tickets.generateBody(WHERE, ISPU, fulfillmentOrderIds, userId);
}

export interface Ticket extends tickets.Ticket {
  userId: string;
  pickTicketDate: string;
}

export function ticketOf(answer: Answer): Ticket {
  return tickets.ticketIn<Ticket>(answer.body);
}

export function resetBody(pickTicketId: string, userId: string) {
  return tickets.resetBody(WHERE, pickTicketId, userId);
}

/** Returns a CONFIRM with the found units of each item. The other units of the ticket are in `canceledQuantity`. */
export function confirmBody(ticket: Ticket, found: (quantity: number) => number, userId: string) {
  return tickets.confirmBody(WHERE, ticket, userId, ({ quantity }) => found(quantity));
}

/** Returns the response. @throws Error if the response has another status. The contest then counts as failed. */
export function must(answer: Answer, status: number): Answer {
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status}: ${answer.text.slice(0, 500)}`);
  return answer;
}

export function inShort(answer: Answer): string {
  return `${answer.status} ${answer.text.slice(0, 160)}`;
}

/** Returns a random part of a list, in random order. */
export function sample<T>({ whole }: Pick<Arena, 'whole'>, list: readonly T[], size: number): T[] {
  const rest = [...list];
  return Array.from({ length: Math.min(size, rest.length) }, () => rest.splice(whole(rest.length), 1)[0]!);
}

/** Returns the headers with the town's credential, for requests that are written to a socket. */
export function headersOf(service: Service): Record<string, string> {
  return clientHeaders(service.town.credential);
}

/**
 * Searches the whole database for states that a contest must never produce. Returns a sentence for each kind of damage.
 */
export async function damage(store: Store): Promise<string[]> {
  const found: string[] = [];
  for (const [what, query] of Object.entries(NEVER)) {
    const { rows } = await store.read((db) => query.execute(db));
    if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  const broken = (await ruleFindings(store)).filter(({ ok }) => !ok);
  found.push(...broken.map(({ check, found: what }) => `${check}: ${what}`), ...(await store.read(untoldLevels)));
  return found;
}

const NEVER = {
  ...GOODS_RULES,
  'an order is on two open tickets': sql`
    select * from (
      select l.client_id, l.fulfillment_order_id, count(distinct l.pick_ticket_id) as tickets
      from pick_tickets t
      join pick_ticket_lines l on l.client_id = t.client_id and l.pick_ticket_id = t.pick_ticket_id
      where t.status <> 'CLOSED' and t.pick_ticket_type = 'PICK_TICKET'
      group by l.client_id, l.fulfillment_order_id
    ) o where tickets > 1`,
  'an order is being picked on a ticket that is closed or is not for it': sql`
    select o.fulfillment_order_id, o.pick_ticket_id from fulfillment_orders o
    where o.status = 1150 and not exists (
      select 1 from pick_tickets t
      join pick_ticket_lines l on l.client_id = t.client_id and l.pick_ticket_id = t.pick_ticket_id
      where t.client_id = o.client_id and t.pick_ticket_id = o.pick_ticket_id and t.status <> 'CLOSED'
        and l.fulfillment_order_id = o.fulfillment_order_id)`,
  'an open ticket is for an order that is not on it': sql`
    select t.pick_ticket_id, l.fulfillment_order_id from pick_tickets t
    join pick_ticket_lines l on l.client_id = t.client_id and l.pick_ticket_id = t.pick_ticket_id
    join fulfillment_orders o on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
    where t.status <> 'CLOSED' and t.pick_ticket_type = 'PICK_TICKET' and (o.status <> 1150 or o.pick_ticket_id <> t.pick_ticket_id)`,
  'units are lost or doubled on a line that was picked or checked in': sql`
    select l.fulfillment_order_id, l.line_index, l.ordered, l.picked, l.declined, l.canceled from order_lines l
    join fulfillment_orders o on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
    where (o.status in (1100, 1150, 1300) and l.picked + l.declined <> 0)
      or (o.status in (1200, 1400, 1500, 3700, 3800, 3900, 8000, 9000, 9100, 9200) and l.picked + l.declined + l.canceled <> l.ordered)`,
  'a line has other units than its confirmed tickets gave it': sql`
    select * from (
      select l.fulfillment_order_id, l.line_index, l.picked, l.declined, l.canceled, sum(c.picked) as given, sum(c.canceled) as missed
      from order_lines l
      join pick_ticket_lines c on c.client_id = l.client_id and c.fulfillment_order_id = l.fulfillment_order_id
        and c.line_index = l.line_index
      join pick_tickets t on t.client_id = c.client_id and t.pick_ticket_id = c.pick_ticket_id
      where t.outcome = 'CONFIRMED' and t.pick_ticket_type = 'PICK_TICKET'
      group by l.client_id, l.fulfillment_order_id, l.line_index, l.picked, l.declined, l.canceled
    ) line where picked <> given or missed < declined or missed > declined + canceled`,
  'a ticket item has other units than its lines': sql`
    select * from (
      select i.pick_ticket_id, i.id, i.quantity, i.picked, sum(l.quantity) as wanted, sum(l.picked) as given from pick_ticket_items i
      join pick_ticket_lines l on l.client_id = i.client_id and l.pick_ticket_id = i.pick_ticket_id and l.id = i.id
      group by i.client_id, i.pick_ticket_id, i.id, i.quantity, i.picked
    ) item where quantity <> wanted or coalesce(picked, 0) <> coalesce(given, 0)`,
  'a line of a checked-in order has other units than its packages': sql`
    select * from (
      select l.fulfillment_order_id, l.line_index, l.picked, l.declined, sum(p.checked_in) as came, sum(p.canceled) as missed
      from order_lines l
      join fulfillment_orders o on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
      join checkin_package_items p on p.client_id = l.client_id and p.fulfillment_order_id = l.fulfillment_order_id
        and p.line_index = l.line_index
      where o.fulfillment_type = 'SHIP_TO_STORE' and o.status >= 1400
      group by l.client_id, l.fulfillment_order_id, l.line_index, l.picked, l.declined
    ) line where picked <> coalesce(came, 0) or declined <> coalesce(missed, 0)`,
  'units are both with the customer and canceled, or more were brought back than were canceled': sql`
    select l.fulfillment_order_id, l.line_index from order_lines l
    join fulfillment_orders o on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
    where l.handed_over + l.refused + l.returned + l.missing > l.picked
      or (o.status in (1200, 1400, 1500, 3700, 3800, 3900, 8000)
        and l.canceling > l.picked - l.handed_over - l.refused - l.returned - l.missing)
      or (o.status in (9000, 9200) and l.handed_over + l.canceling > 0)
      or (o.status = 8000 and l.handed_over > 0)`,
  'more units are in packages than are for the customer': sql`
    select * from (
      select l.fulfillment_order_id, l.line_index, l.picked - l.refused - l.returned - l.missing - l.canceling as wanted,
        sum(p.quantity) as packed
      from order_lines l
      join package_items p on p.client_id = l.client_id and p.fulfillment_order_id = l.fulfillment_order_id
        and p.line_index = l.line_index
      group by l.client_id, l.fulfillment_order_id, l.line_index, l.picked, l.refused, l.returned, l.missing, l.canceling
    ) line where packed > wanted`,
  'an order was re-sourced more than once': sql`
    select made.resourced_from from (
      select client_id, resourced_from, count(*) as orders from fulfillment_orders where resourced_from is not null group by 1, 2
    ) made
    left join (
      select client_id, fulfillment_order_id, count(*) as answers from resource_requests where status = 'RESOURCED' group by 1, 2
    ) r on r.client_id = made.client_id and r.fulfillment_order_id = made.resourced_from
    where made.orders > coalesce(r.answers, 0)`,
  'an inbound shipment has other lines than its counts': sql`
    select * from (
      select s.type, s.number, s.total_lines, s.total_units, count(l.line_index) as lines, sum(l.quantity) as units
      from inbound_shipments s
      left join inbound_lines l on l.client_id = s.client_id and l.seller_id = s.seller_id
        and l.type = s.type and l.number = s.number
      group by s.client_id, s.seller_id, s.type, s.number, s.total_lines, s.total_units
    ) shipment where lines <> total_lines or coalesce(units, 0) <> total_units`,
  'two events record the same step of one thing': sql`
    select resource_type, resource_id, revision from events e where revision > 0 and type not in ('order.shipped', 'inbound.cartonRepeated', 'inbound.completed', 'exchange.requested')
      and not (resource_type = 'inbound' and exists (select 1 from events v where v.client_id = e.client_id
        and v.resource_type = 'inbound' and v.resource_id = e.resource_id and v.type = 'inbound.voided'))
      and not (type = 'order.canceled' and exists (select 1 from events r where r.client_id = e.client_id
        and r.resource_id = e.resource_id and r.revision = e.revision and r.type = 'order.pickReset'))
      and not (type = 'return.closed' and exists (select 1 from events r where r.client_id = e.client_id
        and r.resource_id = e.resource_id and r.revision = e.revision and r.type = 'return.received'))
    group by client_id, resource_type, resource_id, revision having count(*) > 1`,
};

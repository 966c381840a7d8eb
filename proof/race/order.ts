/** Actions on one order over HTTP, and reads of the order that check its units each time. */
import { type RawBuilder, sql } from 'kysely';
import { type Arena, confirmBody, generateBody, ISPU, must, NODE, type Ticket, ticketOf, WHERE } from './arena.ts';

export const GENERATE = `${NODE}/pickTicket/generate`;
export const UPDATE = `${NODE}/pickTicket/update`;

/** Fields with numbers of units in a line of the order's response. */
const COUNTS = [
  'orderedQuantity',
  'openQuantity',
  'pickedQuantity',
  'heldQuantity',
  'declinedQuantity',
  'canceledQuantity',
  'cancelingQuantity',
  'handedOverQuantity',
  'refusedQuantity',
  'returnedQuantity',
  'missingQuantity',
  'leftQuantity',
] as const;
type Count = (typeof COUNTS)[number];
type Line = Record<Count, number>;

export interface OrderShown {
  fulfillmentOrderId: string;
  status: string;
  pickTicketId?: string;
  resourcedFrom?: string;
  lines: Line[];
  packages?: { boxId: string; packageItems: { webLineId: string; quantity: number }[] }[];
}

/** Returns the path of the operations on an order. */
export function pathOf(id: string): string {
  return `/operator/v1/stores/${WHERE.storeId}/fulfillmentOrders/${id}`;
}

/** Reads an order and checks that none of its units is lost or in two places. */
export async function readOrder({ service, fail }: Arena, id: string): Promise<OrderShown> {
  const order = must(await service.client('GET', pathOf(id)), 200).body as OrderShown;
  for (const line of order.lines) if (!isConserved(line)) fail(`units of ${inUnits(order)} are lost or doubled`);
  return order;
}

function isConserved(line: Line): boolean {
  const ordered = line.openQuantity + line.pickedQuantity + line.declinedQuantity + line.canceledQuantity;
  const gone = line.handedOverQuantity + line.refusedQuantity + line.returnedQuantity + line.missingQuantity;
  const picked = line.heldQuantity + gone;
  return (
    COUNTS.every((name) => line[name] >= 0) &&
    line.orderedQuantity === ordered &&
    line.pickedQuantity === picked &&
    line.leftQuantity === line.openQuantity + line.heldQuantity - line.cancelingQuantity
  );
}

/** Returns the number of units in the field `name` of each line. */
export function unitsIn(order: OrderShown, name: Count): number[] {
  return order.lines.map((line) => line[name]);
}

export function inUnits({ fulfillmentOrderId, status, pickTicketId, lines }: OrderShown): string {
  const units = lines.map((line) =>
    COUNTS.flatMap((name) => (line[name] > 0 ? `${name} ${line[name]}` : [])).join(' '),
  );
  return `order ${fulfillmentOrderId} (${status}, ticket ${pickTicketId}; ${units.join('; ')})`;
}

/** Picks an order. `found` returns the found units of each item; the other units are declined. */
export async function pick(
  { service }: Arena,
  id: string,
  found: (quantity: number) => number = (quantity) => quantity,
  queueId = ISPU,
): Promise<void> {
  const made = await service.client('POST', GENERATE, { ...generateBody([id], 'ana'), queueId });
  must(await service.client('PUT', UPDATE, confirmBody(ticketOf(must(made, 201)), found, 'ana')), 204);
}

/** Confirms the open reverse pick tickets of an order, so that their units are back on the shelf. */
export async function bringBack(arena: Arena, id: string): Promise<void> {
  const { service } = arena;
  const tickets = await rowsOf<{ ticket: string }>(
    arena,
    sql`select distinct t.pick_ticket_id as ticket from pick_tickets t
      join pick_ticket_lines l on l.client_id = t.client_id and l.pick_ticket_id = t.pick_ticket_id
      where t.client_id = 'TOWN' and l.fulfillment_order_id = ${id} and t.status <> 'CLOSED'
        and t.pick_ticket_type = 'REVERSE_PICK_TICKET'`,
  );
  for (const { ticket: pickTicketId } of tickets) {
    const body = { ...WHERE, pickTicketId, userId: 'ana' };
    const opened = must(await service.client('POST', `${NODE}/pickTickets/${pickTicketId}`, body), 200);
    const { pickTicketDetails } = opened.body as { pickTicketDetails: Ticket };
    must(
      await service.client(
        'PUT',
        UPDATE,
        confirmBody(pickTicketDetails, (quantity) => quantity, 'ana'),
      ),
      204,
    );
  }
}

export async function rowsOf<Row>({ service }: Arena, query: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await service.store.read((db) => query.execute(db));
  return rows as Row[];
}

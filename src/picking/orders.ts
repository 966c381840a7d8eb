/** Checks whether orders can share a ticket. A wrong message gets 400 with errors; orders in a wrong state get 409. */

import { isAllowed, State } from '../kernel/states.ts';
import { heldUntil } from '../kernel/street-date.ts';
import { findTickets } from '../kernel/tickets/rows.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import { type Sentence, sequence, type Value } from '../platform/message/sentence.ts';
import { type FieldError, fieldError } from '../platform/message/validate.ts';
import { quote } from '../platform/message/words.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusName } from '../shared/status.ts';
import { say } from './sentences.ts';

const SHOWN_IDS = 10;

/** The ids of the message; undefined for an unreadable id. */
type SentIds = readonly (string | undefined)[];

/** Returns the errors of ids that the message repeats. */
export function repeatedErrors(ids: SentIds): FieldError[] {
  return ids.flatMap((orderId, index) =>
    orderId === undefined || ids.indexOf(orderId) === index
      ? []
      : [
          fieldError(
            `/fulfillmentOrderIds/${index}`,
            'duplicate',
            say('order {orderId} is in the message twice; send it once', { orderId: quote(orderId) }),
          ),
        ],
  );
}

/**
 * Returns the errors of ids without an order of the store and node. An order of another store, node or client gets the
 * same error.
 */
export function unknownErrors(ids: SentIds, known: readonly FulfillmentOrderRow[]): FieldError[] {
  const found = new Set(known.map((order) => order.fulfillment_order_id));
  return ids.flatMap((orderId, index) =>
    orderId === undefined || found.has(orderId)
      ? []
      : [
          fieldError(
            `/fulfillmentOrderIds/${index}`,
            'unknown-order',
            say('there is no order {orderId} of this store and node; check the id or leave it out', {
              orderId: quote(orderId),
            }),
          ),
        ],
  );
}

/**
 * Returns the errors of orders that cannot share a ticket. All orders of a ticket have one currency, one fulfillment
 * type and one queue (docs/interface.md#generate-a-pick-ticket).
 */
export function unlikeErrors(orders: readonly FulfillmentOrderRow[], queueId: string | undefined): FieldError[] {
  return [
    ...mixedError(orders, 'currency', say('currencies'), (order) => order.currency),
    ...mixedError(orders, 'fulfillmentType', say('fulfillment types'), (order) => order.fulfillment_type),
    ...(queueId === undefined ? [] : queueError(orders, queueId)),
  ];
}

function mixedError(
  orders: readonly FulfillmentOrderRow[],
  rule: string,
  plural: Sentence,
  of: (order: FulfillmentOrderRow) => string,
): FieldError[] {
  const groups = Map.groupBy(orders, of);
  if (groups.size < 2) return [];
  const listed = namedGroups(groups);
  const message = say(
    'the orders have several {plural}, listed here with the ids of the orders: {listed}; generate a separate pick ticket for each value',
    {
      plural,
      listed,
    },
  );
  return [fieldError('/fulfillmentOrderIds', rule, message)];
}

// Returns an error if orders are on another queue. Orders that have left their pick queue are left out: their state is
// wrong (409), not the message.
function queueError(orders: readonly FulfillmentOrderRow[], queueId: string): FieldError[] {
  const toPick = orders.filter((order) => order.status === State.WAITING_FOR_PICK || order.status === State.PICKING);
  const elsewhere = Map.groupBy(
    toPick.filter((order) => order.queue_id !== queueId),
    (order) => order.queue_id,
  );
  if (elsewhere.size === 0) return [];
  const listed = namedGroups(elsewhere);
  const message = say(
    'queueId is {queueId}, but these orders are on other queues: {listed}; send the orders of one queue, with its queueId',
    {
      queueId: quote(queueId),
      listed,
    },
  );
  return [fieldError('/queueId', 'queue', message)];
}

/** Lists groups with the ids of their orders, such as `A (901, 902), B (903)`. */
function namedGroups(groups: ReadonlyMap<string | null, readonly FulfillmentOrderRow[]>): Sentence {
  return sequence(
    [...groups].map(([name, orders]) => sequence([name, ' (', idsOf(orders), ')'], '')),
    ', ',
  );
}

function idsOf(orders: readonly FulfillmentOrderRow[]): Value {
  const ids = orders.map((order) => order.fulfillment_order_id);
  const named = ids.slice(0, SHOWN_IDS).join(', ');
  return ids.length > SHOWN_IDS ? say('{named} and {n} more', { named, n: ids.length - SHOWN_IDS }) : named;
}

/**
 * Returns the 409 of orders that do not wait for pick; undefined if all orders do. The field `orders` of the error
 * lists the rejected orders. The error also names one ticket with its user and start
 * (docs/interface.md#order-of-checks): the ticket of the first order in PICKING, otherwise the last ticket of the first
 * listed order.
 */
export async function takenRefusal(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  settings: Settings,
  clientId: string,
  orders: readonly FulfillmentOrderRow[],
): Promise<Refusal | undefined> {
  const taken = orders.filter((order) => !isAllowed(order, 'generate'));
  if (taken.length === 0) return undefined;
  const holders = await findHolders(ctx, clientId, taken);
  const listed = taken.map((order) => ({
    fulfillmentOrderId: order.fulfillment_order_id,
    status: String(order.status),
    ...holders.get(order.pick_ticket_id ?? ''),
  }));
  const sentences = taken.slice(0, SHOWN_IDS).map((order) => sentenceFor(order, settings, holders));
  const more =
    taken.length > SHOWN_IDS
      ? say(' {n} more {n|order|orders} cannot be picked either.', { n: taken.length - SHOWN_IDS })
      : '';
  const named = taken.find((order) => order.status === State.PICKING) ?? taken[0]!;
  const values = { sentences: sequence(sentences, ' '), more };
  const description = taken.some(canWait)
    ? say(
        '{sentences}{more} No ticket was generated; leave these orders out, or wait until they can be picked.',
        values,
      )
    : say('{sentences}{more} No ticket was generated; leave these orders out.', values);
  return conflict(description, { ...holders.get(named.pick_ticket_id ?? ''), orders: listed });
}

/** Whether an order that cannot be picked now can be picked later. */
function canWait({ fulfillment_type: type, status }: FulfillmentOrderRow): boolean {
  return type !== 'SHIP_TO_STORE' && (status === State.HELD || status === State.PICKING);
}

interface Holder {
  pickTicketId: string;
  userId: string;
  since: string;
}

function sentenceFor(order: FulfillmentOrderRow, settings: Settings, holders: ReadonlyMap<string, Holder>): Sentence {
  const name = say('Order {fulfillmentOrderId}', { fulfillmentOrderId: quote(order.fulfillment_order_id) });
  const holder = holders.get(order.pick_ticket_id ?? '');
  if (order.status === State.PICKING && holder !== undefined) {
    return say(
      '{name} has been on pick ticket {pickTicketId} of user {userId} since {since}; confirm or reset that ticket first.',
      { name, pickTicketId: holder.pickTicketId, userId: quote(holder.userId), since: holder.since },
    );
  }
  const values = { name, status: order.status, description: statusName(settings, order.status) };
  if (order.fulfillment_type === 'SHIP_TO_STORE') {
    return say(
      '{name} is SHIP_TO_STORE, and such orders are checked in, not picked; its status is {status} ({description}).',
      values,
    );
  }
  const { heldUntil: until } = heldUntil(order);
  return until === undefined
    ? say('{name} no longer waits for pick; its status is {status} ({description}).', values)
    : say('{name} is held until {until}; its status is {status} ({description}).', { ...values, until });
}

async function findHolders(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  orders: readonly FulfillmentOrderRow[],
): Promise<Map<string, Holder>> {
  const ids = new Set(orders.flatMap((order) => order.pick_ticket_id ?? []));
  const tickets = await findTickets(ctx, clientId, [...ids]);
  return new Map(
    tickets.map((ticket) => [
      ticket.pick_ticket_id,
      {
        pickTicketId: ticket.pick_ticket_id,
        userId: ticket.user_id,
        since: formatDateTime(ticket.pick_ticket_date),
      },
    ]),
  );
}

/** Wire shapes of what there is to do at a node. */

import { wholeParam } from '../platform/http/page.ts';
import { dateTime, integer, list, named, object, oneOf, ref, type Static, Type, text } from '../platform/schema.ts';
import { FULFILLMENT_TYPES } from '../shared/client-settings.ts';
import { login } from '../shared/shapes.ts';
import { WORK_KINDS } from './queues.ts';

const { Optional } = Type;

const COUNT_MAX = 1_000_000_000;
/** Longest wait in seconds: less than proxies wait for a response. */
const WAIT_MAX = 25;
/** Queues of a node, and its open tickets: far more than there are. */
const MANY = 10_000;

const count = (description: string) => integer(0, COUNT_MAX, { description });
const storeId = text(1, 40, { description: 'A web store' });
const perHour = Type.Number({
  minimum: 0,
  description: 'Lines an hour, over the hours in which a ticket was confirmed',
});

export const WorkQuery = object({
  userId: Optional(
    login('Whose tickets and numbers of today are wanted; default: the signed-in user, else the numbers of the node'),
  ),
  since: Optional(text(1, 64, { description: 'The `revision` that the caller has' })),
  wait: wholeParam('With since: seconds to wait for another revision', { min: 0, max: WAIT_MAX, default: 0 }),
});
export type WorkQuery = Static<typeof WorkQuery>;

/** One queue with the orders of one type. */
export const WorkQueue = named(
  'WorkQueue',
  object({
    queueId: text(1, 40, { description: 'The queue, by the client’s own name' }),
    kind: oneOf(WORK_KINDS, { description: 'What is to be done' }),
    fulfillmentType: oneOf(FULFILLMENT_TYPES),
    storeIds: list(storeId, { max: MANY }, { description: 'Web stores of these orders' }),
    orders: count('Orders on the queue'),
    inWork: count('Of these orders on an open pick ticket'),
    units: count('Units of them still to be handed on; of goods to return those to be brought back'),
    late: count('Orders past the time of their step'),
    oldestAt: Optional(dateTime({ description: 'When the first of them entered the queue' })),
    nextDueAt: Optional(dateTime({ description: 'Earliest time of a step, also one that is past' })),
  }),
);
export type WorkQueue = Static<typeof WorkQueue>;

export const WorkTicket = named(
  'WorkTicket',
  object({
    storeId,
    pickTicketId: text(1, 40),
    pickTicketType: oneOf(['PICK_TICKET', 'REVERSE_PICK_TICKET']),
    status: oneOf(['NEW', 'IN_PROGRESS'], { description: 'NEW: nobody has opened it yet' }),
    fulfillmentType: oneOf(FULFILLMENT_TYPES),
    orders: count('Orders of the ticket'),
    quantity: count('Units of the ticket'),
    done: count('Units answered for so far, found or declined'),
    dueAt: Optional(dateTime({ description: 'Earliest time by which an order of it must be done' })),
    leaseUntil: Optional(dateTime({ description: 'When the ticket goes back where nobody works on it' })),
  }),
);
export type WorkTicket = Static<typeof WorkTicket>;

export const NodeWorkReply = named(
  'NodeWork',
  object({
    revision: text(1, 64, { description: 'Changes with anything below but `at`; opaque' }),
    at: dateTime({ description: 'As of when' }),
    nodeId: text(1, 40),
    name: text(1, 200, { description: 'Name of the node' }),
    queues: list(ref<WorkQueue>('WorkQueue'), { max: MANY }, { description: 'All queues of the node, empty ones too' }),
    myTickets: list(
      ref<WorkTicket>('WorkTicket'),
      { max: MANY },
      { description: 'Open tickets of the user, the one that is due first first' },
    ),
    tickets: object(
      { open: count('Open tickets of the node'), mine: count('Of these the user’s') },
      { description: 'How many tickets are open' },
    ),
    today: object(
      {
        linesPicked: count('Lines of which a unit was found'),
        linesPerHour: Optional(perHour),
        unitsShort: count('Units declined'),
        unitsPicked: count('Units found'),
      },
      { description: 'What was picked today, in the time zone of the node' },
    ),
    inbound: object({
      expected: count('ASNs and POs expected today and not closed'),
      late: count('Those expected in the 30 days before, and not closed'),
    }),
    exceptions: object(
      {
        late: count('Late orders, those waiting for their customer aside'),
        resourceRequests: count('Open re-source requests of the node'),
        pinLocks: count('Orders whose PIN is locked now'),
        notCollected: count('Orders whose customer is late'),
        duplicateCartons: count('Cartons of the last 7 days that another open shipment announces as well'),
      },
      { description: 'How much needs somebody’s attention' },
    ),
  }),
);
export type NodeWorkReply = Static<typeof NodeWorkReply>;

/** Named schemas of this slice, for the document. */
export const workSchemas = [WorkQueue, WorkTicket, NodeWorkReply];

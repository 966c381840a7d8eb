/** Request and response schemas of the work of a node. */

import { wholeParam } from '../platform/http/page.ts';
import { dateTime, integer, list, named, object, oneOf, ref, type Static, Type, text } from '../platform/schema.ts';
import { FULFILLMENT_TYPES } from '../shared/client-settings.ts';
import { login } from '../shared/shapes.ts';
import { WORK_KINDS } from './queues.ts';

const { Optional } = Type;

const COUNT_MAX = 1_000_000_000;
/** Maximum wait in seconds. It is shorter than the timeouts of proxies. */
const WAIT_MAX = 25;
/** Upper bound of queues and of open tickets in the schema, far above real numbers. */
const MANY = 10_000;

const count = (description: string) => integer(0, COUNT_MAX, { description });
const storeId = text(1, 40, { description: 'A web store' });
const perHour = Type.Number({
  minimum: 0,
  description: 'Lines per hour. Hours in which no ticket was confirmed do not count',
});

export const WorkQuery = object({
  userId: Optional(
    login(
      'User whose tickets and figures of today are returned. Default: the signed-in user. A request without any user gets the figures of the node',
    ),
  ),
  since: Optional(text(1, 64, { description: '`revision` of the last response that you have' })),
  wait: wholeParam('Maximum number of seconds to wait for another revision (only with `since`)', {
    min: 0,
    max: WAIT_MAX,
    default: 0,
  }),
});
export type WorkQuery = Static<typeof WorkQuery>;

/** One queue with the orders of one type. */
export const WorkQueue = named(
  'WorkQueue',
  object({
    queueId: text(1, 40, { description: 'Id of the queue, as the client has set it' }),
    kind: oneOf(WORK_KINDS, { description: 'Kind of work' }),
    fulfillmentType: oneOf(FULFILLMENT_TYPES),
    storeIds: list(storeId, { max: MANY }, { description: 'Web stores of the orders on the queue' }),
    orders: count('Orders on the queue. On reverse pick queues: orders with an open reverse pick ticket'),
    inWork: count('Orders of the queue that are on an open pick ticket'),
    units: count('Units that customers can still get. On reverse pick queues: units to bring back'),
    late: count('Orders past the due time of their step'),
    lateInWork: count('Late orders of the queue that are on an open pick ticket'),
    oldestAt: Optional(dateTime({ description: 'Time at which the first order of the queue entered the queue' })),
    nextDueAt: Optional(dateTime({ description: 'Earliest due time of an order on the queue. Can be in the past' })),
    nextFreeDueAt: Optional(
      dateTime({ description: 'Earliest due time of the orders that are on no open pick ticket. Can be in the past' }),
    ),
  }),
);
export type WorkQueue = Static<typeof WorkQueue>;

export const WorkTicket = named(
  'WorkTicket',
  object({
    storeId,
    pickTicketId: text(1, 40),
    pickTicketType: oneOf(['PICK_TICKET', 'REVERSE_PICK_TICKET']),
    status: oneOf(['NEW', 'IN_PROGRESS'], { description: 'NEW: the ticket has not been opened yet' }),
    fulfillmentType: oneOf(FULFILLMENT_TYPES),
    orders: count('Orders of the ticket'),
    quantity: count('Units of the ticket'),
    done: count('Units found or declined so far'),
    dueAt: Optional(dateTime({ description: 'Earliest due time of an order of the ticket' })),
    leaseUntil: Optional(
      dateTime({ description: 'End of the lease. If no work is saved until then, the ticket returns to its queue' }),
    ),
  }),
);
export type WorkTicket = Static<typeof WorkTicket>;

export const NodeWorkReply = named(
  'NodeWork',
  object({
    revision: text(1, 64, {
      description: 'Opaque revision of the work. The revision changes if any field of the response except `at` changes',
    }),
    at: dateTime({ description: 'Time of the data' }),
    nodeId: text(1, 40),
    name: text(1, 200, { description: 'Name of the node' }),
    queues: list(
      ref<WorkQueue>('WorkQueue'),
      { max: MANY },
      { description: 'All queues of the node, including empty queues' },
    ),
    myTickets: list(
      ref<WorkTicket>('WorkTicket'),
      { max: MANY },
      { description: 'Open tickets of the user, the earliest due first' },
    ),
    tickets: object(
      { open: count('Open tickets of the node'), mine: count('Open tickets of the user') },
      { description: 'Numbers of open tickets' },
    ),
    today: object(
      {
        linesPicked: count('Lines with at least one found unit'),
        linesPerHour: Optional(perHour),
        unitsShort: count('Units declined'),
        unitsPicked: count('Units found'),
      },
      { description: 'Picks of today, in the time zone of the node' },
    ),
    inbound: object(
      {
        expected: count(
          'ASNs and POs that are expected today, and goods without papers that were begun today, if they are not closed. An EXPECTED PO is not counted if its ASNs together announce at least its units',
        ),
        late: count(
          'The same for the 30 days before today: ASNs and POs that were expected, and goods without papers that were begun. The exception for EXPECTED POs is the same as in `expected`',
        ),
        held: count('Shipments with held units, on which a user must decide'),
      },
      { description: 'Numbers of inbound shipments' },
    ),
    returns: object(
      {
        expected: count('Returns that are announced for this node'),
        receiving: count('Returns that this node is receiving, and that a user must close'),
        storeIds: list(storeId, { max: MANY }, { description: 'Web stores of these returns' }),
      },
      { description: 'Numbers of returns' },
    ),
    countPlans: object(
      { open: count('Count plans to be counted'), counted: count('Count plans that wait for approval') },
      { description: 'Numbers of count plans' },
    ),
    exceptions: object(
      {
        late: count(
          'Late orders, and orders with late goods to bring back. Late orders that wait for their customer are not counted',
        ),
        resourceRequests: count('Open re-source requests of the node'),
        resourceRequestStoreIds: list(storeId, { max: MANY }, { description: 'Web stores of these requests' }),
        pinLocks: count('Orders whose PIN is locked now, without orders whose goods are brought back'),
        notCollected: count('Orders that their customers did not collect in time'),
        duplicateCartons: count('Cartons of the last 7 days that are also in another open shipment'),
      },
      { description: 'Counts of exceptions that need attention' },
    ),
  }),
);
export type NodeWorkReply = Static<typeof NodeWorkReply>;

/** Named schemas of this slice, for the OpenAPI document. */
export const workSchemas = [WorkQueue, WorkTicket, NodeWorkReply];

import { sql } from 'kysely';
import { dateRangeErrors } from '../kernel/filters.ts';
import type { NodeScope } from '../kernel/find-page.ts';
import { checkQueue } from '../kernel/queues.ts';
import { findSettings } from '../kernel/settings.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { findPlace, lastRecordHeader } from '../platform/http/page.ts';
import type { FieldError } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { findCounted, recordsOf, type Search } from '../platform/storage/keyset.ts';
import { parseDateTime, SECOND_MS, wholeSecond } from '../platform/time.ts';
import { showTicket } from './show.ts';
import { PickTicketSearch, PickTicketSearchReply } from './ticket-schema.ts';

export const searchPickTickets = readOperation({
  id: 'searchPickTickets',
  since: '0.1.0',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/pickTicket/search',
  summary: 'Find pick tickets of a queue',
  description:
    'Finds the tickets of a node that were made for a queue, open or closed. Reverse pick tickets have the queue WAITING_FOR_REVERSE_PICK.\n\n' +
    '- A ticket is found if it matches every filter that you send. pickTicket.userId is a filter; the userId of the search is not.\n' +
    '- Tickets are sorted by pickTicketDate, then pickTicketId. Pages work as in the order searches; lastRecordId is a pickTicketId.\n' +
    '- An unknown queueId gets 400.',
  access: { auth: 'apiKey', group: 'fulfillment', permission: 'fulfillment.read' },
  message: {
    body: PickTicketSearch,
    replies: { 200: { description: 'A page of tickets', schema: PickTicketSearchReply } },
  },
  run: {
    async rules(ctx, { clientId, store, node, body }, errors) {
      errors.addAll(ticketRangeErrors(body));
      const place = { clientId, storeId: store.store_id, nodeId: node.node_id };
      const isInUse = (queueId: string) =>
        ticketsOf(ctx, place).where('queue_id', '=', queueId).select('queue_id').limit(1).executeTakeFirst();
      await checkQueue(body.queueId, '/queueId', await findSettings(ctx.db, clientId), isInUse, errors);
      return { place, page: await findPlace(body, records(ctx, place), errors) };
    },
    async handle(ctx, { body, found: { place, page } }) {
      const search = searchTickets(ctx, place, body);
      const { records: tickets, totals } = await findCounted(ctx.db, search, page);
      const answer = {
        pickTickets: tickets.map(showTicket),
        pageId: page.pageId,
        pageSize: page.pageSize,
        ...totals,
      };
      const ids = tickets.map((ticket) => ticket.pick_ticket_id);
      return reply(200, answer, lastRecordHeader(page, ids));
    },
  },
  example: {
    path: '/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/search',
    body: {
      storeId: 'TOWN_US',
      nodeId: 'TOWN-Store001',
      queueId: 'WAITING_FOR_PICK_SFS',
      userId: 'UserId001',
      pickTicket: { statuses: ['NEW'] },
    },
  },
});

const RANGES = { pickTicketDateRange: 'pick_ticket_date', pickSLADateRange: 'pick_sla_date' } as const;
const RANGE_MEMBERS = Object.keys(RANGES) as (keyof typeof RANGES)[];

function ticketRangeErrors({ pickTicket = {} }: ValidPart<PickTicketSearch>): FieldError[] {
  return RANGE_MEMBERS.flatMap((member) => dateRangeErrors(pickTicket[member], `/pickTicket/${member}`));
}

type SearchCtx = Pick<ReadCtx, 'db' | 'dialect'>;

function ticketsOf({ db }: SearchCtx, place: NodeScope) {
  return db
    .selectFrom('pick_tickets')
    .where('client_id', '=', place.clientId)
    .where('store_id', '=', place.storeId)
    .where('node_id', '=', place.nodeId);
}

/**
 * Selects the open tickets of a store at a node by the index of the node. The expression with `store_id` is in no
 * index. For the plain column, SQLite would use the index of all tickets of the store.
 */
function openTicketsOf({ db }: SearchCtx, place: NodeScope) {
  return db
    .selectFrom('pick_tickets')
    .where('client_id', '=', place.clientId)
    .where('node_id', '=', place.nodeId)
    .where(sql<boolean>`status <> 'CLOSED'`)
    .where(sql<string>`store_id || ''`, '=', place.storeId);
}

function records(ctx: SearchCtx, place: NodeScope) {
  const tickets = { table: 'pick_tickets', date: 'pick_ticket_date', id: 'pick_ticket_id' } as const;
  return recordsOf(ctx, tickets, place, { record: 'ticket', id: 'pickTicketId' });
}

function searchTickets(ctx: SearchCtx, place: NodeScope, body: PickTicketSearch): Search<'pick_tickets'> {
  return { found: matching(ctx, place, body), date: 'pick_ticket_date', id: 'pick_ticket_id' };
}

function matching(ctx: SearchCtx, place: NodeScope, { queueId, pickTicket }: PickTicketSearch) {
  const isOpen = pickTicket !== undefined && !pickTicket.statuses.includes('CLOSED');
  let found = (isOpen ? openTicketsOf : ticketsOf)(ctx, place).where('queue_id', '=', queueId);
  if (pickTicket === undefined) return found;
  const { pickTicketId, userId, fulfillmentTypes, statuses } = pickTicket;
  if (pickTicketId !== undefined) found = found.where('pick_ticket_id', '=', pickTicketId);
  if (userId !== undefined) found = found.where('user_id', '=', userId);
  if (fulfillmentTypes !== undefined)
    found = found.where('fulfillment_type', 'in', ctx.dialect.listOf(fulfillmentTypes, 'text'));
  found = found.where('status', 'in', ctx.dialect.listOf(statuses, 'text'));
  for (const member of RANGE_MEMBERS) {
    const range = pickTicket[member];
    if (range === undefined) continue;
    // Responses show whole seconds, so the range includes its whole last second.
    found = found
      .where(RANGES[member], '>=', parseDateTime(range.from))
      .where(RANGES[member], '<', wholeSecond(range.to) + SECOND_MS);
  }
  return found;
}

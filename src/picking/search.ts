import type { ReadCtx } from '../ctx.ts';
import type { Fault } from '../http/faults.ts';
import { readOperation, reply } from '../http/operation.ts';
import { lastRecordHeader, type Page, readPage } from '../http/page.ts';
import type { Sound } from '../http/sound.ts';
import { backwards } from '../orders/filters.ts';
import type { Place } from '../orders/find-page.ts';
import type { Reader } from '../storage/db.ts';
import { parseDateTime } from '../time.ts';
import { showTicket } from './show.ts';
import { PickTicketSearch, PickTicketSearchReply } from './ticket-schema.ts';

export const searchPickTickets = readOperation({
  id: 'searchPickTickets',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/pickTicket/search',
  auth: 'apiKey',
  group: 'fulfillment',
  summary: 'Find pick tickets of a queue',
  description:
    'Tickets of a node that were made for a queue, open or closed; reverse pick tickets are those of the queue WAITING_FOR_REVERSE_PICK. All filters that are sent must hold; the userId of the search filters nothing, pickTicket.userId does. Tickets come by pickTicketDate, then pickTicketId, and are paged as the order searches are (decision 24); lastRecordId is a pickTicketId. Source: facts 2.1; docs/decisions/100.',
  body: PickTicketSearch,
  replies: { 200: { description: 'A page of tickets', schema: PickTicketSearchReply } },
  async rules(ctx, { clientId, store, node, body }, faults) {
    faults.addAll(ticketRangeFaults(body));
    const place = { clientId, storeId: store.store_id, nodeId: node.node_id };
    const { after } = readPage(body);
    const cursor = after === undefined ? undefined : await findCursor(ctx.db, place, after);
    if (after !== undefined && cursor === undefined) {
      const message =
        "'lastRecordId' names no ticket of this store and node; send the pickTicketId of the last one read";
      faults.add('/lastRecordId', 'exists', message);
    }
    return { place, cursor };
  },
  async handle(ctx, { body, found: { place, cursor } }) {
    const page = readPage(body);
    const found = matching(ctx, place, body);
    const tickets = await pageOf(found, page, cursor).execute();
    const { count } = await ctx.db
      .selectFrom(found.select('pick_ticket_id').limit(page.maxRecordsCount).as('found'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const answer = {
      pickTickets: tickets.map(showTicket),
      pageId: page.pageId,
      pageSize: page.pageSize,
      totalRecords: count,
    };
    return reply(
      200,
      answer,
      lastRecordHeader(
        page,
        tickets.map((ticket) => ticket.pick_ticket_id),
      ),
    );
  },
});

const RANGES = { pickTicketDateRange: 'pick_ticket_date', pickSLADateRange: 'pick_sla_date' } as const;
const RANGE_MEMBERS = Object.keys(RANGES) as (keyof typeof RANGES)[];

function ticketRangeFaults({ pickTicket = {} }: Sound<PickTicketSearch>): Fault[] {
  return RANGE_MEMBERS.flatMap((member) => {
    const { from, to } = pickTicket[member] ?? {};
    const isWrong = from !== undefined && to !== undefined && parseDateTime(from) > parseDateTime(to);
    return isWrong ? [backwards(`/pickTicket/${member}`)] : [];
  });
}

interface Cursor {
  pick_ticket_date: number;
  pick_ticket_id: string;
}

function findCursor(db: Reader, place: Place, pickTicketId: string): Promise<Cursor | undefined> {
  return db
    .selectFrom('pick_tickets')
    .select(['pick_ticket_date', 'pick_ticket_id'])
    .where('client_id', '=', place.clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .where('store_id', '=', place.storeId)
    .where('node_id', '=', place.nodeId)
    .executeTakeFirst();
}

function matching(ctx: Pick<ReadCtx, 'db' | 'dialect'>, place: Place, { queueId, pickTicket }: PickTicketSearch) {
  let found = ctx.db
    .selectFrom('pick_tickets')
    .where('client_id', '=', place.clientId)
    .where('store_id', '=', place.storeId)
    .where('node_id', '=', place.nodeId)
    .where('queue_id', '=', queueId);
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
    // Answers show whole seconds, so the last one is included to its end.
    found = found
      .where(RANGES[member], '>=', parseDateTime(range.from))
      .where(RANGES[member], '<', (Math.floor(parseDateTime(range.to) / 1000) + 1) * 1000);
  }
  return found;
}

function pageOf(found: ReturnType<typeof matching>, page: Page, cursor: Cursor | undefined) {
  const rest =
    cursor === undefined
      ? found
      : found.where((eb) =>
          eb(
            eb.refTuple('pick_ticket_date', 'pick_ticket_id'),
            '>',
            eb.tuple(cursor.pick_ticket_date, cursor.pick_ticket_id),
          ),
        );
  return rest.selectAll().orderBy('pick_ticket_date').orderBy('pick_ticket_id').limit(page.limit).offset(page.offset);
}

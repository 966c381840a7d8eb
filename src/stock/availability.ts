import { endsOf, placeEvents } from '../events/place.ts';
import { badValue, Refusal } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { wholeParam } from '../platform/http/page.ts';
import { parseJson } from '../platform/message/json.ts';
import { dateTime, integer, list, named, object, ref, type Static, text } from '../platform/schema.ts';
import { statement } from '../platform/storage/statement.ts';
import { formatDateTime } from '../platform/time.ts';
import { levels, sequence } from './schema.ts';
import { say } from './sentences.ts';
import { showLevel } from './show.ts';

/** Number of stock events that one page examines: default and maximum. An event can have many items. */
const EVENTS_DEFAULT = 100;
const EVENTS_MAX = 500;
/** Maximum number of positions of the feed that one page examines, the same as for a page of events. */
const WINDOW = 10_000;
/** Maximum number of items in a page: `EVENTS_MAX` events, each with at most the items of one message. */
const ITEMS_MAX = 500_000;

const AvailabilityQuery = object({
  after: sequence(
    'Begins after this position. Send `next` of the previous page. Without `after`, the page has only `next`',
  ),
  limit: wholeParam('Maximum number of stock events that the page examines', {
    min: 1,
    max: EVENTS_MAX,
    default: EVENTS_DEFAULT,
  }),
});

const Availability = named(
  'Availability',
  object(
    {
      nodeId: text(1, 40, { description: 'Node that keeps stock' }),
      itemId: text(1, 40, { description: 'Item of the client' }),
      ...levels,
      updatedAt: dateTime({ description: 'Time at which the level last changed' }),
    },
    { description: 'The current levels of an item at a node.' },
  ),
);
type Availability = Static<typeof Availability>;

const AvailabilityPage = named(
  'AvailabilityPage',
  object(
    {
      changed: list(
        ref<Availability>('Availability'),
        { max: ITEMS_MAX },
        {
          description:
            'Items whose stock changed, without repetition, with their current levels, sorted by node and item',
        },
      ),
      next: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Value of `after` for the next request' }),
      head: integer(0, Number.MAX_SAFE_INTEGER, {
        description: 'Last position of the feed. Continue immediately while `head` is larger than `next`',
      }),
    },
    { description: 'A page of the availability feed.' },
  ),
);

export const availabilitySchemas = [Availability, AvailabilityPage];

/**
 * The feed of changed levels. It reads the positions of `stock.changed` and the present levels
 * (docs/stock.md#availability).
 */
export const listAvailability = readOperation({
  id: 'listAvailability',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/availability',
  summary: 'Read the items whose stock changed, at all nodes',
  description:
    'Lists each item whose stock changed after the position `after`, at every node that keeps stock, with its current levels.\n\n' +
    '- First send a request without `after` and store `next`. Then read the stock of all nodes once. From then on, send the stored `next` as `after`.\n' +
    '- Continue immediately while `next` is smaller than `head`. A page can be empty. An item that changes again is listed again: the levels with the highest `revision` are the current ones.\n' +
    '- A credential that is limited to nodes sees only these nodes.\n' +
    '- A node that no longer keeps stock is not listed. Delete the levels of this node in your system.\n' +
    '- The installation may keep events for EVENT_DAYS only. If events right after `after` were deleted, the response is 410: read the stock of all nodes again.',
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.read', wholeClient: 'allStores' },
  message: {
    query: AvailabilityQuery,
    replies: { 200: { description: 'A page, which may be empty', schema: AvailabilityPage } },
    refusals: {
      404: 'There is no such client.',
      410: 'Events right after `after` are no longer kept; `gone` is the last such position.',
    },
    errors: 'problem',
  },
  run: {
    before: async ({ store }, { clientId }) => {
      await placeEvents(store, clientId);
    },
    async handle({ db, dialect, actor }, { clientId, query }) {
      const { head, gone } = await endsOf(db, clientId);
      const after = Number(query.after ?? head);
      if (after < gone) throw eventsGone(after, gone);
      if (after > head) {
        throw badValue(
          'query:after',
          'maximum',
          say(
            '`after` is {after}, but the last position of the client is {head}; send at most {head}. If the service was restored from a backup, read the stock of all nodes, then continue with after={head}',
            { after, head },
          ),
        );
      }
      const last = Math.min(head, after + WINDOW);
      const limit = Number(query.limit ?? EVENTS_DEFAULT);
      const events = await selectChanges(db, { clientId, after, last, limit });
      const { nodeIds = null } = actor;
      const keys = new Map<string, { node: string; item: string }>();
      for (const { data } of events) {
        const { nodeId: node, items } = parseJson(data) as { nodeId: string; items: { itemId: string }[] };
        if (nodeIds !== null && !nodeIds.includes(node)) continue;
        for (const { itemId: item } of items) keys.set(JSON.stringify([node, item]), { node, item });
      }
      const wanted = [...keys.values()];
      const rows =
        wanted.length === 0
          ? []
          : await db
              .selectFrom(dialect.rowsOf(wanted, { node: 'text', item: 'text' }).as('wanted'))
              // SQLite keeps the order of a cross join; otherwise it would read all levels of the client.
              .crossJoin('stock_levels as level')
              .innerJoin('nodes as n', (join) =>
                join
                  .on('n.client_id', '=', clientId)
                  .onRef('n.node_id', '=', 'level.node_id')
                  .on('n.stock', '=', 'KEPT'),
              )
              .selectAll('level')
              .where('level.client_id', '=', clientId)
              .whereRef('level.node_id', '=', 'wanted.node')
              .whereRef('level.item_id', '=', 'wanted.item')
              .orderBy('level.node_id')
              .orderBy('level.item_id')
              .execute();
      return reply(200, {
        changed: rows.map((row) => ({
          nodeId: row.node_id,
          ...showLevel(row),
          updatedAt: formatDateTime(row.updated_at),
        })),
        next: events.length === limit ? events.at(-1)!.position! : last,
        head,
      });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/availability?after=0' },
});

interface Wanted {
  clientId: string;
  after: number;
  last: number;
  limit: number;
}

const selectChanges = statement((db, { clientId, after, last, limit }: Wanted) =>
  db
    .selectFrom('events')
    .select(['position', 'data'])
    .where('client_id', '=', clientId)
    .where('position', '>', after)
    .where('position', '<=', last)
    .where('type', '=', 'stock.changed')
    .orderBy('position')
    .limit(limit),
);

function eventsGone(after: number, gone: number): Refusal {
  const words = say(
    '`after` is {after}, and events up to position {gone} are no longer kept. Read the stock of all nodes, then continue with after={gone}.',
    { after, gone },
  );
  return new Refusal(410, 'STATE', 'EVENTS_GONE', words, { extra: { gone } });
}

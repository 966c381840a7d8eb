import { sql } from 'kysely';
import { readOperation, reply } from '../platform/http/operation.ts';
import { wholeParam } from '../platform/http/page.ts';
import { parseJson } from '../platform/message/json.ts';
import { flag, integer, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import type { Reader } from '../platform/storage/db.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Change } from './changes.ts';
import { itemNotFound } from './read.ts';

const LIMIT_DEFAULT = 50;
const UUID = '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

const HistoryQuery = object({
  limit: wholeParam('Most entries of the answer', { min: 1, max: 500, default: LIMIT_DEFAULT }),
  after: Type.Optional(
    text(36, 36, {
      pattern: UUID,
      'x-hint': 'send the `next` of the page before',
      description: 'Goes on after this entry: `next` of the page before',
    }),
  ),
});

export const ItemHistoryEntry = named(
  'ItemHistoryEntry',
  object({
    eventId: text(36, 36),
    at: Type.String({ description: 'When, in UTC' }),
    actor: text(1, 255, { description: 'Who: `credential:<id>`, `operator:<id>`, or a command' }),
    action: oneOf(['created', 'updated', 'deleted'], { description: 'What was done with the item' }),
    revision: integer(1, Number.MAX_SAFE_INTEGER, {
      description: 'Revision of the item after it, or of the one that was deleted',
    }),
    requestId: text(1, 128, { description: 'X-Request-Id of the request that did it' }),
    changes: list(
      object({
        path: Type.String({ description: 'JSON pointer of the field; empty is the whole item' }),
        from: Type.Optional(Type.Unknown({ description: 'Value before; left out where the field was added' })),
        to: Type.Optional(Type.Unknown({ description: 'Value after; left out where the field was removed' })),
      }),
      { max: 1_000_000 },
      { description: 'What: each field that changed. Empty for `created`; `deleted` has the whole item.' },
    ),
  }),
);
export type ItemHistoryEntry = Static<typeof ItemHistoryEntry>;

export const ItemHistory = named(
  'ItemHistory',
  object({
    clientId: text(1, 32),
    itemId: text(1, 40),
    exists: flag({ description: 'Whether the item exists now' }),
    entries: list(ItemHistoryEntry, { max: 500 }, { description: 'The latest first' }),
    next: Type.Optional(text(36, 36, { description: 'Value of `after` for the next page; left out on the last' })),
  }),
);

/** Returns who changed an item, when and what, the latest first. */
export const readItemHistory = readOperation({
  id: 'readItemHistory',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/items/{itemId}/history',
  auth: 'operator',
  permission: 'items.read',
  summary: 'Read the history of an item',
  description:
    'Answers who created, changed and deleted an item, when, and which fields changed from what to what; the latest first. It stays after the item is deleted. A write that changed nothing has no entry.',
  query: HistoryQuery,
  replies: { 200: { description: 'A page of the history.', schema: ItemHistory } },
  refusals: { 404: 'There is no such client, or it never had such an item.' },
  errors: 'problem',
  async handle({ db }, { params: { itemId }, clientId, query }) {
    const limit = query.limit === undefined ? LIMIT_DEFAULT : Number(query.limit);
    const rows = await findEntries(db, clientId, itemId, query.after, limit + 1);
    if (rows.length === 0 && !(await hasHistory(db, clientId, itemId))) throw itemNotFound(itemId, clientId);
    const page = rows.slice(0, limit);
    return reply(200, {
      clientId,
      itemId,
      exists: await itemExists(db, clientId, itemId),
      entries: page.map(
        (row): ItemHistoryEntry => ({
          eventId: row.event_id,
          at: formatDateTime(row.at),
          actor: row.actor,
          action: row.type.slice('item.'.length) as ItemHistoryEntry['action'],
          revision: row.revision,
          requestId: row.request_id,
          changes: (parseJson(row.data) as { changes: Change[] }).changes,
        }),
      ),
      ...(rows.length > limit && { next: page.at(-1)!.event_id }),
    });
  },
});

function findEntries(db: Reader, clientId: string, itemId: string, after: string | undefined, limit: number) {
  let query = eventsOf(db, clientId, itemId).selectAll();
  if (after !== undefined) query = query.where('event_id', '<', after);
  return query.orderBy('event_id', 'desc').limit(limit).execute();
}

async function hasHistory(db: Reader, clientId: string, itemId: string): Promise<boolean> {
  return (await eventsOf(db, clientId, itemId).select('event_id').limit(1).executeTakeFirst()) !== undefined;
}

function eventsOf(db: Reader, clientId: string, itemId: string) {
  return (
    db
      .selectFrom('events')
      .where('client_id', '=', clientId)
      // Not bound: else the index of items' events is not taken.
      .where('resource_type', '=', sql.lit('item'))
      .where('resource_id', '=', itemId)
  );
}

async function itemExists(db: Reader, clientId: string, itemId: string): Promise<boolean> {
  const row = await db
    .selectFrom('items')
    .select('item_id')
    .where('client_id', '=', clientId)
    .where('item_id', '=', itemId)
    .executeTakeFirst();
  return row !== undefined;
}

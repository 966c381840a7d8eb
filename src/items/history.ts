import { sql } from 'kysely';
import { readOperation, reply } from '../platform/http/operation.ts';
import { PAGE_SIZE_MAX, wholeParam } from '../platform/http/page.ts';
import { parseJson } from '../platform/message/json.ts';
import { flag, integer, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import type { Reader } from '../platform/storage/db.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Change } from './changes.ts';
import { itemNotFound } from './read.ts';
import { say } from './sentences.ts';

const LIMIT_DEFAULT = 50;
const UUID = '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

const HistoryQuery = object({
  limit: wholeParam('Maximum number of entries in the response', {
    min: 1,
    max: PAGE_SIZE_MAX,
    default: LIMIT_DEFAULT,
  }),
  after: Type.Optional(
    text(36, 36, {
      pattern: UUID,
      'x-hint': say('send `next` of the previous page'),
      description: 'Begins after this entry. Send `next` of the previous page',
    }),
  ),
});

export const ItemHistoryEntry = named(
  'ItemHistoryEntry',
  object({
    eventId: text(36, 36),
    at: Type.String({ description: 'Time of the change, in UTC' }),
    actor: text(1, 255, {
      description: 'The actor: `user:ID`, `credential:ID`, `operator:ID` or `import:ID`; never a name',
    }),
    action: oneOf(['created', 'updated', 'deleted'], { description: 'Kind of the change' }),
    revision: integer(1, Number.MAX_SAFE_INTEGER, {
      description: 'Revision of the item after the change. For `deleted`: the last revision of the item',
    }),
    requestId: text(1, 128, { description: 'X-Request-Id of the request that made the change' }),
    changes: list(
      object({
        path: Type.String({ description: 'JSON pointer of the field. Empty for the whole item' }),
        from: Type.Optional(Type.Unknown({ description: 'Value before the change. Absent if the field was added' })),
        to: Type.Optional(Type.Unknown({ description: 'Value after the change. Absent if the field was removed' })),
      }),
      { max: 1_000_000 },
      { description: 'Changed fields. Empty for `created`. For `deleted`, one entry has the whole item.' },
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
    entries: list(ItemHistoryEntry, { max: PAGE_SIZE_MAX }, { description: 'The entries, the latest first' }),
    next: Type.Optional(text(36, 36, { description: 'Value of `after` for the next page; absent on the last page' })),
  }),
);

export const readItemHistory = readOperation({
  id: 'readItemHistory',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/items/{itemId}/history',
  summary: 'Read the history of an item',
  description:
    'Lists the changes of an item, the latest first, with actor, time, and the values of changed fields before and after. The history stays after the item is deleted. A write that changed nothing has no entry.',
  access: { auth: 'operator', permission: 'items.read' },
  message: {
    query: HistoryQuery,
    replies: { 200: { description: 'A page of the history.', schema: ItemHistory } },
    refusals: { 404: 'There is no such client, or it never had such an item.' },
    errors: 'problem',
  },
  run: {
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
  },
  example: { path: '/operator/v1/clients/TOWN/items/21-DEMO-1/history' },
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
      // The type is a literal, because the partial index of item events does not match a bound value.
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

import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, isOfOperator } from '../platform/ctx.ts';
import { badValue, denied, notFound, Refusal } from '../platform/http/errors.ts';
import { type BeforeRead, type Reply, readOperation } from '../platform/http/operation.ts';
import { nearest } from '../platform/message/nearest.ts';
import { quote } from '../platform/message/words.ts';
import type { Reader, Store } from '../platform/storage/db.ts';
import { statement } from '../platform/storage/statement.ts';
import { endsOf, headOf, placeEvents } from './place.ts';
import { EventPage, FEED_LIMIT_DEFAULT, FeedQuery, TYPE_PATTERNS, typesOf } from './schema.ts';
import { say } from './sentences.ts';
import { eventText, readTogether, SHOWN_COLUMNS, type ShownRow, SIZE_COLUMNS, type Sized } from './show.ts';

/** With a filter by type, one request examines at most this number of positions. The next page continues after them. */
const WINDOW = 10_000;

/** Interval at which a waiting request looks for events. */
const LOOK_EVERY_MS = 200;

/** Maximum number of waiting requests in a process. Further requests get their response without waiting. */
const WAITING_MAX = 200;

/** Maximum number of waiting requests of one client. */
const WAITING_OF_CLIENT = 20;

/** Reads the ordered feed of a client's events (docs/decisions/127 and docs/events.md#permissions). */
export const listEvents = readOperation({
  id: 'listEvents',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/events',
  summary: 'Read the feed of events',
  description: `Lists the events of a client after the position \`after\`, in order.

- Positions of a client rise from 1 without a gap. An event of the feed never changes, and new events get higher positions than all events that you have read. If you store \`next\` together with the result of your work, you miss no event.
- \`sequence\` numbers the events of one resource, from 1 without a gap.
- A page ends before \`limit\` if its events have more than 8 MiB of data together. With \`types\`, a page has no events of other types, and can be empty although there are more events. Continue while \`next\` is smaller than \`head\`.
- With \`wait\`, the service waits for an event if there is none, at most this number of seconds. At most 20 requests of a client wait at the same time; more get 429. A waiting request ends with an error as soon as its credential is revoked or expires.
- A credential of a client needs the group events, and reads the feed of its own client. A credential that is limited to stores or nodes gets 403. An operator sends \`clientId\`.
- The installation may keep events for EVENT_DAYS only. If events right after \`after\` were deleted, the response is 410 with the last deleted position. Without \`after\`, the page begins with the oldest event.`,
  access: { auth: 'operatorOrApiKey', group: 'events', permission: 'client', wholeClient: true },
  message: {
    query: FeedQuery,
    replies: { 200: { description: 'A page, which may be empty.', schema: EventPage } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client.',
      410: 'Events right after `after` are no longer kept; `gone` is the last such position.',
    },
    errors: 'problem',
  },
  run: {
    before: (parts, { query, clientId }) => waitForEvents(parts, query, clientId),
    rules(_ctx, { query: { types } }, errors) {
      const type = unknownType(types);
      if (type === undefined) return;
      const meant = nearest(type, TYPE_PATTERNS);
      const hint =
        meant === undefined ? say('the types are in docs/events.md') : say('did you mean {meant}?', { meant });
      errors.add('query:types', 'enum', say('there is no event type {type}; {hint}', { type: quote(type), hint }));
    },
    async handle({ db, actor }, { query, clientId: own }) {
      const clientId = ownerOf(actor, query, own);
      if (isOfOperator(actor) && !(await isClient(db, clientId))) {
        throw notFound(say('There is no client {clientId}.', { clientId: quote(clientId) }));
      }
      const { head, gone } = await endsOf(db, clientId);
      const after = Number(query.after ?? gone);
      if (after < gone) throw eventsGone(after, gone);
      if (after > head) {
        const words = say(
          '`after` is {after}, but the last position of the client is {head}; send at most {head}. If the service was restored from a backup, read from the beginning',
          { after, head },
        );
        throw badValue('query:after', 'maximum', words);
      }
      return pageReply(db, clientId, query, after, head);
    },
  },
  example: { path: '/operator/v1/events?types=order.*&limit=3' },
});

async function pageReply(db: Reader, clientId: string, query: FeedQuery, after: number, head: number): Promise<Reply> {
  const limit = Number(query.limit ?? FEED_LIMIT_DEFAULT);
  const types = query.types === undefined ? undefined : typesOf(query.types.split(','));
  const last = types === undefined ? head : Math.min(head, after + WINDOW);
  const { rows, next } = await findEvents(db, { clientId, after, last, limit, ...(types && { types }) });
  const events = rows.map((row) => `{${eventText(row)}}`).join(',');
  return { status: 200, text: `{"events":[${events}],"next":${next},"nextAfter":${next},"head":${head}}` };
}

/** The wanted events: those with positions in (after, last]. If `types` is set, only events of these types. */
interface Wanted {
  clientId: string;
  after: number;
  last: number;
  types?: readonly string[];
}

type Between = Omit<Wanted, 'types'>;

const selectEvents = statement((db, { clientId, after, last }: Between) =>
  db
    .selectFrom('events')
    .select(SHOWN_COLUMNS)
    .where('client_id', '=', clientId)
    .where('position', '>', after)
    .where('position', '<=', last)
    .orderBy('position'),
);

const selectSizes = statement((db, { clientId, after, last, limit }: Between & { limit: number }) =>
  db
    .selectFrom('events')
    .select(SIZE_COLUMNS)
    .where('client_id', '=', clientId)
    .where('position', '>', after)
    .where('position', '<=', last)
    .orderBy('position')
    .limit(limit),
);

/**
 * Finds the first events in (after, last] in the order of their positions: at most `limit`, and at most as many as are
 * read together (`readTogether`). All wanted events up to `next` are found; the caller continues after `next`.
 */
export async function findEvents(
  db: Reader,
  wanted: Wanted & { limit: number },
): Promise<{ rows: ShownRow[]; next: number }> {
  const sizes = await findSizes(db, wanted);
  const count = readTogether(sizes);
  const next = count < sizes.length || count === wanted.limit ? sizes[count - 1]!.position! : wanted.last;
  if (count === 0) return { rows: [], next };
  const { clientId, after, types } = wanted;
  if (types === undefined) return { rows: await selectEvents(db, { clientId, after, last: next }), next };
  return { rows: await ofTypes(db, { clientId, after, last: next, types }).select(SHOWN_COLUMNS).execute(), next };
}

/** Returns the positions and sizes of the first `limit` events. */
function findSizes(db: Reader, { types, ...wanted }: Wanted & { limit: number }): Promise<Sized[]> {
  if (types === undefined) return selectSizes(db, wanted);
  return ofTypes(db, { ...wanted, types })
    .select(SIZE_COLUMNS)
    .limit(wanted.limit)
    .execute();
}

function ofTypes(db: Reader, { clientId, after, last, types }: Required<Wanted>) {
  return db
    .selectFrom('events')
    .where('client_id', '=', clientId)
    .where('position', '>', after)
    .where('position', '<=', last)
    .where('type', 'in', types.length === 0 ? [''] : types)
    .orderBy('position');
}

/**
 * Returns the client whose events the caller reads.
 * @throws Refusal 403 for another client, 400 for an operator who does not name a client.
 */
function ownerOf(actor: Actor, { clientId }: FeedQuery, own: string): string {
  if (isOfOperator(actor)) {
    if (clientId !== undefined) return clientId;
    throw badValue(
      'query:clientId',
      'required',
      say('clientId is missing; send the id of the client whose events you want to read'),
    );
  }
  if (clientId !== undefined && clientId !== own)
    throw denied(
      say('this key belongs to client {own}; send {own} as clientId, or leave clientId out', {
        own: JSON.stringify(own),
      }),
    );
  return own;
}

/** Returns the first of the requested types that does not exist. */
function unknownType(types: string | undefined): string | undefined {
  return types?.split(',').find((type) => !TYPE_PATTERNS.includes(type));
}

async function isClient(db: Reader, clientId: string): Promise<boolean> {
  const found = await db.selectFrom('clients').select('client_id').where('client_id', '=', clientId).executeTakeFirst();
  return found !== undefined;
}

/** Returns the 410 for a position `after` whose next event is no longer kept. */
function eventsGone(after: number, gone: number): Refusal {
  const words = say(
    '`after` is {after}, and events up to position {gone} are no longer kept. Read the current state of the resources that you need, then continue with after={gone}.',
    { after, gone },
  );
  return new Refusal(410, 'STATE', 'EVENTS_GONE', words, { extra: { gone } });
}

/** Number of waiting requests, by client. */
const waiting = new WeakMap<Store, Map<string, number>>();

function waitersOf(store: Store): Map<string, number> {
  const known = waiting.get(store) ?? new Map<string, number>();
  waiting.set(store, known);
  return known;
}

/** Gives positions to committed events. If the request has `wait`, waits for an event. */
async function waitForEvents(parts: BeforeRead, query: FeedQuery, own: string): Promise<void> {
  const { store, actor, signal, idle, checkAccess } = parts;
  const clientId = ownerOf(actor, query, own);
  const types = query.types === undefined ? undefined : typesOf(query.types.split(','));
  const asked = query.after === undefined ? undefined : Number(query.after);
  const until = performance.now() + Number(query.wait ?? 0) * 1_000;
  await placeEvents(store, clientId);
  const { gone } = await store.read((db) => endsOf(db, clientId));
  const after = asked ?? gone;
  // The request does not wait if events after `after` are no longer kept, because the read then responds with 410.
  if (after < gone || performance.now() >= until) return;
  // A request with one of these errors does not wait: the read rejects it.
  if (unknownType(query.types) !== undefined) return;
  if (isOfOperator(actor) && !(await store.read((db) => isClient(db, clientId)))) return;
  const waiters = waitersOf(store);
  const others = [...waiters.values()].reduce((sum, count) => sum + count, 0);
  const ofClient = waiters.get(clientId) ?? 0;
  if (ofClient >= WAITING_OF_CLIENT) throw tooManyWait(clientId);
  if (others >= WAITING_MAX) return;
  waiters.set(clientId, ofClient + 1);
  try {
    for (let version = -1; !signal.aborted; ) {
      const now = store.version();
      if (now !== version) {
        version = now;
        await checkAccess();
        await placeEvents(store, clientId);
        if (await hasEvent(store, clientId, after, types)) break;
      }
      const left = until - performance.now();
      if (left <= 0) break;
      // An abort ends the sleep; the condition of the loop then ends the wait.
      await idle(sleep(Math.min(left, LOOK_EVERY_MS), undefined, { signal }).catch(() => undefined));
    }
  } finally {
    const left = waiters.get(clientId)! - 1;
    if (left === 0) waiters.delete(clientId);
    else waiters.set(clientId, left);
  }
  // A key can expire during the wait, or be revoked after the last check and before the events of this page. The loop
  // checks the access only after a write, so the access is checked here again.
  await checkAccess();
}

function tooManyWait(clientId: string): Refusal {
  const words = say(
    '{waiting} requests already wait for events of client {clientId}; send the request again in 1 s, or without wait.',
    { waiting: WAITING_OF_CLIENT, clientId: quote(clientId) },
  );
  return new Refusal(429, 'SECURITY', 'TOO_MANY_REQUESTS', words, { headers: { 'retry-after': '1' } });
}

/**
 * Whether the wait must end: the page has an event, the page ends before the last position, or `after` is beyond the
 * last position (an error).
 */
function hasEvent(
  store: Store,
  clientId: string,
  after: number,
  types: readonly string[] | undefined,
): Promise<boolean> {
  return store.read(async (db) => {
    const head = await headOf(db, clientId);
    if (after >= head || types === undefined) return after !== head;
    const last = Math.min(head, after + WINDOW);
    return last < head || (await findSizes(db, { clientId, after, last, limit: 1, types })).length > 0;
  });
}

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
import { eventText, SHOWN_COLUMNS, type ShownRow } from './show.ts';

/** With a filter by type an answer looks through no more positions than this: the next page goes on. */
const WINDOW = 10_000;

/** How often one who waits looks. */
const LOOK_EVERY_MS = 200;

/** So many of a process may wait at once; more are answered without waiting. */
const WAITING_MAX = 200;

/** So many of them may be one client's. */
const WAITING_OF_CLIENT = 20;

/** Returns the ordered feed of a client's events (docs/decisions/127 and docs/decisions/128). */
export const listEvents = readOperation({
  id: 'listEvents',
  method: 'GET',
  path: '/operator/v1/events',
  auth: 'operatorOrApiKey',
  group: 'events',
  permission: 'client',
  wholeClient: true,
  summary: 'Read the feed of events',
  description: `Answers what happened to the things of a client behind the position \`after\`, in order: positions of a client
rise from 1 without a gap, an event that was answered never changes, and none appears later before one that was answered. So a
reader that stores \`nextAfter\` with its own work misses nothing and needs nothing else. \`sequence\` counts the events of one
resource alike. With \`types\` positions between may be left out, and a page may be empty although there is more: go on while
nextAfter is smaller than head. \`wait\` holds the answer until there is an event, at most so many seconds; at most 20 requests of a client wait at once, more get 429.
Whoever waits is refused as soon as its credential is revoked or expired. A client's credential
of group events reads its own client; one narrowed to stores or nodes is refused, because the feed is of the client as a whole.
The operator names the client. An installation may keep events for a time only (EVENT_DAYS): an \`after\` before what is left is
refused with 410 and the last position that is gone; without \`after\` the answer begins with the oldest event that is kept.`,
  query: FeedQuery,
  replies: { 200: { description: 'A page, which may be empty.', schema: EventPage } },
  refusals: {
    401: 'Credentials are missing, or the operator’s are not valid.',
    404: 'There is no such client.',
    410: 'Events right behind `after` are no longer kept; `gone` is the last such position.',
  },
  errors: 'problem',
  before: (parts, { query, clientId }) => waitForEvents(parts, query, clientId),
  rules(_ctx, { query: { types } }, errors) {
    for (const type of types?.split(',') ?? []) {
      if (TYPE_PATTERNS.includes(type)) continue;
      const meant = nearest(type, TYPE_PATTERNS);
      const hint = meant === undefined ? 'the types are in docs/events.md' : `did you mean ${meant}?`;
      errors.add('query:types', 'enum', `there is no type of event ${quote(type)}; ${hint}`);
      return;
    }
  },
  async handle({ db, actor }, { query, clientId: own }) {
    const clientId = ownerOf(actor, query, own);
    if (isOfOperator(actor) && !(await isClient(db, clientId))) {
      throw notFound(`There is no client ${quote(clientId)}.`);
    }
    const { head, gone } = await endsOf(db, clientId);
    const after = Number(query.after ?? gone);
    if (after < gone) throw eventsGone(after, gone);
    if (after > head) {
      const words = `after is ${after}, and the last position of the client is ${head}; was the service restored from a backup? Read from the beginning`;
      throw badValue('query:after', 'maximum', words);
    }
    return pageReply(db, clientId, query, after, head);
  },
});

async function pageReply(db: Reader, clientId: string, query: FeedQuery, after: number, head: number): Promise<Reply> {
  const limit = Number(query.limit ?? FEED_LIMIT_DEFAULT);
  const types = query.types === undefined ? undefined : typesOf(query.types.split(','));
  const last = types === undefined ? head : Math.min(head, after + WINDOW);
  const rows = await findEvents(db, { clientId, after, last, limit, ...(types && { types }) });
  const nextAfter = rows.length === limit ? rows.at(-1)!.position! : last;
  const events = rows.map((row) => `{${eventText(row)}}`).join(',');
  return { status: 200, text: `{"events":[${events}],"nextAfter":${nextAfter},"head":${head}}` };
}

interface Wanted {
  clientId: string;
  after: number;
  last: number;
  limit: number;
}

const selectEvents = statement((db, { clientId, after, last, limit }: Wanted) =>
  db
    .selectFrom('events')
    .select(SHOWN_COLUMNS)
    .where('client_id', '=', clientId)
    .where('position', '>', after)
    .where('position', '<=', last)
    .orderBy('position')
    .limit(limit),
);

/** Events in (after, last] in the order of their positions, of the types that are named, else of all. */
export function findEvents(
  db: Reader,
  { types, ...wanted }: Wanted & { types?: readonly string[] },
): Promise<ShownRow[]> {
  if (types === undefined) return selectEvents(db, wanted);
  return db
    .selectFrom('events')
    .select(SHOWN_COLUMNS)
    .where('client_id', '=', wanted.clientId)
    .where('position', '>', wanted.after)
    .where('position', '<=', wanted.last)
    .where('type', 'in', types.length === 0 ? [''] : types)
    .orderBy('position')
    .limit(wanted.limit)
    .execute();
}

/** Whose events are asked for. @throws Refusal 403 where it is another client, 400 where an operator names none. */
function ownerOf(actor: Actor, { clientId }: FeedQuery, own: string): string {
  if (isOfOperator(actor)) {
    if (clientId !== undefined) return clientId;
    throw badValue('query:clientId', 'required', 'clientId is missing; an operator says whose events to read');
  }
  if (clientId !== undefined && clientId !== own) throw denied(`this key is of client ${JSON.stringify(own)}`);
  return own;
}

async function isClient(db: Reader, clientId: string): Promise<boolean> {
  const found = await db.selectFrom('clients').select('client_id').where('client_id', '=', clientId).executeTakeFirst();
  return found !== undefined;
}

/** 410: what stands right behind the position is no longer kept. */
function eventsGone(after: number, gone: number): Refusal {
  const words = `after is ${after}, and events up to position ${gone} are gone: they are kept for a time only. Read the state of what you need, then go on with after=${gone}`;
  return new Refusal(410, 'STATE', 'EVENTS_GONE', `${words}.`, { extra: { gone } });
}

/** By client, how many wait for its events. */
const waiting = new WeakMap<Store, Map<string, number>>();

function waitersOf(store: Store): Map<string, number> {
  const known = waiting.get(store) ?? new Map<string, number>();
  waiting.set(store, known);
  return known;
}

/** Gives positions to what is committed; waits for something to answer where the request says so. */
async function waitForEvents(parts: BeforeRead, query: FeedQuery, own: string): Promise<void> {
  const { store, actor, signal, idle, checkAccess } = parts;
  const clientId = ownerOf(actor, query, own);
  const types = query.types === undefined ? undefined : typesOf(query.types.split(','));
  const asked = query.after === undefined ? undefined : Number(query.after);
  const until = performance.now() + Number(query.wait ?? 0) * 1_000;
  await placeEvents(store, clientId);
  const { gone } = await store.read((db) => endsOf(db, clientId));
  const after = asked ?? gone;
  // It is refused at once.
  if (after < gone) return;
  const waiters = waitersOf(store);
  const others = [...waiters.values()].reduce((sum, count) => sum + count, 0);
  const ofClient = waiters.get(clientId) ?? 0;
  if (performance.now() >= until || types?.length === 0) return;
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
        if (await hasEvent(store, clientId, after, types)) return;
      }
      const left = until - performance.now();
      if (left <= 0) break;
      // An abort is seen above.
      await idle(sleep(Math.min(left, LOOK_EVERY_MS), undefined, { signal }).catch(() => undefined));
    }
  } finally {
    const left = waiters.get(clientId)! - 1;
    if (left === 0) waiters.delete(clientId);
    else waiters.set(clientId, left);
  }
  // A key may have expired meanwhile, for which nothing is written.
  await checkAccess();
}

function tooManyWait(clientId: string): Refusal {
  const words = `${WAITING_OF_CLIENT} requests already wait for events of client ${quote(clientId)}; ask again in 1 s, or without wait`;
  return new Refusal(429, 'SECURITY', 'TOO_MANY_REQUESTS', `${words}.`, { headers: { 'retry-after': '1' } });
}

/** Whether a page would have an event. A reader that is ahead of the last position is to hear of it at once. */
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
    return last < head || (await findEvents(db, { clientId, after, last, limit: 1, types })).length > 0;
  });
}

/**
 * Campaign `isolation`: sends requests to every operation, with identifiers of another client, store and node in each
 * place that takes an identifier, and with credentials without access. The responses must be those of the table
 * (isolation/table.ts). Another client's data must look as if it did not exist, and no request may change it. Signed-in
 * users send requests too: a user of each role, whose permissions are in the table of roles, and sessions that are not
 * valid (isolation/people.ts). On PostgreSQL the two processes of `serve --workers 2` serve the requests in turn. A
 * case is one cell of the table.
 */
import { sql } from 'kysely';
import type { Store } from '../src/platform/storage/db.ts';
import { operations } from '../src/service/operations.ts';
import type { Answer, Call } from '../town/call.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import {
  type Base,
  identifierFor,
  isAsked,
  isOperators,
  type Kit,
  kitOf,
  openBase,
  type Row,
  requestOf,
  type Situation,
} from './isolation/cells.ts';
import { expectedOf, isAs, leakOf, peopleCells, personCall } from './isolation/people.ts';
import { cellsOf, table } from './isolation/table.ts';
import { rewriting, withoutGuard } from './rewrite.ts';
import { endWorkers } from './service.ts';

const openCredentials = (change: Record<string, unknown>) => (store: Store) =>
  rewriting(
    store,
    { rows: (name, rows) => (name === 'credentials' ? rows.map((row) => ({ ...row, ...change })) : rows) },
    { reads: true },
  );
const withoutTenant = (name: string) => (store: Store) =>
  rewriting(store, { statement: (node) => withoutGuard(node, name, ['client_id']) }, { reads: true });

const openSessions = (change: Record<string, unknown>) => (store: Store) =>
  rewriting(
    store,
    { rows: (name, rows) => (name === 'sessions' ? rows.map((row) => ({ ...row, ...change })) : rows) },
    { reads: true },
  );

type Bugs = Readonly<Record<string, (store: Store) => Store>>;

const KEY_BUGS: Bugs = {
  'stores are found without their client': withoutTenant('stores'),
  'orders are found without their client': withoutTenant('fulfillment_orders'),
  'items are found without their client': withoutTenant('items'),
  'returns are found without their client': withoutTenant('returns'),
  'refunds are found without their client': withoutTenant('refunds'),
  'a revoked key works': openCredentials({ revoked_at: null }),
  'an expired key works': openCredentials({ expires_at: null }),
  'every key has every group': openCredentials({
    groups: '["items","inbound","fulfillment","intake","events","supervise","receiving","stock"]',
  }),
  'no key is limited to stores': openCredentials({ store_ids: null }),
  'no key is limited to nodes': openCredentials({ node_ids: null }),
};

const SESSION_BUGS: Bugs = {
  'a locked session works': openSessions({ locked_at: null }),
  'a session never ends': openSessions({ seen_at: Number.MAX_SAFE_INTEGER, ends_at: Number.MAX_SAFE_INTEGER }),
  'every user is a manager': openSessions({ role: 'manager' }),
  'every user works in all nodes': openSessions({ node_ids: '[]' }),
};

const BUGS: Bugs = { ...KEY_BUGS, ...SESSION_BUGS };

/** The operation that shows each planted bug. The run of the bug begins with this operation. */
const LOOKED: Readonly<Record<string, string>> = {
  'stores are found without their client': 'readFulfillmentOrder',
  'orders are found without their client': 'declineOrders',
  'items are found without their client': 'readItem',
  'returns are found without their client': 'closeReturn',
  'refunds are found without their client': 'answerRefund',
  'a revoked key works': 'readItem',
  'an expired key works': 'readItem',
  'every key has every group': 'readItem',
  'no key is limited to stores': 'readFulfillmentOrder',
  'no key is limited to nodes': 'readFulfillmentOrder',
  'a locked session works': 'readMe',
  'a session never ends': 'readMe',
  'every user is a manager': 'listCredentials',
  'every user works in all nodes': 'listDevices',
};

const COUNT = cellsOf(table).length + peopleCells().length;

export const isolation: Campaign = {
  name: 'isolation',
  unit: 'cells',
  count: COUNT,
  control: {
    planted:
      'rows are found without their client; revoked, expired, limited and foreign keys work, and so do sessions that are locked, have ended or have another role',
    count: COUNT,
    bugs: Object.keys(BUGS),
  },
  async run(work) {
    const { bug } = work;
    // The run of a bug sends only requests that can show the bug.
    const asks = { people: bug === undefined || bug in SESSION_BUGS, keys: bug === undefined || bug in KEY_BUGS };
    const kit = await kitOf(work);
    const wrap = bug === undefined ? undefined : BUGS[bug];
    try {
      for (let left = work.count; left > 0 && !work.enough(); ) {
        for (const id of inOrder(work)) {
          if (left <= 0 || work.enough()) break;
          left -= await askAll(work, kit, id, left, asks, wrap);
        }
      }
    } finally {
      await endWorkers(work);
    }
  },
};

/**
 * Returns all operations: first the operation that shows the bug of the run, then all other operations in random order.
 */
function inOrder(work: Work): string[] {
  const first = LOOKED[work.bug ?? ''];
  const others = shuffled(
    work,
    operations.map(({ id }) => id).filter((id) => id !== first),
  );
  return first === undefined ? others : [first, ...others];
}

/** Sends the requests of all cells of an operation, in random order, in towns with the data that the table expects. */
async function askAll(
  work: Work,
  kit: Kit,
  id: string,
  most: number,
  asks: { people: boolean; keys: boolean },
  wrap?: (store: Store) => Store,
): Promise<number> {
  const people = shuffled(work, asks.people ? peopleCells(id) : []).slice(0, most);
  const rows = asks.keys ? { [id]: table[id] ?? {} } : {};
  const cells = shuffled(work, cellsOf(rows)).slice(0, most - people.length);
  const open = () => {
    // A planted bug changes the results of a store in this process, so its run has no worker processes.
    const workers = { campaign: 'isolation', bug: undefined };
    // An operation that needs hardware or another server has no example. It has only cells of signed-in users, which
    // need no example.
    return openBase(work, kit, isAsked(id) ? id : 'readMe', wrap === undefined ? { workers } : { wrap });
  };
  let base: Base | undefined;
  if (people.length > 0) {
    base = await open();
    if (await askPeople(work, kit, base, people)) {
      await base.service.close();
      base = undefined;
    }
  }
  const seen = new Map<string, string>();
  let before: Changes | undefined;
  for (const { row, situation, expected } of cells) {
    if (work.enough()) break;
    base ??= await open();
    const call = requestOf(kit, base, row, situation);
    const name = `${id} ${row.place} ${situation}`;
    if (call === undefined) throw new Error(`the table has a cell that does not exist: ${name}`);
    before ??= await changesOf(base);
    const answer = await base.service.call(call);
    const after = await changesOf(base);
    const said = inShort(answer);
    if (said !== expected) work.fail(`${name}: ${said}, the table has ${expected}; ${shown(call)}`);
    judgeChanges(work, name, row, situation, answer, before, after);
    seen.set(`${row.place} ${situation}`, visible(kit, row, situation, answer));
    work.done();
    before = after;
    if (answer.status < 300 && call.method !== 'GET') {
      await base.service.close();
      base = before = undefined;
    }
  }
  await base?.service.close();
  if (!isOperators(id)) compare(work, id, seen);
  return cells.length + people.length;
}

/**
 * Sends the request of each cell as a signed-in user. A rejected request must change nothing. Returns whether a request
 * may have changed data.
 */
async function askPeople(work: Work, kit: Kit, base: Base, cells: ReturnType<typeof peopleCells>): Promise<boolean> {
  let isDone = false;
  let known: Changes | undefined;
  for (const { operation, who } of cells) {
    if (work.enough()) break;
    const call = personCall(kit.people, operation, who);
    const expected = expectedOf(operation, who);
    const before = expected === 'in' ? undefined : (known ?? (await changesOf(base)));
    const answer = await base.service.call(call);
    const name = `${operation.id} as ${who}`;
    const said = inShort(answer);
    if (!isAs(said, expected)) work.fail(`${name}: ${said}, by the table of roles ${expected}; ${shown(call)}`);
    const leak = leakOf(kit.people, operation, who, answer.text);
    if (leak !== undefined) work.fail(`${name}: the response shows ${leak}; ${shown(call)}`);
    const after = before && (await changesOf(base));
    if (before?.own !== after?.own || before?.others !== after?.others) {
      work.fail(`${name}: rejected with ${said}, and something changed`);
    }
    isDone ||= answer.status < 300 && call.method !== 'GET';
    known = after;
    work.done();
  }
  return isDone;
}

/** Checks that the response for another client's resource equals the response for a missing resource. */
function compare(work: Work, id: string, seen: ReadonlyMap<string, string>): void {
  for (const place of Object.keys(table[id] ?? {})) {
    const [foreign, missing] = [seen.get(`${place} otherClient`), seen.get(`${place} missing`)];
    if (foreign !== undefined && missing !== undefined && foreign !== missing) {
      work.fail(`${id} ${place}: of another client ${foreign}, missing ${missing}`);
    }
  }
}

/**
 * Returns the visible part of a response, without the identifier that the caller sent and without values that differ in
 * every response.
 */
function visible(kit: Kit, { place }: Row, situation: Situation, { status, text, headers }: Answer): string {
  const sent = place === '' ? undefined : identifierFor(kit, place, situation);
  const own = text
    .replaceAll(headers['x-request-id'] ?? ' ', '')
    .replace(/"(?:file_name|secret|returnId)":"[^"]*"/, '');
  return `${status} ${sent === undefined ? own : own.replaceAll(sent, 'ID').replaceAll(sent.replace(/^21-/, ''), 'ID')}`;
}

/** Situations in which the service rejects every operation that is not public. */
const NEVER: ReadonlySet<Situation> = new Set(['revoked', 'expired', 'noKey', 'wrongGroup']);

interface Changes {
  own: number;
  others: number;
}

/** Counts the stored events. Each change records one event. */
async function changesOf({ service }: Base): Promise<Changes> {
  const { rows } = await service.store.read((db) =>
    sql<{ client: string; events: number }>`
      select client_id as client, cast(count(*) as bigint) as events from events group by client_id`.execute(db),
  );
  const of = (client: string) => rows.find((row) => row.client === client)?.events ?? 0;
  return { own: of('TOWN'), others: of('OTHER') };
}

function judgeChanges(
  work: Work,
  name: string,
  row: Row,
  situation: Situation,
  answer: Answer,
  before: Changes,
  after: Changes,
): void {
  const isOwnChange = answer.status < 300;
  if (after.own !== before.own && !isOwnChange)
    work.fail(`${name}: rejected with ${answer.status}, and something changed`);
  const mayChangeOthers = isOwnChange && (isOperators(row.operation) || situation === 'asOther');
  if (after.others !== before.others && !mayChangeOthers) work.fail(`${name}: something of another client changed`);
  // This operation is public: the sign-in page lists the providers before a user has signed in.
  const isPublic = row.operation === 'listSignInProviders';
  if (isOwnChange && NEVER.has(situation) && !isPublic) work.fail(`${name}: ${answer.status} without permission`);
}

/** Returns the status, followed by the code of an error. */
export function inShort({ status, body }: Answer): string {
  const said = body as { code?: string; poAsnData?: { errors?: { code?: string }[] }[] } | undefined;
  const code = status < 300 ? undefined : (said?.code ?? said?.poAsnData?.[0]?.errors?.[0]?.code);
  return code === undefined ? String(status) : `${status} ${code}`;
}

function shuffled<T>({ random }: Work, list: readonly T[]): T[] {
  return list
    .map((element) => ({ element, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ element }) => element);
}

function shown({ method, path, body }: Call): string {
  return `${method} ${path} ${JSON.stringify(body ?? null).slice(0, 600)}`;
}

await main(isolation, import.meta.url);

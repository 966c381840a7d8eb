/**
 * Campaign `isolation`: every operation, every place of its request that takes an identifier, with identifiers of another
 * client, store and node and with credentials that do not reach. The answers are those of the table
 * (isolation/table.json); another client's things are answered as if they did not exist, and nothing of another client
 * changes. Everybody who has signed in asks too: a person of each role, which the table of roles decides, and sessions that are
 * no good (isolation/people.ts). On PostgreSQL the two processes of `serve --workers 2` take turns. A case is one cell of the table.
 */
import { sql } from 'kysely';
import type { Store } from '../src/platform/storage/db.ts';
import { operations } from '../src/service/operations.ts';
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
import { type Answer, type Call, endWorkers } from './service.ts';

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
  'a revoked key works': openCredentials({ revoked_at: null }),
  'an expired key works': openCredentials({ expires_at: null }),
  'every key is of every group': openCredentials({
    groups: '["items","inbound","fulfillment","intake","events","supervise","receiving","stock"]',
  }),
  'no key is narrowed to stores': openCredentials({ store_ids: null }),
  'no key is narrowed to nodes': openCredentials({ node_ids: null }),
};

const SESSION_BUGS: Bugs = {
  'a locked session works': openSessions({ locked_at: null }),
  'a session never ends': openSessions({ seen_at: Number.MAX_SAFE_INTEGER, ends_at: Number.MAX_SAFE_INTEGER }),
  'every user is a manager': openSessions({ role: 'manager' }),
  'every user works in all nodes': openSessions({ node_ids: '[]' }),
};

const BUGS: Bugs = { ...KEY_BUGS, ...SESSION_BUGS };

/** Operations at which a bug shows soon: its run begins with them. */
const LOOKED: Readonly<Record<string, readonly string[]>> = {
  'stores are found without their client': ['readFulfillmentOrder'],
  'items are found without their client': ['readItem'],
};

const COUNT = cellsOf(table).length + peopleCells().length;

/** The bug of this name. */
export function wrapOf(name: string): (store: Store) => Store {
  return BUGS[name]!;
}

export const isolation: Campaign = {
  name: 'isolation',
  unit: 'cells',
  count: COUNT,
  control: {
    planted:
      'rows are found without their client; revoked, expired, narrowed and foreign keys are let through, and sessions that are locked, have ended or have another role',
    count: COUNT,
    bugs: Object.keys(BUGS),
  },
  async run(work) {
    const { bug } = work;
    // A planted bug is looked for where it shows.
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

/** All operations in random order, but first those at which the bug of the run shows. */
function inOrder(work: Work): string[] {
  const first = LOOKED[work.bug ?? ''] ?? [];
  const others = operations.map(({ id }) => id).filter((id) => !first.includes(id));
  return [...first, ...shuffled(work, others)];
}

/** Asks every cell of an operation, in random order, in towns that are as the table takes them to be. */
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
    const workers = { campaign: 'isolation', bug: work.bug };
    // What an authenticator signs has no good request, and people are asked without one.
    return openBase(work, kit, isAsked(id) ? id : 'readMe', wrap === undefined ? { workers } : { workers, wrap });
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
  for (const { row, situation, expected } of cells) {
    if (work.enough()) break;
    base ??= await open();
    const call = requestOf(kit, base, row, situation);
    const name = `${id} ${row.place} ${situation}`;
    if (call === undefined) throw new Error(`the table has a cell that does not exist: ${name}`);
    const before = await changesOf(base);
    const answer = await base.service.call(call);
    const after = await changesOf(base);
    const said = inShort(answer);
    if (said !== expected) work.fail(`${name}: ${said}, the table has ${expected}; ${shown(call)}`);
    judgeChanges(work, name, row, situation, answer, before, after);
    seen.set(`${row.place} ${situation}`, visible(kit, row, situation, answer));
    work.done();
    if (answer.status < 300 && call.method !== 'GET') {
      await base.service.close();
      base = undefined;
    }
  }
  await base?.service.close();
  if (!isOperators(id)) compare(work, id, seen);
  return cells.length + people.length;
}

/** Asks an operation as everybody who has signed in; what is refused changes nothing. Answers whether something was done. */
async function askPeople(work: Work, kit: Kit, base: Base, cells: ReturnType<typeof peopleCells>): Promise<boolean> {
  let isDone = false;
  for (const { operation, who } of cells) {
    if (work.enough()) break;
    const call = personCall(kit.people, operation, who);
    const expected = expectedOf(operation, who);
    const before = expected === 'in' ? undefined : await changesOf(base);
    const answer = await base.service.call(call);
    const name = `${operation.id} as ${who}`;
    const said = inShort(answer);
    if (!isAs(said, expected)) work.fail(`${name}: ${said}, by the table of roles ${expected}; ${shown(call)}`);
    const leak = leakOf(kit.people, operation, who, answer.text);
    if (leak !== undefined) work.fail(`${name}: the answer shows ${leak}; ${shown(call)}`);
    const after = before && (await changesOf(base));
    if (before?.own !== after?.own || before?.others !== after?.others) {
      work.fail(`${name}: refused with ${said}, and something changed`);
    }
    isDone ||= answer.status < 300 && call.method !== 'GET';
    work.done();
  }
  return isDone;
}

/** Another client's thing and one that does not exist are answered with the same words. */
function compare(work: Work, id: string, seen: ReadonlyMap<string, string>): void {
  for (const place of Object.keys(table[id] ?? {})) {
    const [foreign, missing] = [seen.get(`${place} otherClient`), seen.get(`${place} missing`)];
    if (foreign !== undefined && missing !== undefined && foreign !== missing) {
      work.fail(`${id} ${place}: of another client ${foreign}, missing ${missing}`);
    }
  }
}

/** What the caller sees, without the request's id and what it sent itself. */
function visible(kit: Kit, { place }: Row, situation: Situation, { status, text, headers }: Answer): string {
  const sent = place === '' ? undefined : identifierFor(kit, place, situation);
  const own = text.replaceAll(headers['x-request-id'] ?? ' ', '').replace(/"(?:file_name|secret)":"[^"]*"/, '');
  return `${status} ${sent === undefined ? own : own.replaceAll(sent, 'ID').replaceAll(sent.replace(/^21-/, ''), 'ID')}`;
}

/** Who is refused whatever is asked for. */
const NEVER: ReadonlySet<Situation> = new Set(['revoked', 'expired', 'noKey', 'wrongGroup']);

interface Changes {
  own: number;
  others: number;
}

/** How much has happened so far: every change leaves its event. */
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
    work.fail(`${name}: refused with ${answer.status}, and something changed`);
  const mayChangeOthers = isOwnChange && (isOperators(row.operation) || situation === 'asOther');
  if (after.others !== before.others && !mayChangeOthers) work.fail(`${name}: something of another client changed`);
  // The page of a sign-in asks for its providers before anybody has signed in.
  const isPublic = row.operation === 'listSignInProviders';
  if (isOwnChange && NEVER.has(situation) && !isPublic) work.fail(`${name}: ${answer.status} without a right to it`);
}

/** Status and code. */
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

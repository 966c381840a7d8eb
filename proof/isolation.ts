/**
 * Campaign `isolation`: every operation, every place of its request that takes an identifier, with identifiers of another
 * client, store and node and with credentials that do not reach. The answers are those of the table
 * (isolation/table.json); another client's things are answered as if they did not exist, and nothing of another client
 * changes. On PostgreSQL the two processes of `serve --workers 2` take turns. A case is one cell of the table.
 */
import { sql } from 'kysely';
import type { Store } from '../src/platform/storage/db.ts';
import { operations } from '../src/service/operations.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import {
  type Base,
  identifierFor,
  isOperators,
  type Kit,
  makeKit,
  openBase,
  type Row,
  requestOf,
  type Situation,
} from './isolation/cells.ts';
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

const BUGS: Record<string, (store: Store) => Store> = {
  'stores are found without their client': withoutTenant('stores'),
  'orders are found without their client': withoutTenant('fulfillment_orders'),
  'items are found without their client': withoutTenant('items'),
  'a revoked key works': openCredentials({ revoked_at: null }),
  'an expired key works': openCredentials({ expires_at: null }),
  'every key is of every group': openCredentials({
    groups: '["items","inbound","fulfillment","intake","events","supervise"]',
  }),
  'no key is narrowed to stores': openCredentials({ store_ids: null }),
  'no key is narrowed to nodes': openCredentials({ node_ids: null }),
};

/** The bug of this name. */
export function wrapOf(name: string): (store: Store) => Store {
  return BUGS[name]!;
}

export const isolation: Campaign = {
  name: 'isolation',
  unit: 'cells',
  count: cellsOf(table).length,
  control: {
    planted: 'rows are found without their client; revoked, expired, narrowed and foreign keys are let through',
    count: cellsOf(table).length,
    bugs: Object.keys(BUGS),
  },
  async run(work) {
    const kit = await makeKit(work);
    const wrap = work.bug === undefined ? undefined : BUGS[work.bug];
    try {
      for (let left = work.count; left > 0 && !work.enough(); ) {
        for (const { id } of shuffled(work, operations)) {
          if (left <= 0 || work.enough()) break;
          left -= await askAll(work, kit, id, left, wrap);
        }
      }
    } finally {
      await endWorkers(work);
    }
  },
};

/** Asks every cell of an operation, in random order, in towns that are as the table takes them to be. */
async function askAll(work: Work, kit: Kit, id: string, most: number, wrap?: (store: Store) => Store): Promise<number> {
  const cells = shuffled(work, cellsOf({ [id]: table[id] ?? {} })).slice(0, most);
  let base: Base | undefined;
  const seen = new Map<string, string>();
  for (const { row, situation, expected } of cells) {
    if (work.enough()) break;
    const workers = { campaign: 'isolation', bug: work.bug };
    base ??= await openBase(work, kit, id, wrap === undefined ? { workers } : { workers, wrap });
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
  return cells.length;
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

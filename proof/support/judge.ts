/**
 * Compares a database with the records of the clerks. No acknowledged write may be lost, no rejected write may be
 * stored, and no write may be stored in part.
 */
import { sql } from 'kysely';
import type { Reader, Store } from '../../src/platform/storage/db.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import type { Clerk, Due, Sent } from './clerk/clerk.ts';
import { adopt } from './clerk/picking.ts';
import { brokenInvariants, integrity, rows } from './judge/invariants.ts';
import { type Actual, readActual, ticketOf } from './judge/read.ts';
import type { Load } from './load.ts';
import { type Back, NO_LEVEL, type Order, textOf } from './world.ts';

export interface Verdict {
  faults: string[];
  /**
   * Among the requests without a response: number of carried-out requests, and number of requests that were not carried
   * out.
   */
  carriedOut: number;
  notCarriedOut: number;
  /** The kinds of the due changes that happened. */
  came: Due['kind'][];
}

/**
 * Compares the database with the records. The database shows whether the service carried out each clerk's open request
 * and the due changes.
 */
export async function judge(store: Store, load: Pick<Load, 'name' | 'clerks' | 'receiver'>): Promise<Verdict> {
  const { name, clerks, receiver } = load;
  const verdict: Verdict = { faults: [], carriedOut: 0, notCarriedOut: 0, came: [] };
  await store.read(async (db) => {
    const actual = await readActual(db, name);
    verdict.faults.push(...actual.faults);
    for (const clerk of clerks) await judgeClerk(db, clerk, actual, verdict);
    const known = new Set(clerks.flatMap((clerk) => [...clerk.carriedOut.keys()]));
    for (const id of actual.events.keys()) {
      if (!known.has(id)) verdict.faults.push(`${id}: events of a request that was not carried out`);
    }
    for (const key of actual.keys) {
      if (!known.has(key)) verdict.faults.push(`${key}: an idempotency record without its request`);
    }
    verdict.faults.push(...(await brokenInvariants(db)), ...(await unheard(db, receiver.heard)));
    if (store.engine === 'sqlite') verdict.faults.push(...(await integrity(db)));
  });
  const broken = (await ruleFindings(store)).filter(({ ok }) => !ok);
  verdict.faults.push(...broken.map(({ check, found }) => `${check}: ${found}`));
  return verdict;
}

async function judgeClerk(db: Reader, clerk: Clerk, actual: Actual, verdict: Verdict): Promise<void> {
  const { open } = clerk;
  if (open !== undefined && isTold(open)) {
    if (wasCarriedOut(open, clerk, actual, verdict.faults)) {
      verdict.carriedOut += 1;
      clerk.settle(open);
      const [first] = open.effect;
      if (open.request.path.endsWith('/generate') && first !== undefined) {
        adopt(clerk, await ticketOf(db, first[0].slice('order:'.length)), (first[1] as Order).with!);
      }
    } else {
      verdict.notCarriedOut += 1;
    }
  }
  clerk.open = undefined;
  for (const due of [...clerk.due]) {
    if (![...due.effect].every(([name, state]) => isThere(actual, name, state))) continue;
    clerk.came(due);
    verdict.came.push(due.kind);
  }
  await readPositions(db, clerk, actual);
  for (const [name, state] of clerk.world) {
    if (isThere(actual, name, state)) continue;
    verdict.faults.push(`${clerk.name}: ${name} must be ${textOf(state)} and is ${textOf(actual.world.get(name))}`);
  }
  for (const [id, sent] of clerk.carriedOut) {
    const { request, events: must, keyed } = sent;
    const of = `${id} (${request.method} ${request.path})`;
    const is = actual.events.get(id) ?? 0;
    if (is !== must) verdict.faults.push(`${of}: ${is} events, not ${must}`);
    if (keyed && !actual.keys.has(id) && !showedForgotten(sent, clerk))
      verdict.faults.push(`${of}: its idempotency record is missing`);
  }
}

/**
 * Returns whether the response of a request showed an order that is anonymized now, or a return with such an order. The
 * idempotency record of such a request was deleted with the customer's data. A lost response may have shown any of the
 * clerk's orders.
 */
function showedForgotten({ id }: Sent, { world, shown }: Clerk): boolean {
  const isForgotten = (name: string) => (world.get(name) as Order | undefined)?.isBlanked === true;
  const isForgottenReturn = (name: string) =>
    (world.get(name) as Back | undefined)?.lines.some(({ order }) => isForgotten(`order:${order}`)) === true;
  const ids = shown.get(id);
  if (ids !== undefined)
    return [...ids].some((one) => isForgotten(`order:${one}`) || isForgottenReturn(`return:${one}`));
  return [...world.keys()].some((name) => name.startsWith('order:') && isForgotten(name));
}

function isThere(actual: Actual, name: string, state: unknown): boolean {
  return textOf(actual.world.get(name)) === textOf(state);
}

/**
 * Returns whether the database can show that the service carried out the request. A request that changes nothing and
 * has no key leaves no trace in the database.
 */
function isTold({ effect, events, keyed }: Sent): boolean {
  return effect.size > 0 || events > 0 || keyed;
}

/** Returns whether the request was carried out. Adds a failure if it was carried out only in part. */
function wasCarriedOut(open: Sent, clerk: Clerk, actual: Actual, faults: string[]): boolean {
  const signs = {
    effect: [...open.effect].map(([name, state]) => isThere(actual, name, state)),
    events: open.events > 0 ? [(actual.events.get(open.id) ?? 0) > 0] : [],
    key: open.keyed ? [actual.keys.has(open.id)] : [],
  };
  const all = Object.values(signs).flat();
  const isAsBefore = [...open.effect.keys()].every((name) => isBefore(actual, name, clerk));
  const isWhole = all.every(Boolean) || (isAsBefore && ![...signs.events, ...signs.key].some(Boolean));
  if (!isWhole) {
    const { method, path } = open.request;
    faults.push(`${open.id} (${method} ${path}) is partly stored: ${JSON.stringify(signs)}, as before ${isAsBefore}`);
  }
  return all.every(Boolean);
}

/**
 * Returns whether the resource has its earlier state. A waiting count for a new item also creates a level of zeros,
 * which the records of the clerk do not have.
 */
function isBefore(actual: Actual, name: string, { world }: Clerk): boolean {
  if (isThere(actual, name, world.get(name))) return true;
  return name.startsWith('level:') && !world.has(name) && isThere(actual, name, NO_LEVEL);
}

/** Reads the positions of the events that were the last ones on the clerk's pages of the feed. */
async function readPositions(db: Reader, clerk: Clerk, { world }: Actual): Promise<void> {
  const ids = clerk.all('event', () => true).map(([id]) => id);
  if (ids.length === 0) return;
  const query = sql`select event_id as id, position from events
    where client_id = 'TOWN' and event_id in (${sql.join(ids.map((id) => sql.lit(id)))})`;
  for (const { id, position } of await rows<{ id: string; position: number }>(db, query)) {
    world.set(`event:${id}`, { position });
  }
}

/** Returns up to five deliveries that the service recorded as delivered, but that the receiver did not get. */
async function unheard(db: Reader, heard: ReadonlySet<string>): Promise<string[]> {
  const made = sql`select d.webhook_id as hook, e.event_id as event from webhook_deliveries d
    join events e on e.client_id = d.client_id and e.position = d.position where d.status = 'DELIVERED'`;
  const found = await rows<{ hook: string; event: string }>(db, made);
  const missing = found.filter(({ hook, event }) => !heard.has(`/${hook} ${event}`));
  return missing.slice(0, 5).map(({ hook, event }) => `webhook ${hook} has delivered ${event}, which did not arrive`);
}

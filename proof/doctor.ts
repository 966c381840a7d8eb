/**
 * Campaign `doctor`: plants one error at a time in each field, row and index of a database in which every kind of work
 * was done. Each error is planted in a transaction that is rolled back. The checks of `backroom doctor` must report the
 * error, unless a constraint of the database rejects it or every value of the field is valid (doctor/free.ts). A case
 * is one error.
 */
import { sql } from 'kysely';
import { createSealer } from '../src/platform/secrets.ts';
import type { Reader, Store, Writer } from '../src/platform/storage/db.ts';
import { ruleFinding } from '../src/service/cli/doctor.ts';
import { RULES } from '../src/service/cli/doctor-rules.ts';
import { schemaFaults } from '../src/service/cli/doctor-schema.ts';
import { eventFindings } from '../src/service/cli/doctor-work.ts';
import { SECRET } from '../town/service-process.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { type Fault, faultsOf } from './doctor/cases.ts';
import { FREE } from './doctor/free.ts';
import { NOON, openService } from './service.ts';

/** The checks that a control leaves out. Each has a place whose errors only this check reports. */
const BUGS: Readonly<Record<string, string>> = {
  'states of orders': 'fulfillment_orders.queue_id',
  documents: 'nodes.address',
  schema: 'schema',
  'places of events': 'event_heads.position',
};

/** Rolls back the transaction of a case. */
class Undo extends Error {}

async function run(work: Work): Promise<void> {
  const service = await openService(work, { servers: 1 });
  try {
    const { store } = service;
    // This read of the feed makes the service assign positions to the events.
    await service.operator('GET', '/operator/v1/events?clientId=TOWN&limit=1');
    const sealer = createSealer(Buffer.from(SECRET, 'hex'));
    const left = work.bug;
    const all = (await faultsOf(store)).filter(({ place }) => left === undefined || place === BUGS[left]);
    const look = (db: Reader, ofSchema: boolean) => findingsOf(db, store, sealer, left, ofSchema);
    const before = await store.read(async (db) => [...(await look(db, false)), ...(await look(db, true))]);
    if (before.length > 0 && left === undefined)
      work.fail(`doctor reports, without a planted error: ${before.join('; ')}`);
    for (const fault of shuffled(all, work.random).slice(0, work.count)) {
      if (work.enough()) return;
      const outcome = await outcomeOf(store, fault, look);
      work.done();
      const name = `${fault.place}: ${fault.way}`;
      if (outcome === 'silent' && !isFree(fault)) work.fail(`silent: ${name}`);
    }
  } finally {
    await service.close();
  }
}

type Look = (db: Reader, ofSchema: boolean) => Promise<string[]>;

type Outcome = 'told' | 'silent' | 'prevented' | 'nothing';

/** Plants an error, runs the checks and rolls back. */
async function outcomeOf(store: Store, { place, statements }: Fault, look: Look): Promise<Outcome> {
  let outcome: Outcome = 'prevented';
  const plant = async (tx: Writer) => {
    let changed = 0n;
    for (const statement of statements) {
      const { numAffectedRows } = await sql.raw(statement).execute(tx);
      changed += numAffectedRows ?? 1n;
    }
    if (changed === 0n) outcome = 'nothing';
    else outcome = (await look(tx, place === 'schema').catch(() => ['a check failed'])).length > 0 ? 'told' : 'silent';
    throw new Undo();
  };
  await store.write(plant).catch(() => undefined);
  return outcome;
}

/**
 * Returns the findings of the first rule that fails; if no rule fails, the findings about events. With `ofSchema`,
 * returns the findings of the schema check instead. The check with the name `left` is left out.
 */
async function findingsOf(
  db: Reader,
  { engine, dialect }: Store,
  sealer: ReturnType<typeof createSealer>,
  left: string | undefined,
  ofSchema: boolean,
): Promise<string[]> {
  const here = { engine, read: <T>(job: (reader: Reader) => Promise<T>) => job(db) };
  // Only an error at the place `schema` can change the result of the schema check.
  if (ofSchema) return left === 'schema' ? [] : schemaFaults(here);
  for (const rule of RULES) {
    const { ok, check, found } = await ruleFinding(rule, { db, dialect, sealer });
    if (!ok && check !== left) return [`${check}: ${found}`];
  }
  const events = await eventFindings(here, NOON);
  return events.filter(({ ok, check }) => !ok && check !== left).map(({ check, found }) => `${check}: ${found}`);
}

function isFree({ place, way }: Fault): boolean {
  return FREE.has(place) || FREE.has(`${place} ${way}`);
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const list = [...all];
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other]!, list[at]!];
  }
  return list;
}

export const doctor: Campaign = {
  name: 'doctor',
  unit: 'faults',
  count: 100_000,
  control: { planted: 'a check of doctor is left out', count: 20, bugs: Object.keys(BUGS) },
  run,
};

await main(doctor, import.meta.url);

/**
 * Kills the service with SIGKILL while it processes a file. Then the file is sent again, or the scheduler finishes it.
 * The file must have one effect and one acknowledgment.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { operatorHeaders } from '../../town/call.ts';
import { freePort } from '../../town/free-port.ts';
import { OPERATOR_KEY, ServiceProcess, send } from '../../town/service-process.ts';
import { makeTown } from '../../town/small-town.ts';
import type { Work } from '../campaign.ts';
import { type Operator, type Shown, shownIn } from './desk.ts';
import { anyShipment, EDI, fileOf, PARTNER, PROFILE, setOf } from './supplier.ts';

/** Number of sets in a file. For each file the service makes a first commit, one commit per set, and a last commit. */
const SETS = 8;
const WARM = 2;
const PATIENCE_MS = 120_000;
const HEADERS = operatorHeaders(OPERATOR_KEY);

/** Kills the service `count` times. With `isTwice`, the service processes a booked set again after each kill. */
export async function killWhileTaking(work: Work, count: number, isTwice = false): Promise<void> {
  const url = work.engine === 'postgres' ? await work.database() : `sqlite:${join(work.folder(), 'backroom.db')}`;
  await makeTown(url);
  const options = { databaseUrl: url, port: await freePort() };
  let service = await ServiceProcess.start(options);
  const store = await openStore(url, { readers: 1, connections: 2 });
  const operator: Operator = async (method, path, body) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...HEADERS, 'content-type': 'application/json' };
    const answer = await send(service.base, { method, path, headers, ...json });
    if (answer === undefined) throw new Error(`${method} ${path} got no response`);
    return { ...answer, headers: {}, body: answer.text === '' ? undefined : (JSON.parse(answer.text) as unknown) };
  };
  const post = (body: string) =>
    send(service.base, {
      method: 'POST',
      path: `${EDI}/interchanges`,
      headers: { ...HEADERS, 'content-type': 'application/edi-x12' },
      body,
    });
  try {
    const put = await operator('PUT', `${EDI}/partners/${PARTNER}`, PROFILE);
    if (put.status >= 300) throw new Error(`PUT of the partner returned ${put.status}: ${put.text}`);
    let usualMs = 0;
    const tally = { before: 0, between: 0, after: 0 };
    // The first files are sent without a kill, to measure the time from the first commit to the last.
    for (let done = -WARM; done < count && !work.enough(); done += 1) {
      const numbers = Array.from({ length: SETS }, (_, at) => `K${done + WARM}-${at}`);
      const control = 500_000_001 + done + WARM;
      const text = fileOf(
        control,
        numbers.map((number) => setOf(anyShipment(work.random, number, 'ASN'))),
      );
      const state = { isSent: false };
      const sending = post(text).finally(() => (state.isSent = true));
      while (!state.isSent && (await statusOf(store, control)) === undefined) await sleep(1);
      const began = performance.now();
      if (done < 0) {
        await sending;
        usualMs = performance.now() - began;
        continue;
      }
      // The planted bug needs a kill between two sets, so this kill waits for the first booked set. On a busy machine a
      // random moment is often too late.
      if (isTwice) while (!state.isSent && !(await hasTakenSet(store, control))) await sleep(1);
      else await sleep(work.random() * usualMs);
      await service.kill();
      await sending;
      service = await ServiceProcess.start(options);
      tally[await atKill(store, control)] += 1;
      if (isTwice) await forgetSet(store, control);
      await letTimePass(store, control);
      const mayOnlyWait = (await statusOf(store, control)) !== undefined;
      const shown =
        mayOnlyWait && work.random() < 0.5 ? await waited(operator, store, control) : await sentAgain(post, text);
      const fault = shown === undefined ? 'it is not finished' : await faultOf(shown, numbers, store);
      if (fault !== undefined) work.fail(`kill ${done}: ${fault}`);
      const again = await post(text);
      if (
        again?.status !== 200 ||
        JSON.stringify(shownIn({ body: JSON.parse(again.text) })[0]) !== JSON.stringify(shown)
      )
        work.fail(`kill ${done}: the same bytes later got another response`);
      work.done();
    }
    if (!work.planted)
      work.say(
        `kills before the first commit ${tally.before}, between ${tally.between}, after the last ${tally.after}`,
      );
  } finally {
    await service.kill();
    await store.close();
  }
}

const named = (control: number) => String(control).padStart(9, '0');

async function statusOf(store: Store, control: number): Promise<string | undefined> {
  const row = await store.read((db) =>
    db
      .selectFrom('edi_interchanges')
      .select('status')
      .where('client_id', '=', 'TOWN')
      .where('control_number', '=', named(control))
      .where('direction', '=', 'IN')
      .executeTakeFirst(),
  );
  return row?.status;
}

async function hasTakenSet(store: Store, control: number): Promise<boolean> {
  const row = await store.read((db) =>
    db
      .selectFrom('edi_sets as set')
      .innerJoin('edi_interchanges as file', (join) =>
        join.onRef('file.client_id', '=', 'set.client_id').onRef('file.interchange_id', '=', 'set.interchange_id'),
      )
      .select('set.position')
      .where('file.client_id', '=', 'TOWN')
      .where('file.control_number', '=', named(control))
      .where('file.direction', '=', 'IN')
      .where('set.position', '=', 1)
      .executeTakeFirst(),
  );
  return row !== undefined;
}

async function atKill(store: Store, control: number): Promise<'before' | 'between' | 'after'> {
  const status = await statusOf(store, control);
  return status === undefined ? 'before' : status === 'TAKING' ? 'between' : 'after';
}

/**
 * Makes the file due, as if a minute had passed. Then the scheduler or the next POST continues a file that no process
 * works on.
 */
async function letTimePass(store: Store, control: number): Promise<void> {
  await store.write((tx) =>
    tx
      .updateTable('edi_interchanges')
      .set({ due_at: Date.now() - 1 })
      .where('client_id', '=', 'TOWN')
      .where('control_number', '=', named(control))
      .where('status', '=', 'TAKING')
      .execute(),
  );
}

/** Plants the bug: deletes the record of the file's first set, so that the service processes the set again. */
async function forgetSet(store: Store, control: number): Promise<void> {
  await store.write(async (tx) => {
    const row = await tx
      .selectFrom('edi_interchanges')
      .select('interchange_id')
      .where('client_id', '=', 'TOWN')
      .where('control_number', '=', named(control))
      .where('status', '=', 'TAKING')
      .executeTakeFirst();
    if (row === undefined) return;
    await tx
      .deleteFrom('edi_sets')
      .where('client_id', '=', 'TOWN')
      .where('interchange_id', '=', row.interchange_id)
      .where('position', '=', 1)
      .execute();
  });
}

/** Sends the file until the service accepts it. Returns the interchange; undefined after `PATIENCE_MS`. */
async function sentAgain(post: (text: string) => ReturnType<typeof send>, text: string): Promise<Shown | undefined> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    await sleep(100);
    const answer = await post(text);
    if (answer !== undefined && answer.status < 300) return shownIn({ body: JSON.parse(answer.text) })[0];
  }
  return undefined;
}

/** Waits until the scheduler has finished the file. Returns the interchange; undefined after `PATIENCE_MS`. */
async function waited(operator: Operator, store: Store, control: number): Promise<Shown | undefined> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    await sleep(100);
    if ((await statusOf(store, control)) === 'TAKING') continue;
    const row = await store.read((db) =>
      db
        .selectFrom('edi_interchanges')
        .select('interchange_id')
        .where('client_id', '=', 'TOWN')
        .where('control_number', '=', named(control))
        .where('direction', '=', 'IN')
        .executeTakeFirstOrThrow(),
    );
    return (await operator('GET', `${EDI}/interchanges/${row.interchange_id}`)).body as Shown;
  }
  return undefined;
}

/** Checks a finished file that has only correct sets. Returns what is wrong; undefined if it is right. */
async function faultOf(shown: Shown, numbers: readonly string[], store: Store): Promise<string | undefined> {
  if (shown.status !== 'ACCEPTED') return `it is ${shown.status}`;
  if (shown.sets.length !== numbers.length) return `it has ${shown.sets.length} sets of ${numbers.length}`;
  const notes = shown.sets.flatMap(({ findings }) => findings.map(({ code }) => code));
  if (notes.length > 0) return `sets were taken twice: ${notes.join(', ')}`;
  const kinds = shown.answers.map(({ setId }) => setId).join();
  if (kinds !== '997') return `its acknowledgments are ${kinds}`;
  if (!shown.answers[0]!.content.includes(`AK9*A*${numbers.length}*${numbers.length}*${numbers.length}~`))
    return 'its 997 counts other sets';
  const { events, received, written } = await store.read(async (db) => ({
    events: await db
      .selectFrom('events')
      .select('resource_id')
      .where('client_id', '=', 'TOWN')
      .where('type', '=', 'inbound.transmitted')
      .execute(),
    received: await db
      .selectFrom('events')
      .select('resource_id')
      .where('client_id', '=', 'TOWN')
      .where('type', '=', 'edi.received')
      .where('resource_id', '=', shown.interchangeId)
      .execute(),
    written: await db
      .selectFrom('edi_interchanges')
      .select('interchange_id')
      .where('client_id', '=', 'TOWN')
      .where('source', '=', shown.interchangeId)
      .execute(),
  }));
  for (const number of numbers) {
    const count = events.filter(({ resource_id }) => resource_id.includes(number)).length;
    if (count !== 1) return `ASN ${number} was announced ${count} times`;
  }
  if (received.length !== 1) return `its receipt has ${received.length} events`;
  return written.length === 1 ? undefined : `${written.length} acknowledgments were written`;
}

/**
 * `npm run proof:soak`: a mixed load for twenty minutes (`--minutes`, or `--count` in seconds). In the second half of
 * the run, memory, open files and the write-ahead log of SQLite must not grow.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '../src/platform/storage/db.ts';
import { leases } from '../src/service/scheduler/kinds.ts';
import { freePort } from '../town/free-port.ts';
import { ServiceProcess } from '../town/service-process.ts';
import { createDatabase, fileOf, makeTown } from '../town/small-town.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { durablePostgres } from './crash.ts';
import { flatness, type Sample } from './soak/flat.ts';
import { judge } from './support/judge.ts';
import { Load } from './support/load.ts';
import { letTimePass } from './support/passing-time.ts';
import { MAY_SEND } from './support/receiver.ts';

/**
 * Milliseconds between the requests of a client. With this pause, the load is like a busy day, not like a benchmark.
 */
const PAUSE_MS = 50;
/** Length of a shift in seconds. Clerks keep all of their data in memory, so new clerks replace them after a shift. */
const SHIFT_S = 60;
/**
 * Seconds before the end of a shift at which deadlines are moved into the past. The scheduler must then do the due
 * work.
 */
const DUE_S = 5;
/** Minimum number of samples for a slope. */
const LEAST_SAMPLES = 8;
/** Number of checks after which due work that is still pending counts as a failure. */
const LOOKS = 30;

export const soak: Campaign = {
  name: 'soak',
  unit: 'seconds',
  count: 20 * 60,
  control: { planted: 'a store that keeps 100 kB and an open file of each write', count: 20 },
  async run(work) {
    const server = work.engine === 'postgres' ? await durablePostgres() : undefined;
    try {
      const url =
        server === undefined
          ? `sqlite:${join(work.folder(), 'backroom.db')}`
          : await createDatabase(server.url, 'soak');
      await soakOn(work, url);
    } finally {
      await server?.remove();
    }
  },
};

async function soakOn(work: Work, url: string): Promise<void> {
  const credential = await makeTown(url);
  const planted = work.planted ? { planted: { plant: 'leak' as const } } : {};
  const service = await ServiceProcess.start({ databaseUrl: url, port: await freePort(), env: MAY_SEND, ...planted });
  const samples: Sample[] = [];
  const store = await openStore(url, { readers: 1, connections: 1 });
  try {
    for (let second = 0, shift = 0; second < work.count; shift += 1) {
      const load = await Load.open(`s${shift}`, credential, work.seed + shift);
      load.start(service.base, { pauseMs: PAUSE_MS });
      await load.begun();
      for (const end = Math.min(second + SHIFT_S, work.count); second < end; second += 1) {
        await sleep(1_000);
        samples.push(sampleOf(service.pid, url));
        work.done();
        // The leak of the control is visible after a few seconds.
        if (work.planted && samples.length >= LEAST_SAMPLES && flatness(samples).some(({ isFlat }) => !isFlat)) {
          second = work.count;
          break;
        }
        if (second !== end - DUE_S) continue;
        await load.stop();
        await letTimePass(store, load.clerks, { withLeases: second * 1_000 > leases.graceMs! });
        load.start(service.base, { pauseMs: PAUSE_MS });
        await load.begun();
      }
      await load.stop();
      for (const fault of [...load.faults, ...(await compared(store, load))].slice(0, 5)) work.fail(fault);
      await load.leave(service.base);
    }
  } finally {
    await service.kill();
    await store.close();
  }
  for (const { name, sentence, isFlat } of flatness(samples)) {
    if (!work.planted) work.say(sentence);
    if (!isFlat) work.fail(`${name} does not stay flat: ${sentence}`);
  }
}

/** Compares the database with the records of the clerks repeatedly, until all due work is done. */
async function compared(store: Store, load: Load): Promise<string[]> {
  for (let look = 1; ; look += 1) {
    const { faults } = await judge(store, load);
    const due = load.clerks.flatMap((clerk) =>
      [...clerk.due].map(({ kind }) => `${clerk.name}: ${kind} did not happen`),
    );
    if (faults.length > 0 || due.length === 0) return faults;
    if (look === LOOKS) return due;
    await sleep(1_000);
  }
}

function sampleOf(pid: number, url: string): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const wal = url.startsWith('sqlite:') ? statSync(`${fileOf(url)}-wal`, { throwIfNoEntry: false })?.size : undefined;
  return {
    memory: Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
    ...(wal !== undefined && { log: wal / 1024 / 1024 }),
  };
}

minutesToCount(process.argv);
await main(soak, import.meta.url);

/** Replaces `--minutes M` by `--count`, which is in seconds. */
function minutesToCount(words: string[]): void {
  const at = words.indexOf('--minutes');
  if (at > 0) words.splice(at, 2, '--count', String(Math.round(Number(words[at + 1]) * 60)));
}

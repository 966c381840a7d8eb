/**
 * `npm run proof:pitr`: a PostgreSQL with the archive of `deploy/pitr` loses its data while clients write, and is
 * restored to a chosen second. Every row of the writes that were acknowledged before that second must exist. Writes
 * that were sent after that second must not exist.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/platform/config.ts';
import { openStore } from '../src/platform/storage/db.ts';
import { SECOND_MS } from '../src/platform/time.ts';
import { contentOf } from '../src/service/backup/content.ts';
import { differences } from '../src/service/backup/manifest.ts';
import { examine } from '../src/service/cli/doctor.ts';
import { freePort } from '../town/free-port.ts';
import { SECRET, ServiceProcess } from '../town/service-process.ts';
import { type Credential, createDatabase, makeTown } from '../town/small-town.ts';
import { ArchivedServer, backrestVersion, whyNoArchive } from './pitr/server.ts';
import { Stream } from './pitr/stream.ts';
import { judge } from './support/judge.ts';
import { Load } from './support/load.ts';
import { MAY_SEND } from './support/receiver.ts';

/** Length of the mixed load before the restored second. The load after it has half of this length. */
const LOAD_MS = 2_500;
/** Time between the restored second and each of the two other seconds to which the control restores. */
const BESIDE_MS = 1_000;

const say = (line: string) => process.stderr.write(`pitr: ${line}\n`);

interface Place {
  server: ArchivedServer;
  url: string;
  credential: Credential;
}

interface Outcome {
  acknowledged: number;
  faults: string[];
}

/** Runs the service on the database during `work`. */
async function serving(url: string, work: (base: string) => Promise<void>): Promise<void> {
  const service = await ServiceProcess.start({ databaseUrl: url, port: await freePort(), env: MAY_SEND });
  try {
    await work(service.base);
  } finally {
    await service.stop();
  }
}

/** Waits for the next full second and returns it. */
async function nextSecond(): Promise<number> {
  const target = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS;
  await sleep(target + 1 - Date.now());
  return target;
}

async function doctor(url: string): Promise<string[]> {
  const findings = await examine(loadConfig({ DATABASE_URL: url, BACKROOM_SECRET: SECRET }), Date.now());
  return findings.filter(({ ok }) => !ok).map(({ check, found }) => `doctor: ${check}: ${found}`);
}

/** Restores to a second without writes, as after an operator's error, so that the whole database can be compared. */
async function mistake({ server, url, credential }: Place, turn: number, seed: number): Promise<Outcome> {
  const before = await Load.open(`b${turn}`, credential, seed);
  await serving(url, async (base) => {
    before.start(base);
    await sleep(LOAD_MS);
    await before.stop();
  });
  const content = await contentOf(url);
  const target = await nextSecond();
  const after = await Load.open(`a${turn}`, credential, seed + 500);
  await serving(url, async (base) => {
    after.start(base);
    await sleep(LOAD_MS / 2);
    await after.stop();
  });
  const spoiled = differences(content, await contentOf(url)).length;
  await server.archived();
  await server.lose();
  await server.restore(target);
  const faults = differences(content, await contentOf(url));
  if (spoiled === 0) faults.push('nothing was written after the second');
  const store = await openStore(url, { connections: 2 });
  try {
    faults.push(...before.faults, ...(await judge(store, before)).faults, ...(await doctor(url)));
  } finally {
    await store.close();
  }
  return { acknowledged: before.acknowledged, faults };
}

/** Loses the machine, but not the archive. The restore must bring back all archived data. */
async function machine({ server, url, credential }: Place, turn: number, seed: number): Promise<Outcome> {
  const load = await Load.open(`m${turn}`, credential, seed + 700);
  await serving(url, async (base) => {
    load.start(base);
    await sleep(LOAD_MS / 2);
    await load.stop();
  });
  const content = await contentOf(url);
  await server.archived();
  await server.lose();
  await server.restoreNewest();
  return { acknowledged: load.acknowledged, faults: [...load.faults, ...differences(content, await contentOf(url))] };
}

/**
 * Restores to a second in the middle of constant writes. With `control`, the data is also restored to the second before
 * and to the second after, and the checks must find errors in both.
 */
async function flow(
  { server, url, credential }: Place,
  turn: number,
  control?: (caught: boolean) => void,
): Promise<Outcome> {
  const stream = new Stream(`f${turn}`, credential);
  let target = 0;
  await serving(url, async (base) => {
    stream.start(base);
    await sleep(BESIDE_MS * 2);
    target = await nextSecond();
    await sleep(BESIDE_MS * 2);
    await stream.stop();
  });
  await server.archived();
  const found = () => server.query<{ id: string }>(stream.statement, [], url).then((rows) => rows.map(({ id }) => id));
  for (const beside of control === undefined ? [] : [-BESIDE_MS, BESIDE_MS]) {
    await server.lose();
    await server.restore(target + beside, 'pause');
    const faults = stream.judge(target, await found());
    say(`control, ${beside} ms beside: ${faults[0] ?? 'NOT CAUGHT'}`);
    control!(faults.length > 0);
  }
  await server.lose();
  await server.restore(target);
  return {
    acknowledged: stream.acknowledgedBefore(target),
    faults: [...stream.judge(target, await found()), ...(await doctor(url))],
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      turns: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  if (![values.turns, values.seed].every((text) => /^\d{1,4}$/.test(text)))
    throw new Error('--turns and --seed must be whole numbers.');
  const why = whyNoArchive();
  if (why !== undefined) {
    say(`not run, and so not passed: ${why}`);
    process.exitCode = 2;
    return;
  }
  say(backrestVersion());
  const sums = { restores: 0, acknowledged: 0, failures: 0, control: true };
  const server = await ArchivedServer.make();
  try {
    const url = await createDatabase(server.url, 'shop');
    const place = { server, url, credential: await makeTown(url) };
    for (let turn = 1; turn <= Number(values.turns); turn += 1) {
      const control = turn === 1 ? (isCaught: boolean) => (sums.control &&= isCaught) : undefined;
      for (const [name, scene] of [
        ['mistake', () => mistake(place, turn, Number(values.seed) * 1_000 + turn)],
        ['flow', () => flow(place, turn, control)],
        ['machine', () => machine(place, turn, Number(values.seed) * 1_000 + turn)],
      ] as const) {
        const { acknowledged, faults } = await scene();
        sums.restores += 1;
        sums.acknowledged += acknowledged;
        sums.failures += faults.length > 0 ? 1 : 0;
        say(`${name} ${turn}: ${acknowledged} acknowledged, ${faults.length} failures`);
        for (const fault of faults.slice(0, 5)) say(`${name} ${turn}: ${fault.slice(0, 400)}`);
      }
    }
  } finally {
    await server.remove();
  }
  const { control, ...counts } = sums;
  const planted = { planted: 'a restore to the second before, and to the one after', caught: control };
  const result = { campaign: 'pitr', engine: 'postgres', seed: Number(values.seed), ...counts, control: planted };
  const { restores, acknowledged, failures } = counts;
  process.stdout.write(
    values.json
      ? `${JSON.stringify(result)}\n`
      : `pitr: ${restores} restores, ${acknowledged} acknowledged, ${failures} failures; control ${control ? 'caught' : 'NOT CAUGHT'}\n`,
  );
  process.exitCode = failures === 0 && control ? 0 : 1;
}

await main();

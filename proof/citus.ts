/**
 * `npx node proof/citus.ts [--scenes model,race] [--count 20] [--seed 1] [--minutes 40]` starts a Citus coordinator and
 * two Citus workers on this machine. It distributes the tables with `backroom schema --distribute citus` and runs
 * scenes on this cluster (see docs/scale.md). With `--suite test/picking,test/stock` vitest runs these tests on the
 * cluster instead. Exit code 2 means that the PostgreSQL of this machine has no Citus.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Cluster, missingLibrary } from '../town/citus-cluster.ts';
import { commands } from './citus/commands.ts';
import { processes } from './citus/processes.ts';
import { campaignScene, type Scene, type Stage } from './citus/scene.ts';
import { tenants } from './citus/tenants.ts';
import { crash, killInTurns } from './crash.ts';
import { model } from './model.ts';
import { race } from './race.ts';
import { year } from './year.ts';

/** Minimum number of days of the scene `year`. With fewer days, retention has hardly any rows to delete. */
const YEAR_DAYS = 14;

/** The scenes, each with the default of `--count`. */
const SCENES: Readonly<Record<string, { count: number; scene: Scene }>> = {
  model: { count: 20, scene: campaignScene(model, (work) => model.run(work)) },
  race: { count: 200, scene: campaignScene(race, (work) => race.run(work)) },
  crash: { count: 10, scene: campaignScene(crash, (work) => killInTurns(work)) },
  year: {
    count: 24,
    scene: campaignScene(year, (work) => year.run({ ...work, count: Math.max(YEAR_DAYS, work.count) })),
  },
  processes: { count: 10, scene: processes },
  commands: { count: 1, scene: commands },
  tenants: { count: 1, scene: tenants },
};

const { values } = parseArgs({
  options: {
    scenes: { type: 'string', default: Object.keys(SCENES).join(',') },
    suite: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string' },
    minutes: { type: 'string', default: '40' },
  },
});

const missing = missingLibrary();
if (missing !== undefined) {
  console.error(`There is no Citus on this machine (${missing}). See docs/scale.md for how to build it.`);
  process.exit(2);
}
const names = values.scenes.split(',');
for (const name of names)
  if (!(name in SCENES)) throw new Error(`There is no scene ${name}: ${Object.keys(SCENES).join(', ')}.`);

const folder = mkdtempSync(join(tmpdir(), 'backroom-citus-'));
let tests: ChildProcess | undefined;
let cluster: Cluster | undefined;
let failures = 0;
const end = async (why: string) => {
  console.error(why);
  tests?.kill('SIGTERM');
  await cluster?.remove();
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(`Ended by ${signal}.`));
setTimeout(() => void end(`It took longer than ${values.minutes} minutes.`), Number(values.minutes) * 60_000).unref();
try {
  cluster = await Cluster.start();
  console.log(await cluster.version());
  if (values.suite !== undefined) failures = await suite(cluster, values.suite.split(','));
  else for (const name of names) await play(cluster, name);
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await cluster?.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function play(cluster: Cluster, name: string): Promise<void> {
  const { count, scene } = SCENES[name]!;
  let own = 0;
  const stage: Stage = {
    cluster,
    folder,
    seed: Number(values.seed),
    count: values.count === undefined ? count : Number(values.count),
    fail: (what) => {
      own += 1;
      console.log(`${name}, failure: ${what.slice(0, 2_000)}`);
    },
    say: (line) => console.error(`${name}: ${line}`),
  };
  const said = await scene(stage).catch((error: unknown) => {
    stage.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 'interrupted';
  });
  failures += own;
  console.log(`${name}: ${said}, ${own} failures`);
}

/** Runs tests of the suite on distributed databases; returns the exit code of vitest. */
function suite({ urls }: Cluster, files: readonly string[]): Promise<number> {
  const env = { ...process.env, TEST_DATABASE_URL: urls[0], TEST_CITUS_NODES: urls.join(' ') };
  const program = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...files];
  return new Promise((resolve, reject) => {
    tests = spawn(process.execPath, program, { env, stdio: 'inherit' });
    tests.once('error', reject);
    tests.once('exit', (code) => resolve(code ?? 1));
  });
}

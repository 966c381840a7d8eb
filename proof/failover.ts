/**
 * `npm run proof:failover`: machines of the highly available set-up of `deploy/ha` fail in several ways, while clients
 * write to two services. No acknowledged write may be lost, no write may be done twice, and writes must resume without
 * help. The results of all runs accumulate in a file: see proof/README.md.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { ClusterOptions } from './failover/cluster.ts';
import { Networks, whyNoNetworks } from './failover/networks.ts';
import { SCENES, type Scene } from './failover/scenes.ts';
import { Tally } from './failover/tally.ts';
import { clockLibrary, patroniVersion, soundApi, whyNoCluster } from './failover/tools.ts';
import { type Outcome, Town } from './failover/turn.ts';

const BEHIND_S = 3;
/** Default of `--minutes`. */
const MINUTES = 60;
/** This environment variable is set in the process that plays the scenes inside a network namespace. */
const INSIDE = 'PROOF_FAILOVER_INSIDE';

const USAGE = `Usage: npm run proof:failover -- [options]

  --scenes A,B      scenes to play (default: all): ${SCENES.map(({ name }) => name).join(', ')}
  --turns N         turns of each scene (default 1); the control is played until it loses a write
  --seed N          seed of the turns (default 1)
  --minutes N       no new turn begins after this time (default ${MINUTES})
  --state FILE      continue the counts of this file
  --json            print one JSON line instead of the table
  -h, --help        print this text

Exit code: 0 passed, 1 failed, 2 not run.
`;

const say = (line: string) => process.stderr.write(`failover: ${line}\n`);

interface Options {
  scenes: readonly Scene[];
  turns: number;
  seed: number;
  /** Time after which no new turn begins, in milliseconds of `performance.now()`. */
  end: number;
  tally: Tally;
}

/** Returns the reason why this machine cannot play a scene; undefined if it can. */
function whyNot({ needs }: Scene): string | undefined {
  if (needs === 'networks') return process.env[INSIDE] === undefined ? whyNoNetworks() : undefined;
  if (needs === 'clocks' && clockLibrary() === undefined) return 'libfaketime is not installed (Debian: libfaketime)';
  if (needs === 'flaw' && soundApi() === 'etcd3') return `Patroni ${patroniVersion()} does not have that flaw`;
  return undefined;
}

function clusterFor({ needs }: Scene, networks: Networks | undefined): ClusterOptions {
  const api = needs === 'flaw' ? 'etcd3' : soundApi();
  const library = clockLibrary();
  return {
    api,
    ...(networks && { networks }),
    ...(needs === 'clocks' && library && { clocks: { library, behindS: BEHIND_S, nodes: ['node2', 'node3'] } }),
  };
}

/** Plays the missing turns of each scene. Ordinary scenes alternate on one cluster. */
async function play(options: Options, networks: Networks | undefined): Promise<void> {
  const { scenes, turns, tally } = options;
  const ordinary = scenes.filter(({ needs }) => needs === 'nothing' || needs === 'networks');
  let town: Town | undefined;
  try {
    for (let round = 1; round <= turns && performance.now() < options.end; round += 1) {
      for (const scene of ordinary) {
        if (!tally.needsTurn(scene.name, turns) || performance.now() > options.end) continue;
        town ??= await Town.open(clusterFor(scene, networks));
        if (await turn(options, town, scene)) continue;
        // The turn may have damaged the cluster, so the next scene gets a new cluster.
        await town.close();
        town = undefined;
      }
    }
  } finally {
    await town?.close();
  }
  for (const scene of scenes.filter((one) => !ordinary.includes(one))) {
    while (tally.needsTurn(scene.name, turns) && performance.now() < options.end) {
      const own = await Town.open(clusterFor(scene, undefined));
      try {
        await turn(options, own, scene);
      } finally {
        await own.close();
      }
    }
  }
}

function brokenOff({ message }: Error): Outcome {
  const faults = [`the turn was interrupted: ${message}`];
  return { acknowledged: 0, repeated: 0, lost: [], faults, gapS: 0, wholeS: 0, statuses: {} };
}

/** Plays a turn; returns true if it had no failure. */
async function turn({ seed, tally }: Options, town: Town, scene: Scene): Promise<boolean> {
  const number = tally.turns(scene.name) + 1;
  const outcome = await town
    .play(scene, number, seed * 1_000 + number)
    .catch((error: unknown) => brokenOff(error as Error));
  tally.add(scene.name, outcome);
  const { acknowledged, lost, faults, gapS, wholeS } = outcome;
  const counts = `${acknowledged} acknowledged, ${lost.length} lost, ${gapS.toFixed(1)} s, whole in ${wholeS.toFixed(1)} s`;
  say(`${scene.name} ${number}: ${counts}`);
  for (const fault of [...faults, ...lost].slice(0, 5)) say(`${scene.name} ${number}: ${fault.slice(0, 400)}`);
  return lost.length + faults.length === 0;
}

/** Plays the scenes that need networks in a separate process, in a network namespace without external connections. */
function playInside(options: Options, state: string): void {
  const scenes = options.scenes.filter(({ needs }) => needs === 'networks').map(({ name }) => name);
  const minutes = Math.ceil((options.end - performance.now()) / 60_000);
  if (scenes.length === 0 || minutes <= 0) return;
  const words = ['--scenes', scenes.join(','), '--turns', String(options.turns), '--seed', String(options.seed)];
  const program = [process.execPath, process.argv[1]!, ...words, '--minutes', String(minutes), '--state', state];
  spawnSync('unshare', ['--net', ...program], {
    env: { ...process.env, [INSIDE]: 'yes' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  options.tally.load();
}

async function run(options: Options): Promise<void> {
  if (process.env[INSIDE] !== undefined) {
    const networks = Networks.make();
    try {
      await play(options, networks);
    } finally {
      networks.remove();
    }
    return;
  }
  await play({ ...options, scenes: options.scenes.filter(({ needs }) => needs !== 'networks') }, undefined);
  playInside(options, options.tally.file);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      scenes: { type: 'string', default: SCENES.map(({ name }) => name).join(',') },
      turns: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: String(MINUTES) },
      state: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const names = values.scenes.split(',');
  if (!names.every((name) => SCENES.some((scene) => scene.name === name))) {
    throw new Error(`Scenes are ${SCENES.map(({ name }) => name).join(', ')}.`);
  }
  const numbers = [values.turns, values.seed, values.minutes];
  if (!numbers.every((text) => /^\d{1,6}$/.test(text)))
    throw new Error('--turns, --seed and --minutes are whole numbers.');
  const why = whyNoCluster();
  if (why !== undefined) {
    say(`not run, and so not passed: ${why}`);
    process.exitCode = 2;
    return;
  }
  const version = patroniVersion();
  const over = soundApi(version) === 'etcd3' ? 'etcd3 API' : 'etcd v2 API, because its etcd3 API loses writes';
  say(`Patroni ${version} over the ${over}`);
  const tally = new Tally(values.state);
  const scenes = SCENES.filter((scene) => {
    if (!names.includes(scene.name)) return false;
    const reason = whyNot(scene);
    if (reason !== undefined) say(`not played: ${scene.name}, because ${reason}`);
    return reason === undefined;
  });
  const end = performance.now() + Number(values.minutes) * 60_000;
  const options = { scenes, turns: Number(values.turns), seed: Number(values.seed), end, tally };
  await run(options);
  process.stdout.write(`${values.json ? JSON.stringify(tally.result(names)) : tally.table(names)}\n`);
  process.exitCode = tally.hasPassed(names) ? 0 : 1;
}

await main();

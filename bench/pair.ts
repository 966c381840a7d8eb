/**
 * `npm run bench:pair -- --before VERSION|COMMIT|FOLDER... [--now FOLDER] [--only NAME]... [--rounds N] [--brief]
 * [--quick] [--busy] [--json]`: runs each scenario of the bench alternately in this checkout and in other releases, on
 * one machine. For each figure, the command prints the median of each release and of this checkout. It also prints the
 * speed of this checkout relative to the release; more is better. It exits with 1 if a figure is slower or a scenario
 * of this checkout fails.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startBusy } from '../town/busy.ts';
import { checkoutOf } from '../town/releases.ts';
import { SCENARIOS } from './scenarios.ts';
import { type Comparison, compared, FEWEST_ROUNDS, LEAST, lineOf, type Round, type Run } from './support/pairs.ts';
import type { Result } from './support/scenario.ts';

/** Scenarios that insert a million rows, or write for minutes. */
const LONG = new Set(['items-random', 'queue-search', 'scan', 'import-stock']);

/** The name of this checkout in progress messages. */
const NOW = 'now';

const { values: args } = parseArgs({
  options: {
    before: { type: 'string', multiple: true, default: [] },
    now: { type: 'string', default: new URL('..', import.meta.url).pathname },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: String(FEWEST_ROUNDS) },
    brief: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  if (args.before.length === 0) {
    console.error(
      'Name another release: --before VERSION, --before COMMIT, or --before FOLDER with its packages installed',
    );
    return 2;
  }
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const releases = args.before.map((name) => ({ name, folder: releaseOf(name, say) }));
  const names = SCENARIOS.map(({ name }) => name).filter(
    (name) => args.only?.includes(name) ?? !(args.brief && LONG.has(name)),
  );
  const rounds = await run(releases, names, say);
  const comparisons = releases.map(({ name }) => ({ before: name, ...compared(rounds.get(name)!) }));
  if (args.json) console.log(JSON.stringify({ least: LEAST, busy: args.busy, comparisons }));
  else for (const comparison of comparisons) print(comparison, { withName: comparisons.length > 1 });
  const isWorse = ({ pairs, failed }: Comparison) =>
    pairs.some(({ isSlower }) => isSlower) || failed.some(({ side }) => side === 'now');
  return comparisons.some(isWorse) ? 1 : 0;
}

function print(
  { before, pairs, notBefore, failed }: Comparison & { before: string },
  { withName }: { withName: boolean },
): void {
  if (withName) console.log(`Against ${before}:`);
  for (const pair of pairs) console.log(lineOf(pair));
  for (const name of notBefore) console.log(`${name}: not in the release before`);
  for (const { scenario, side, why } of failed) console.log(`${scenario}: failed ${side}: ${why}`);
}

/** Returns the checkout of a release: the given folder, or a checkout that is built from the history. */
function releaseOf(name: string, say: (line: string) => void): string {
  if (existsSync(join(name, 'bench', 'run.ts'))) return resolve(name);
  const folder = checkoutOf(name, say);
  takeRoundsFromUs(join(folder, 'bench', 'support', 'scenario.ts'));
  return folder;
}

/**
 * Releases up to 0.2.0 ignore BENCH_ROUNDS, so this function changes the line of their bench that sets the number of
 * rounds.
 */
function takeRoundsFromUs(file: string): void {
  const text = readFileSync(file, 'utf8');
  const loop = 'round < rounds; round++';
  if (!text.includes(loop)) return;
  writeFileSync(file, text.replace(loop, "round < Number(process.env['BENCH_ROUNDS'] ?? rounds); round++"));
}

/**
 * Returns the rounds of each release. The order of the releases and this checkout is reversed in every second round. If
 * a scenario is missing or fails in a release, later rounds skip it there. If it fails in this checkout, later rounds
 * skip it everywhere.
 */
async function run(
  releases: readonly { name: string; folder: string }[],
  names: readonly string[],
  say: (line: string) => void,
): Promise<Map<string, Round[]>> {
  const rounds = new Map(releases.map(({ name }) => [name, [] as Round[]]));
  const over = new Set<string>();
  const kept = mkdtempSync(join(tmpdir(), 'backroom-pair-'));
  const stop = args.busy ? startBusy() : undefined;
  const one = async (round: number, scenario: string, name: string, folder: string) => {
    const began = performance.now();
    const result = await bench(folder, scenario, join(kept, String(releases.findIndex((one) => one.name === name))));
    say(`round ${round + 1}, ${scenario}, ${name}: ${Math.round((performance.now() - began) / 1000)} s`);
    return result;
  };
  try {
    for (let round = 0; round < Number(args.rounds); round += 1) {
      for (const scenario of names) {
        const open = releases.filter(({ name }) => !over.has(`${scenario} ${name}`));
        if (open.length === 0) continue;
        const sides = [...open, { name: NOW, folder: args.now }];
        const results = new Map<string, Run>();
        for (const { name, folder } of round % 2 === 0 ? sides : sides.toReversed())
          results.set(name, await one(round, scenario, name, folder));
        const now = results.get(NOW)!;
        for (const { name } of open) {
          const before = results.get(name)!;
          if (!('results' in before && 'results' in now)) over.add(`${scenario} ${name}`);
          rounds.get(name)!.push({ scenario, before, now });
        }
      }
    }
  } finally {
    stop?.();
    rmSync(kept, { recursive: true, force: true });
  }
  return rounds;
}

/** Runs one scenario of a checkout. Its databases remain in the folder `kept` for the next round. */
function bench(folder: string, scenario: string, kept: string): Promise<Run> {
  mkdirSync(kept, { recursive: true });
  const words = ['--json', '--only', scenario, '--keep', kept, ...(args.quick ? ['--quick'] : [])];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['bench/run.ts', ...words], {
      cwd: folder,
      env: { ...process.env, ...(args.brief && { BENCH_ROUNDS: '1' }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      errors = (errors + part).slice(-10_000);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve({ results: (JSON.parse(text) as { results: Result[] }).results });
      else if (code === 2 && errors.includes('There is no scenario')) resolve({ missing: true });
      else resolve({ failed: /^\w*Error: .*$/m.exec(errors)?.[0] ?? `exit code ${code}` });
    });
  });
}

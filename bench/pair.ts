/**
 * `npm run bench:pair -- --before COMMIT|FOLDER [--now FOLDER] [--only NAME]... [--rounds N] [--brief] [--quick] [--busy] [--json]`: the
 * bench of this checkout and of another release, scenario by scenario in turns on one machine. Prints for each figure both medians
 * and now / before, turned so that more is better. Ends with 1 when a figure is slower, or a scenario of this checkout fails.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.ts';
import { startBusy } from './support/busy.ts';
import { compared, FEWEST_ROUNDS, LEAST, type Pair, type Round, type Run } from './support/pairs.ts';
import { checkoutOf } from './support/release.ts';
import type { Result } from './support/scenario.ts';

/** Scenarios that fill a million rows, or write for minutes. */
const LONG = new Set(['items-random', 'queue-search', 'scan', 'import-stock']);

const { values: args } = parseArgs({
  options: {
    before: { type: 'string' },
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
  if (args.before === undefined) {
    console.error('Name the other release: --before COMMIT, or --before FOLDER with its packages installed');
    return 2;
  }
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const folders = { before: checkoutOf(args.before, say), now: args.now };
  const names = SCENARIOS.map(({ name }) => name).filter(
    (name) => args.only?.includes(name) ?? !(args.brief && LONG.has(name)),
  );
  const rounds = await run(folders, names, say);
  const { pairs, notBefore, failed } = compared(rounds);
  if (args.json) console.log(JSON.stringify({ least: LEAST, busy: args.busy, pairs, notBefore, failed }));
  else {
    for (const pair of pairs) console.log(lineOf(pair));
    for (const name of notBefore) console.log(`${name}: not in the release before`);
    for (const { scenario, side, why } of failed) console.log(`${scenario}: failed ${side}: ${why}`);
  }
  return pairs.some(({ isSlower }) => isSlower) || failed.some(({ side }) => side === 'now') ? 1 : 0;
}

/** A scenario that lacks or fails on a side is not tried again. */
async function run(folders: Record<'before' | 'now', string>, names: readonly string[], say: (line: string) => void) {
  const rounds: Round[] = [];
  const over = new Set<string>();
  const kept = mkdtempSync(join(tmpdir(), 'backroom-pair-'));
  const stop = args.busy ? startBusy() : undefined;
  try {
    for (let round = 0; round < Number(args.rounds); round += 1) {
      for (const scenario of names.filter((name) => !over.has(name))) {
        const runs: Partial<Record<'before' | 'now', Run>> = {};
        for (const side of round % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const)) {
          const began = performance.now();
          runs[side] = await bench(folders[side], scenario, join(kept, side));
          say(`round ${round + 1}, ${scenario}, ${side}: ${Math.round((performance.now() - began) / 1000)} s`);
        }
        const whole = { scenario, before: runs.before!, now: runs.now! };
        if (!('results' in whole.before && 'results' in whole.now)) over.add(scenario);
        rounds.push(whole);
      }
    }
  } finally {
    stop?.();
    rmSync(kept, { recursive: true, force: true });
  }
  return rounds;
}

/** One scenario of a checkout; databases stay in `kept` for the next round. */
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

function lineOf({ name, engine, unit, before, now, speed, quartiles, rounds, isSlower }: Pair): string {
  const range = `quartiles ${quartiles.map((value) => value.toFixed(2)).join(' to ')} of ${rounds.length} rounds`;
  const verdict = isSlower === undefined ? `, ${FEWEST_ROUNDS} are needed to judge` : isSlower ? ', SLOWER' : '';
  return `${name} (${engine}): ${before} -> ${now} ${unit}, speed ${speed.toFixed(2)}, ${range}${verdict}`;
}

/**
 * `npm run bench:pair -- --before FOLDER [--only NAME]... [--rounds N] [--quick] [--busy] [--json]`: the bench of this checkout and
 * of another one, in turns on one machine. Prints for each figure both medians and now / before, turned so that more is better.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startBusy } from './support/busy.ts';
import { median, type Result } from './support/scenario.ts';

/** So much of the speed of before must be left. */
const LEAST = 0.97;
const LESS_IS_BETTER = /^(ms|us|MB|s)\b/;

interface Pair {
  name: string;
  engine: string;
  unit: string;
  before: number;
  now: number;
  /** Median of the rounds' ratios. */
  speed: number;
  rounds: number[];
}

const { values: args } = parseArgs({
  options: {
    before: { type: 'string' },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (args.before === undefined) {
  console.error('Name the other checkout, with its packages installed: --before FOLDER');
  process.exit(2);
}
const pairs = await compare(args.before);
if (args.json) console.log(JSON.stringify({ least: LEAST, busy: args.busy, pairs }));
else for (const pair of pairs) console.log(lineOf(pair));
process.exitCode = pairs.some(({ speed }) => speed < LEAST) ? 1 : 0;

async function compare(before: string): Promise<Pair[]> {
  const here = new URL('..', import.meta.url).pathname;
  const sides: Record<'before' | 'now', Result[][]> = { before: [], now: [] };
  const stop = args.busy ? startBusy() : undefined;
  try {
    for (let round = 0; round < Number(args.rounds); round += 1) {
      const order = round % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const);
      for (const side of order) {
        process.stderr.write(`round ${round + 1}, ${side}\n`);
        sides[side].push(await bench(side === 'now' ? here : before));
      }
    }
  } finally {
    stop?.();
  }
  return (sides.now[0] ?? []).flatMap((one) => pairOf(one, sides.before, sides.now) ?? []);
}

function pairOf({ name, engine, unit }: Result, before: Result[][], now: Result[][]): Pair | undefined {
  const of = (runs: Result[][]) =>
    runs.flatMap((run) => run.find((one) => one.name === name && one.engine === engine)?.value ?? []);
  const [old, own] = [of(before), of(now)];
  if (old.length === 0 || old.length !== own.length) return undefined;
  const isLess = LESS_IS_BETTER.test(unit);
  const rounds = own.map((value, index) => (isLess ? old[index]! / value : value / old[index]!));
  return { name, engine, unit, before: median(old), now: median(own), speed: median(rounds), rounds };
}

function bench(folder: string): Promise<Result[]> {
  const words = [...(args.only ?? []).flatMap((name) => ['--only', name]), ...(args.quick ? ['--quick'] : [])];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['bench/run.ts', '--json', ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) reject(new Error(`The bench in ${folder} ended with exit code ${code}.`));
      else resolve((JSON.parse(text) as { results: Result[] }).results);
    });
  });
}

function lineOf({ name, engine, unit, before, now, speed, rounds }: Pair): string {
  const range = `${Math.min(...rounds).toFixed(2)} to ${Math.max(...rounds).toFixed(2)}`;
  return `${name} (${engine}): ${before} -> ${now} ${unit}, speed ${speed.toFixed(2)} (${range}) ${speed < LEAST ? 'SLOWER' : ''}`;
}

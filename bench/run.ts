/**
 * `npm run bench -- [--json] [--only NAME]... [--quick | --full] [--busy] [--keep FOLDER]`: runs the scenarios and
 * compares most figures with a counterpart.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBusy } from '../town/busy.ts';
import { SCENARIOS } from './scenarios.ts';
import { besideOthers } from './support/others.ts';
import { plot } from './support/plot.ts';
import type { PlotPoint, Result } from './support/scenario.ts';

const { values: args } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  const chosen = SCENARIOS.filter(({ name }) => args.only === undefined || args.only.includes(name));
  const unknown = (args.only ?? []).filter((only) => !SCENARIOS.some(({ name }) => name === only));
  if (unknown.length > 0) {
    process.stderr.write(
      `There is no scenario ${unknown.join(', ')}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}.\n`,
    );
    return 2;
  }
  const folder = args.keep ?? mkdtempSync(join(tmpdir(), 'backroom-bench-'));
  mkdirSync(folder, { recursive: true });
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const points: PlotPoint[] = [];
  const results: Result[] = [];
  const stop = args.busy ? startBusy() : undefined;
  try {
    for (const scenario of chosen) {
      say(scenario.name);
      const { quick, full } = args;
      results.push(...(await scenario.run({ quick, full, folder, say, plot: (point) => points.push(point) })));
    }
    if (!args.quick && !args.json) draw(points, join(folder, 'growth.json'));
  } finally {
    stop?.();
    if (args.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
  results.push(...besideOthers(results));
  if (args.json) console.log(JSON.stringify({ results }));
  else for (const result of results) console.log(lineOf(result));
  return 0;
}

/** Draws the plot. `file` keeps the points of earlier runs, for scenarios that did not run this time. */
function draw(points: readonly PlotPoint[], file: string): void {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PlotPoint[]) : [];
  const all = [...before.filter(({ series }) => !points.some((point) => point.series === series)), ...points];
  writeFileSync(file, JSON.stringify(all));
  const drawn = plot(all);
  if (drawn !== undefined) writeFileSync(new URL('./growth.svg', import.meta.url), drawn);
}

function lineOf({ name, engine, value, unit, ratio, bar, met }: Result): string {
  const verdict = met === null ? '' : met ? 'met' : 'NOT MET';
  return `${name} (${engine}): ${value} ${unit}${ratio === null ? '' : `, ratio ${ratio}`}${bar === null ? '' : `, bar ${bar}`} ${verdict}`;
}

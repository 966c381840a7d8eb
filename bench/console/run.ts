/**
 * `npm run bench:console -- [--json] [--rounds N] [--only PART]...`: measures the console in a real browser with the
 * real service, prints each bar with its value, and fails if a bar is missed.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import type { Bar } from '../../town/console/bars.ts';
import { launchOptions } from '../../town/console/chromium.ts';
import { type Floor, openFloor } from './floor.ts';
import { offline } from './offline.ts';
import { scanning } from './scanning.ts';
import { start } from './start.ts';
import { tour } from './tour.ts';

const { values: args } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const PARTS: Record<string, (floor: Floor) => Promise<Bar[]>> = {
  start: (floor) => start(floor, Number(args.rounds)),
  scanning,
  offline,
  tour,
};
const known = ['sizes', ...Object.keys(PARTS)];
const unknown = args.only.find((name) => !known.includes(name));
if (unknown !== undefined) throw new Error(`--only ${unknown}: there is no such part; use ${known.join(', ')}`);
const isWanted = (name: string) => args.only.length === 0 || args.only.includes(name);
const bars: Bar[] = [];
if (isWanted('sizes')) bars.push(...sizes());
const parts = Object.entries(PARTS).filter(([name]) => isWanted(name));
if (parts.length > 0) {
  const browser = await chromium.launch(launchOptions());
  const floor = await openFloor(browser);
  try {
    for (const [name, measure] of parts) {
      process.stderr.write(`${name}\n`);
      bars.push(...(await measure(floor)));
    }
  } finally {
    await browser.close();
    await floor.close();
  }
}
if (args.json) console.log(JSON.stringify({ bars }));
else
  for (const { name, value, unit, bar, met, note } of bars)
    console.log(`${name}: ${value} ${unit}, bar ${bar} ${met ? 'met' : 'NOT MET'}${note === '' ? '' : ` (${note})`}`);
process.exitCode = bars.every(({ met }) => met) ? 0 : 1;

/** Returns the bars that `npm run verify` checks. */
function sizes(): Bar[] {
  const script = fileURLToPath(new URL('../../scripts/check-console-size.ts', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script, '--json'], { encoding: 'utf8' })) as Bar[];
}

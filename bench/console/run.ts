/**
 * `npm run bench:console -- [--json] [--rounds N]`: measures the console in a real browser with the real service, prints each bar
 * with its value, and fails if a bar is missed.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import type { Bar } from '../../town/console/bars.ts';
import { launchOptions } from '../../town/console/chromium.ts';
import { openFloor } from './floor.ts';
import { offline } from './offline.ts';
import { scanning } from './scanning.ts';
import { start } from './start.ts';
import { tour } from './tour.ts';

const { values: args } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } },
});
const say = (line: string) => process.stderr.write(`${line}\n`);
const bars: Bar[] = [];
say('sizes');
bars.push(...sizes());
const browser = await chromium.launch(launchOptions());
const floor = await openFloor(browser);
try {
  say('start');
  bars.push(...(await start(floor, Number(args.rounds))));
  say('scanning');
  bars.push(...(await scanning(floor)));
  say('offline');
  bars.push(...(await offline(floor)));
  say('tour of the screens');
  bars.push(...(await tour(floor)));
} finally {
  await browser.close();
  await floor.close();
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

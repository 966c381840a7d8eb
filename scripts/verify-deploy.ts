/**
 * `npm run verify:deploy`: runs the checks of deploy/. The result of each is `ok`, `FAILED`, or `not checked` if this
 * machine lacks a program, which the report names. `--image` and `--release` add checks that take minutes. `--only
 * NAME` runs one check. The exit code is 1 if a check failed.
 */
import { parseArgs } from 'node:util';
import { type Check, hasTool, withScratch } from './deploy/check.ts';
import { COMPOSE } from './deploy/compose.ts';
import { CONTAINER } from './deploy/container.ts';
import { KUBERNETES } from './deploy/kubernetes.ts';
import { MONITORING } from './deploy/monitoring.ts';
import { PROXY } from './deploy/proxy.ts';
import { RELEASE } from './deploy/release-check.ts';
import { SYSTEMD } from './deploy/systemd.ts';

const CHECKS: readonly Check[] = [
  ...PROXY,
  ...MONITORING,
  ...SYSTEMD,
  ...COMPOSE,
  ...KUBERNETES,
  ...CONTAINER,
  ...RELEASE,
];

/** Number of concurrent checks, for two cores. A check mostly waits for the start of a program. */
const AT_ONCE = 2;
const WORDS = { ok: 'ok         ', failed: 'FAILED     ', unchecked: 'not checked' } as const;

const { values } = parseArgs({
  options: { image: { type: 'boolean' }, release: { type: 'boolean' }, only: { type: 'string' } },
});
const flags = new Set(Object.entries(values).flatMap(([name, value]) => (value === true ? [name] : [])));
const counts = { ok: 0, failed: 0, unchecked: 0 };
const waiting = CHECKS.filter(({ name }) => values.only === undefined || name.includes(values.only));
await Promise.all(Array.from({ length: AT_ONCE }, runNext));
console.log(`deploy: ${counts.ok} ok, ${counts.failed} failed, ${counts.unchecked} not checked`);
process.exitCode = counts.failed > 0 ? 1 : 0;

async function runNext(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const began = performance.now();
    const { verdict, note } = await verdictOf(check);
    counts[verdict] += 1;
    const took = verdict === 'unchecked' ? '' : `, ${((performance.now() - began) / 1000).toFixed(1)} s`;
    console.log(`${WORDS[verdict]} ${check.name}${took}${note === '' ? '' : `: ${note}`}`);
  }
}

async function verdictOf(check: Check): Promise<{ verdict: keyof typeof counts; note: string }> {
  if (check.flag !== undefined && !flags.has(check.flag)) {
    return { verdict: 'unchecked', note: `takes minutes; add --${check.flag}` };
  }
  const missing = check.tools.filter((tool) => !hasTool(tool));
  if (missing.length > 0) return { verdict: 'unchecked', note: `no ${missing.join(', no ')}` };
  try {
    const note = await withScratch(check.name.replaceAll(/\W+/g, '-'), (scratch) => check.run(scratch));
    return { verdict: 'ok', note: note ?? '' };
  } catch (error) {
    return { verdict: 'failed', note: error instanceof Error ? error.message : String(error) };
  }
}

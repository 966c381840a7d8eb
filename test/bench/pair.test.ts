import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { compared, type Round } from '../../bench/support/pairs.ts';

const PAIR = fileURLToPath(new URL('../../bench/pair.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'backroom-pair-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const result = (name: string, value: number, unit = 'req/s') => ({
  name,
  engine: 'sqlite' as const,
  value,
  unit,
  counterpart: null,
  ratio: null,
  bar: null,
  met: null,
  note: '',
});
/** Returns one round for each speed. A speed of 0.9 means that the new figure is 0.9 times the figure before. */
const rounds = (speeds: readonly number[], unit?: string): Round[] =>
  speeds.map((speed) => ({
    scenario: 'one',
    before: { results: [result('one', 100, unit)] },
    now: { results: [result('one', 100 * speed, unit)] },
  }));
const slower = (speeds: readonly number[], unit?: string) => compared(rounds(speeds, unit)).pairs[0]!.isSlower;

it('a figure is slower when the median of seven rounds is under 0.97 and the quartiles lie under 1', () => {
  expect(slower([0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96])).toBe(true);
  // Five slow rounds of seven can be chance; six cannot.
  expect(slower([0.9, 0.91, 0.92, 0.93, 0.94, 1.2, 1.3])).toBe(false);
  expect(slower([0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 1.3])).toBe(true);
  expect(slower([0.98, 0.98, 0.98, 0.98, 0.98, 0.98, 0.98])).toBe(false);
});

it('of times and sizes, more is slower', () => {
  const more = Array.from({ length: 7 }, () => 1.2);
  expect(slower(more, 'ms')).toBe(true);
  expect(slower(more)).toBe(false);
});

it('six rounds judge nothing', () => {
  expect(slower([0.5, 0.5, 0.5, 0.5, 0.5, 0.5])).toBeUndefined();
});

it('a figure beside another product is the same figure, and is not compared twice', () => {
  const results = [result('reads', 100), result('reads, beside another product', 100)];
  const { pairs, notBefore } = compared([
    { scenario: 'one', before: { results: results.slice(0, 1) }, now: { results } },
  ]);
  expect(pairs.map(({ name }) => name)).toEqual(['reads']);
  expect(notBefore).toEqual([]);
});

it('the rounds of each figure have a median and quartiles', () => {
  const [pair] = compared(rounds([1, 2, 3, 4, 5])).pairs;
  expect(pair).toMatchObject({ before: 100, now: 300, speed: 3, quartiles: [2, 4] });
});

it('a scenario that the release before lacks is named, and one that fails there ends nothing', () => {
  const checkout = (name: string, cases: string) => {
    const place = join(folder, name);
    mkdirSync(join(place, 'bench'), { recursive: true });
    const only = `const only = process.argv[process.argv.indexOf('--only') + 1];`;
    writeFileSync(join(place, 'bench/run.ts'), `${only}\n${cases}`);
    return place;
  };
  const print = (value: number) =>
    `console.log(JSON.stringify({ results: [{ ...${JSON.stringify(result('x', value))}, name: only }] }));`;
  const before = checkout(
    'before',
    `if (only === 'receipt') { process.stderr.write('There is no scenario receipt; there are item-read.'); process.exit(2); }
     if (only === 'asn') throw new Error('the old bench breaks');
     ${print(10)}`,
  );
  const now = checkout('now', print(20));
  const names = ['item-read', 'receipt', 'asn'].flatMap((name) => ['--only', name]);
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [PAIR, '--before', before, '--now', now, '--rounds', '1', ...names],
    { encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  expect(stdout.trimEnd().split('\n')).toEqual([
    'item-read (sqlite): 10 -> 20 req/s, speed 2.00, quartiles 2.00 to 2.00 of 1 rounds, 7 are needed to judge',
    'receipt: not in the release before',
    'asn: failed before: Error: the old bench breaks',
  ]);
});

it('bench:beside gives both releases the same writes in turns', () => {
  const command = fileURLToPath(new URL('../../bench/beside.ts', import.meta.url));
  const here = fileURLToPath(new URL('../..', import.meta.url));
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [command, '--before', here, '--pairs', '1', '--json'],
    { encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  const { figures } = JSON.parse(stdout) as { figures: { name: string; rounds: number[] }[] };
  expect(figures.map(({ name }) => name)).toEqual([
    'order intake',
    'generate + CONFIRM, 10 orders',
    'pack slip',
    'ASN of 20 lines',
    'receipt of a carton of 20 lines',
  ]);
  for (const { rounds: measured } of figures) expect(measured).toEqual([expect.any(Number)]);
});

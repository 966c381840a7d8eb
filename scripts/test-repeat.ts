/**
 * `npm run test:repeat -- [--times 100] [--idle] [--slow 6] FILE...`: runs test files repeatedly during a load that
 * takes half of each core, to find tests that sometimes fail. With `--slow N`, scripts of browser pages run N times
 * slower. The run stops at the first failure and prints the failure. The report names each file with the number of
 * rounds that the file passed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startBusy } from '../town/busy.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '100' },
    idle: { type: 'boolean', default: false },
    slow: { type: 'string', default: '1' },
  },
});
const times = Number(values.times);
if (positionals.length === 0 || !Number.isInteger(times) || times < 1) {
  console.error('Usage: npm run test:repeat -- [--times N] [--idle] [--slow N] FILE...');
  process.exit(2);
}

interface Report {
  success: boolean;
  numPassedTests: number;
  testResults: { name: string; status: string }[];
}

const passed = new Map<string, number>();
const folder = mkdtempSync(join(tmpdir(), 'backroom-repeat-'));
const endLoad = values.idle ? () => undefined : startBusy();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => {
  endLoad();
  rmSync(folder, { recursive: true, force: true });
  for (const [file, rounds] of passed) console.log(`${rounds} rounds passed: ${file}`);
});
for (let round = 1; round <= times; round += 1) {
  const began = performance.now();
  const report = run(join(folder, `${round}.json`));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  if (report === undefined) {
    console.error(`FAILED in round ${round} of ${times}`);
    process.exit(1);
  }
  for (const { name } of report.testResults) passed.set(relative(ROOT, name), round);
  console.log(`round ${round} of ${times}: ${report.numPassedTests} passed, ${seconds} s`);
}
// The load would keep the process alive, so the script exits explicitly.
process.exit(0);

/** Runs one round. If a test failed, prints the output of vitest and returns undefined. */
function run(file: string): Report | undefined {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...positionals],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, TEST_REPORT: file, TEST_SLOW_BROWSER: values.slow },
    },
  );
  if (status === 0) return JSON.parse(readFileSync(file, 'utf8')) as Report;
  console.error(`${stdout}\n${stderr}`);
  return undefined;
}

/**
 * `npm test [-- FILE...]`: runs the suite. `--quick` runs only tests that start no process and no browser. `--isolated`
 * runs each file in a separate process, to find leaks between files that share a process (the nightly form). `--report
 * FILE` names the report.
 *
 * A full run prints its processor time, converted to the reference machine, and fails above `TODAY_S * FAILS_AT`. The
 * same work takes more processor time on a busy machine, so a loop of known work runs during the tests and gives the
 * conversion factor.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Calibration } from './test/calibration.ts';

/**
 * Processor seconds that the whole suite should take on the reference machine: two idle cores of the kind that runs CI.
 */
const WANTED_S = 800;
/**
 * Processor seconds of the suite today, with returns, EDI and count plans. If other programs run on the machine, the
 * suite takes 1,840 s. A run fails above `TODAY_S * FAILS_AT`.
 */
const TODAY_S = 1_700;
const FAILS_AT = 1.3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    isolated: { type: 'boolean', default: false },
    report: { type: 'string', default: '.test-report.json' },
  },
});
const isWhole = positionals.length === 0 && !values.quick;
const began = performance.now();
const calibration = new Calibration();
const passed = await vitest();
const factor = calibration.end();
const isComplete = !isWhole || (await node(['test/contract/check-statements.ts', '--report', values.report]));
const isCheap = tellCost();
process.exitCode = passed && isComplete && isCheap ? 0 : 1;

function vitest(): Promise<boolean> {
  const env = {
    ...process.env,
    TEST_REPORT: values.report,
    ...(values.isolated && { TEST_ISOLATED: 'yes' }),
  };
  return node(
    ['node_modules/vitest/vitest.mjs', 'run', ...(values.quick ? ['--project=quick'] : []), ...positionals],
    env,
  );
}

/** Runs Node and returns whether it succeeded. Passes SIGINT and SIGTERM on to the child process. */
function node(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: 'inherit' });
  const stop = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(code === 0);
    });
  });
}

/** Prints the cost. Returns false if it is above the limit. */
function tellCost(): boolean {
  const wall = ((performance.now() - began) / 1000).toFixed(0);
  const own = secondsOfChildren();
  if (own === undefined) {
    console.log(`${wall} s`);
    return true;
  }
  const cost = own / factor;
  const scaled = `${cost.toFixed(0)} on the reference machine, which is ${factor.toFixed(2)} times as fast as this one was`;
  console.log(`${wall} s, ${own.toFixed(0)} processor seconds (${scaled})`);
  if (!isWhole || values.isolated || cost <= WANTED_S) return true;
  const isTooMuch = cost > TODAY_S * FAILS_AT;
  const bound = isTooMuch ? `fails beyond ${TODAY_S * FAILS_AT}` : `should take at most ${WANTED_S}`;
  console.error(
    `${isTooMuch ? 'FAILED' : 'WARNING'} the suite ${bound} processor seconds: find the slow files in ${values.report}`,
  );
  return !isTooMuch;
}

/** Returns the processor seconds of all ended child processes; undefined on systems other than Linux. */
function secondsOfChildren(): number | undefined {
  let text: string;
  try {
    text = readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses can have spaces. Fields 16 and 17 are the user and system time of the children, in
  // hundredths of a second.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

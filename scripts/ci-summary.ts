/**
 * Prints the end of a CI run: the steps with their time, failed tests with the beginning of their message, and skipped
 * steps with the reason. Then it prints the names of all failed tests and `N passed, M failed` over the reports of both
 * engines. The names are printed last, because some logs keep only their last lines. A failed step without a failed
 * test counts as one failure; so does a report without a passed test.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const REPORTS: Record<string, string> = { test: '.test-report.json', 'test:postgres': '.test-report-postgres.json' };
const STEPS = '.test-report-steps.txt';
/** Maximum number of printed characters of a failure message. */
const WORDS_MAX = 700;
/** Exit code of a step whose programs are not available on this machine. */
const NOT_RUN = 2;
/** Only these steps may be skipped: they need programs that npm does not install. */
const MAY_BE_MISSING = new Set(['proof:failover', 'proof:pitr', 'proof:upgrade']);

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    message?: string;
    status: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

interface Step {
  name: string;
  code: number;
  seconds: number;
}

const steps = readFileSync(STEPS, 'utf8').trim().split('\n').map(stepOf);
let passed = 0;
let failed = 0;
const notRun: string[] = [];
const namesOfFailed: string[] = [];
for (const { name, code, seconds } of steps) {
  const isMissing = code === NOT_RUN && MAY_BE_MISSING.has(name);
  console.log(`${isMissing ? 'not run' : code === 0 ? 'ok     ' : 'FAILED '} ${name}, ${seconds} s`);
  if (isMissing) notRun.push(`${name} (it says above what it needs)`);
  const file = REPORTS[name];
  const isFailed = code !== 0 && !isMissing;
  if (isFailed) namesOfFailed.push(name);
  failed += file === undefined ? Number(isFailed) : Math.max(countTests(name, file), Number(isFailed));
}
// Steps run in parallel, so the whole run (CI_SECONDS) takes less time than the sum of the steps.
const seconds = Number(process.env['CI_SECONDS'] ?? steps.reduce((sum, step) => sum + step.seconds, 0));
console.log(
  `${Math.floor(seconds / 60)} min ${seconds % 60} s; not run: ${notRun.length === 0 ? 'nothing' : notRun.join(', ')}`,
);
if (namesOfFailed.length > 0) console.log(`failed:\n${namesOfFailed.join('\n')}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function stepOf(line: string): Step {
  const [name = '', code, took] = line.split(' ');
  return { name, code: Number(code), seconds: Number(took) };
}

/**
 * Counts the passed tests and prints the failed tests. Returns the number of failed tests; at least 1 if there is no
 * report or no passed test.
 */
function countTests(step: string, file: string): number {
  if (!existsSync(file)) return 1;
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  passed += report.numPassedTests;
  if (report.numPendingTests > 0)
    notRun.push(`${report.numPendingTests} tests of ${step} that are for the other engine or need a program`);
  nameFailed(file, report);
  return Math.max(report.numFailedTests, report.numPassedTests === 0 ? 1 : 0);
}

function nameFailed(report: string, { testResults }: Report): void {
  for (const { name, status, message = '', assertionResults } of testResults) {
    const failures = assertionResults.filter((result) => result.status === 'failed');
    for (const { fullName, failureMessages } of failures) {
      console.log(`FAILED (${report}) ${name} > ${fullName}\n${firstWords(failureMessages.join('\n'))}`);
      namesOfFailed.push(`  ${relative('.', name)} > ${fullName}`);
    }
    if (status === 'failed' && failures.length === 0) {
      console.log(`FAILED (${report}) ${name}\n${firstWords(message)}`);
      namesOfFailed.push(`  ${relative('.', name)}`);
    }
  }
}

function firstWords(text: string): string {
  return text.slice(0, WORDS_MAX);
}

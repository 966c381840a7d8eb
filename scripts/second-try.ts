/**
 * Runs the browser tests that failed once more, alone on the machine, and puts what came of it into the report of `npm test`. A browser beside
 * two busy cores misses a moment now and then; a fault of the console fails alone, too. What passed only now is named UNSTABLE
 * by the summary. Exits 1 when anything else failed, when more than three files did, or when they fail again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORT = '.test-report.json';
const AGAIN = '.test-report-again.json';
const BROWSER = /^test\/console\//;
/** Files. More than a few that fail at once are no accident. */
const FILES_MAX = 3;

interface Report {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[];
  /** Names of tests that passed only in their second try. */
  unstable?: string[];
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Report;
const isFailed = ({ status }: { status: string }) => status === 'failed';

function runAgain(): boolean {
  if (!existsSync(REPORT)) return false;
  const first = read(REPORT);
  const failed = first.testResults.filter(isFailed);
  const files = failed.map(({ name }) => relative(ROOT, name));
  if (files.length === 0 || files.length > FILES_MAX || !files.every((file) => BROWSER.test(file))) return false;
  console.log(`second try of ${files.join(', ')}`);
  const env = { ...process.env, TEST_REPORT: AGAIN };
  const { status } = spawnSync('npx', ['vitest', 'run', ...files, '--maxWorkers=1'], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  if (status !== 0 || !existsSync(AGAIN)) return false;
  const second = read(AGAIN);
  const ran = new Set(second.testResults.map(({ name }) => name));
  if (!failed.every(({ name }) => ran.has(name))) return false;
  const tests = failed.flatMap(({ assertionResults }) => assertionResults);
  const passedBefore = tests.filter(({ status }) => status === 'passed').length;
  const merged: Report = {
    ...first,
    success: true,
    numFailedTests: 0,
    numPassedTests: first.numPassedTests - passedBefore + second.numPassedTests,
    testResults: [...first.testResults.filter(({ name }) => !ran.has(name)), ...second.testResults],
    unstable: failed.flatMap(({ name, assertionResults }) => {
      const names = assertionResults.filter(isFailed).map(({ fullName }) => fullName);
      return (names.length === 0 ? ['(the whole file)'] : names).map((test) => `${relative(ROOT, name)} > ${test}`);
    }),
  };
  writeFileSync(REPORT, JSON.stringify(merged));
  return true;
}

process.exitCode = runAgain() ? 0 : 1;

/**
 * Closes a CI run: the name of each failed test with its first words, then `N passed, M failed` over the reports of both engines.
 * A step that failed without a failed test, and a report without any test, count as one failure each.
 */
import { existsSync, readFileSync } from 'node:fs';

const REPORTS = ['.test-report.json', '.test-report-postgres.json'];
/** Characters of a failure. */
const WORDS_MAX = 2_000;
const failedSteps = Number(process.argv[2] ?? 0);

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  /** What passed only in its second try: `second-try.ts`. */
  unstable?: string[];
  testResults: {
    name: string;
    message?: string;
    status: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

let passed = 0;
let failed = 0;
for (const report of REPORTS) {
  const said = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report) : undefined;
  passed += said?.numPassedTests ?? 0;
  failed += Math.max(said?.numFailedTests ?? 0, (said?.numPassedTests ?? 0) === 0 ? 1 : 0);
  if (said !== undefined) nameFailed(report, said);
  for (const test of said?.unstable ?? []) console.log(`UNSTABLE ${test}`);
}
failed = Math.max(failed, failedSteps);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function nameFailed(report: string, { testResults }: Report): void {
  for (const { name, status, message = '', assertionResults } of testResults) {
    const failures = assertionResults.filter((result) => result.status === 'failed');
    for (const { fullName, failureMessages } of failures) {
      console.log(`FAILED (${report}) ${name} > ${fullName}\n${firstWords(failureMessages.join('\n'))}`);
    }
    if (status === 'failed' && failures.length === 0) console.log(`FAILED (${report}) ${name}\n${firstWords(message)}`);
  }
}

function firstWords(text: string): string {
  return text.slice(0, WORDS_MAX);
}

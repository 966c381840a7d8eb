/**
 * Closes a CI run: `N passed, M failed`. A step that failed without a failed test, and a report without any test, count as
 * one failure.
 */
import { existsSync, readFileSync } from 'node:fs';

const REPORT = '.test-report.json';
const failedSteps = Number(process.argv[2] ?? 0);

const { numPassedTests: passed, numFailedTests } = existsSync(REPORT)
  ? (JSON.parse(readFileSync(REPORT, 'utf8')) as { numPassedTests: number; numFailedTests: number })
  : { numPassedTests: 0, numFailedTests: 0 };
const failed = Math.max(numFailedTests, failedSteps, passed === 0 ? 1 : 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

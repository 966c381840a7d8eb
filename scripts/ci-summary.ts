/** Closes a CI run: `N passed, M failed`, the steps that failed outside the test report among the M. */
import { existsSync, readFileSync } from 'node:fs';

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
}

const failedSteps = Number(process.argv[2] ?? 0);
const none: Report = { numPassedTests: 0, numFailedTests: 0, numFailedTestSuites: 0 };
const report = existsSync('.test-report.json')
  ? (JSON.parse(readFileSync('.test-report.json', 'utf8')) as Report)
  : none;
const failed = Math.max(report.numFailedTests, failedSteps, report.numPassedTests === 0 ? 1 : 0);
console.log(`${report.numPassedTests} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

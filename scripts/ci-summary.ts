/**
 * Closes a CI run: `N passed, M failed` over the reports of both engines. A step that failed without a failed test, and a
 * report without any test, count as one failure each.
 */
import { existsSync, readFileSync } from 'node:fs';

const REPORTS = ['.test-report.json', '.test-report-postgres.json'];
const failedSteps = Number(process.argv[2] ?? 0);

let passed = 0;
let failedTests = 0;
let empty = 0;
for (const file of REPORTS) {
  const report = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { numPassedTests: number; numFailedTests: number })
    : { numPassedTests: 0, numFailedTests: 0 };
  passed += report.numPassedTests;
  failedTests += report.numFailedTests;
  if (report.numPassedTests === 0) empty += 1;
}
const failed = Math.max(failedTests, failedSteps, empty);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

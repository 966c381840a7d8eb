/**
 * Closes a CI run: `N passed, M failed` over the reports of both engines. A step that failed without a failed test, and a
 * report without any test, count as one failure each.
 */
import { existsSync, readFileSync } from 'node:fs';

const REPORTS = ['.test-report.json', '.test-report-postgres.json'];
const failedSteps = Number(process.argv[2] ?? 0);

interface Counts {
  numPassedTests: number;
  numFailedTests: number;
}

let passed = 0;
let failed = 0;
for (const report of REPORTS) {
  const counts = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Counts) : undefined;
  passed += counts?.numPassedTests ?? 0;
  failed += Math.max(counts?.numFailedTests ?? 0, (counts?.numPassedTests ?? 0) === 0 ? 1 : 0);
}
failed = Math.max(failed, failedSteps);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Compares the statements of test/contract/statements/ with the tables of the interface and with the tests.
 *
 *   --names          every row of the tables has a statement, and every statement and every page of docs/ names only
 *                    tests that exist
 *   --report FILE    every named test ran and passed, by vitest's JSON report
 *
 * Prints `N statements, N tests, N missing`; exits 1 when anything is missing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tables } from '../../town/interface-tables.ts';
import { plain, statements } from './statements.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const missing = [...malformed(), ...problems()];
for (const line of missing) console.error(line);
console.log(
  `${statements.length} statements, ${new Set(statements.map(({ test }) => test)).size} tests, ${missing.length} missing`,
);
if (missing.length > 0) process.exitCode = 1;

function problems(): string[] {
  const [mode, file] = process.argv.slice(2);
  if (mode === '--names') {
    const tests = listedTests();
    return [...uncoveredRows(), ...withoutTest(tests), ...namedInDocs(tests)];
  }
  if (mode === '--report' && file !== undefined) {
    return existsSync(file) ? notPassed(reportedTests(file)) : [`no report at ${file}: run npm test`];
  }
  return ['Usage: npx node test/contract/check-statements.ts --names | --report FILE'];
}

function malformed(): string[] {
  return statements
    .filter(({ section, member, says, test }) => [section, member, says, test].some((text) => text.trim() === ''))
    .map((statement) => `incomplete statement: ${JSON.stringify(statement)}`);
}

function uncoveredRows(): string[] {
  const covered = new Set(
    statements.flatMap(({ section, member }) =>
      [member, ...member.split(/[,/] */)].map((one) => `${plain(section)}:${plain(one)}`),
    ),
  );
  return tables.flatMap(({ section, members }) =>
    members
      .filter((member) => !covered.has(`${plain(section)}:${plain(member)}`))
      .map((member) => `no statement for: ${section} | ${member}`),
  );
}

function withoutTest(tests: ReadonlySet<string>): string[] {
  return statements
    .filter(({ test }) => !tests.has(test))
    .map(({ section, member, test }) => `no such test: ${section} | ${member}: ${test}`);
}

/** Returns a problem for each test that a page of docs/ names in code font and that does not exist. */
function namedInDocs(tests: ReadonlySet<string>): string[] {
  const docs = join(ROOT, 'docs');
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return pages.flatMap((page) =>
    [...readFileSync(join(docs, page), 'utf8').matchAll(/`(test\/\S+\.test\.ts > [^`\n]+)`/g)]
      .filter(([, test = '']) => !tests.has(test))
      .map(([, test]) => `no such test: docs/${page}: ${test}`),
  );
}

function notPassed(results: ReadonlyMap<string, string>): string[] {
  return statements
    .filter(({ test }) => results.get(test) !== 'passed')
    .map(({ section, member, test }) => `${results.get(test) ?? 'did not run'}: ${section} | ${member}: ${test}`);
}

/** Returns the full names of all tests of the suite, as vitest collects them. */
function listedTests(): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-statements-'));
  try {
    const file = join(folder, 'tests.json');
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    // The list of the tests needs no isolation. Without isolation, the command is twenty times faster.
    const args = [vitest, 'list', '--no-static-parse', '--no-isolate', `--json=${file}`];
    const run = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`vitest list failed:\n${run.stdout}\n${run.stderr}`);
    const tests = JSON.parse(readFileSync(file, 'utf8')) as { name: string; file: string }[];
    return new Set(tests.map((test) => `${relative(ROOT, test.file)} > ${test.name}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Report {
  testResults: { name: string; assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[];
}

function reportedTests(file: string): Map<string, string> {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return new Map(
    report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ ancestorTitles, title, status }) => [
        [relative(ROOT, name), ...ancestorTitles, title].join(' > '),
        status,
      ]),
    ),
  );
}

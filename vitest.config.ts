import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Each engine has its own report, so that the run on one engine keeps the report of the other. `TEST_REPORT` names
// another file, for example in `npm run test:repeat`.
const isPostgres = Boolean(process.env['TEST_DATABASE_URL']);
const report = process.env['TEST_REPORT'] ?? (isPostgres ? '.test-report-postgres.json' : '.test-report.json');

/**
 * Tests whose results do not depend on the engine of the database, so the run on PostgreSQL leaves them out. The
 * console is in this list, because other tests check its operations on both engines.
 */
const ALIKE = [
  'test/console/**',
  // The test of docs/scale.md is not in this list, because it runs the statements of the page on PostgreSQL.
  'test/docs/!(scale).test.ts',
  'test/message/**',
  'test/x12/**',
  'test/bench/**',
  'test/contract/{openapi,clients,coverage}.test.ts',
  'test/http/{guide,reference,bounds,tls}.test.ts',
  // These tests use only SQLite files of their own, or no database.
  'test/cli/{package,badges,cli,edi-check,copies,demo,doctor-machine,forget,modes,start,support-bundle,closed-pipe}.test.ts',
  'test/proof/{failover,pitr}.test.ts',
  // This test always uses SQLite. test/retention checks the deletion of old rows on both engines.
  'test/proof/year.test.ts',
  'test/proof/{isolation-table,judge,campaign}.test.ts',
  // These test the event loop and the queue of requests, which do not depend on the engine.
  'test/proof/{stall,overload}.test.ts',
  // These test how `edi run` and SFTP move files, and the tokens of other identity providers.
  'test/edi/{run,sftp}.test.ts',
  'test/people/oidc-hostile.test.ts',
  'test/shared/**',
  'test/storage/{distribute,table-versions}.test.ts',
  'test/{config,decimal,deploy,log,time}.test.ts',
];

/**
 * Beginnings of the paths of test files that take minutes, the longest first. If such a file began last, the other
 * cores would be idle until it ends.
 */
const LONG = [
  'test/proof/model.',
  'test/proof/isolation.',
  'test/proof/powercut.',
  'test/console/screens.',
  'test/proof/',
  'test/docs/walk.',
  'test/cli/cli.',
  'test/import/',
  'test/contract/',
  'test/console/',
  'test/cli/',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((start) => moduleId.includes(`/${start}`));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/**
 * Campaigns and benchmarks. Each file has its own process, so that planted bugs and a full heap do not affect others.
 */
const CAMPAIGNS = ['test/proof/**', 'test/bench/**'];
/** Other tests that start processes, for example commands and upgrades. */
const PROCESSES = [
  'test/cli/**',
  'test/upgrade/**',
  'test/deploy.test.ts',
  'test/docs/{walk,receivers}.test.ts',
  'test/edi/run.test.ts',
  'test/import/{kill,ahead,goods,real-data}.test.ts',
  'test/webhooks/kill.test.ts',
  'test/storage/**',
];
const BROWSER = ['test/console/**'];

/** Whether each file has its own process (nightly): a test fails if it passes only with the state that a file left. */
const isIsolated = process.env['TEST_ISOLATED'] !== undefined;

interface Files {
  include: string[];
  exclude?: string[];
  /** Whether each file has its own process. By default, files share one process per core and its loaded modules. */
  isolate?: boolean;
}

function project(name: string, { include, exclude = [], isolate = isIsolated }: Files) {
  const not = [...exclude, ...(isPostgres ? ALIKE : [])];
  return { extends: true as const, test: { name, include: include.map(onlyTests), exclude: not, isolate } };
}

function onlyTests(pattern: string): string {
  return pattern.replace(/\*\*$/, '**/*.test.ts');
}

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores, because tests of browsers and of processes often wait.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ['test/support/run-folder.ts'],
    setupFiles: ['test/support/sentences.ts'],
    reporters: ['default', ['json', { outputFile: report }]],
    sequence: { sequencer: LongestFirst },
    // These limits only end tests that hang. They are long, so that no test fails because the machine is slow.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 300_000,
    projects: [
      project('campaigns', { include: CAMPAIGNS, isolate: true }),
      project('processes', { include: PROCESSES }),
      project('browser', { include: BROWSER }),
      // All tests that start neither a process nor a browser: `npm run test:quick`.
      project('quick', { include: ['test/**'], exclude: [...CAMPAIGNS, ...PROCESSES, ...BROWSER] }),
    ],
  },
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Each engine's run has its own report, and so has a second try.
const isPostgres = Boolean(process.env['TEST_DATABASE_URL']);
const report = process.env['TEST_REPORT'] ?? (isPostgres ? '.test-report-postgres.json' : '.test-report.json');

/** What no engine is behind: the browser, which asks the service nothing that is not tested on both; pages, texts and packages. */
const ALIKE = [
  'test/console/**',
  // All but the pages whose statements a server runs.
  'test/docs/!(scale).test.ts',
  'test/message/**',
  'test/x12/**',
  'test/bench/**',
  'test/contract/{openapi,clients,coverage}.test.ts',
  'test/http/{guide,reference,bounds,tls}.test.ts',
  // Each serves an SQLite file of its own.
  'test/cli/{package,badges,cli,edi-check,copies,demo,doctor-machine,forget,modes,start,support-bundle,closed-pipe}.test.ts',
  'test/proof/{failover,pitr}.test.ts',
  // What it asks of an engine, test/retention asks of both.
  'test/proof/year.test.ts',
  'test/proof/{isolation-table,judge,campaign}.test.ts',
  // The event loop and the queue before the engine.
  'test/proof/{stall,overload}.test.ts',
  // A courier of files, and tokens of others.
  'test/edi/{run,sftp}.test.ts',
  'test/people/oidc-hostile.test.ts',
  'test/shared/**',
  'test/storage/{distribute,table-versions}.test.ts',
  'test/{config,decimal,deploy,log,time}.test.ts',
];

/** Files that take minutes, the longest first: one that began last would run alone. */
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

/** Campaigns and measurements: the planted bugs and the heap of one do not meet the next. */
const CAMPAIGNS = ['test/proof/**', 'test/bench/**'];
/** Other tests that start processes of their own: commands, upgrades. */
const PROCESSES = [
  'test/cli/**',
  'test/upgrade/**',
  'test/deploy.test.ts',
  'test/docs/{walk,receivers}.test.ts',
  'test/import/{kill,ahead,goods,real-data}.test.ts',
  'test/webhooks/kill.test.ts',
  'test/storage/**',
];
const BROWSER = ['test/console/**'];

/** The nightly form: what a file leaves behind in its process cannot help the next. */
const isIsolated = process.env['TEST_ISOLATED'] !== undefined;

interface Files {
  include: string[];
  exclude?: string[];
  /** Default: files share a process for each core, and what they import is run once there. */
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
    // One of two cores would be idle.
    maxWorkers: availableParallelism(),
    globalSetup: ['test/support/run-folder.ts'],
    setupFiles: ['test/support/sentences.ts'],
    reporters: ['default', ['json', { outputFile: report }]],
    sequence: { sequencer: LongestFirst },
    // Against hanging only: how fast a machine is decides no test.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 300_000,
    projects: [
      project('campaigns', { include: CAMPAIGNS, isolate: true }),
      project('processes', { include: PROCESSES }),
      project('browser', { include: BROWSER }),
      // All that runs in process: `npm run test:quick`.
      project('quick', { include: ['test/**'], exclude: [...CAMPAIGNS, ...PROCESSES, ...BROWSER] }),
    ],
  },
});

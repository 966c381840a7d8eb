import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Each engine's run has its own report.
const isPostgres = Boolean(process.env['TEST_DATABASE_URL']);
const report = isPostgres ? '.test-report-postgres.json' : '.test-report.json';

/** What no engine is behind: the browser, which asks the service nothing that is not tested on both; pages, texts and packages. */
const ALIKE = [
  'test/console/**',
  // All but the pages whose statements a server runs.
  'test/docs/!(scale).test.ts',
  'test/message/**',
  'test/bench/**',
  'test/contract/{openapi,clients}.test.ts',
  'test/http/{guide,reference,bounds,tls}.test.ts',
  'test/cli/{package,badges}.test.ts',
  'test/shared/**',
  'test/storage/{distribute,table-versions}.test.ts',
  'test/{config,decimal,deploy,log,time}.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: isPostgres ? ALIKE : [],
    pool: 'forks',
    // One of two cores would stand idle.
    maxWorkers: availableParallelism(),
    reporters: ['default', ['json', { outputFile: report }]],
    // Against hanging only: how fast a machine is decides no test.
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});

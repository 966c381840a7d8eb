import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Each engine's run has its own report.
const isPostgres = Boolean(process.env['TEST_DATABASE_URL']);
const report = isPostgres ? '.test-report-postgres.json' : '.test-report.json';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The browser sees no difference between the engines; what it asks of the service is tested on both without it.
    exclude: isPostgres ? ['test/console/**'] : [],
    pool: 'forks',
    // One of two cores would stand idle.
    maxWorkers: availableParallelism(),
    reporters: ['default', ['json', { outputFile: report }]],
    // Against hanging only: how fast a machine is decides no test.
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});

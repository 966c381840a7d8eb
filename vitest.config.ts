import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Each engine's run has its own report.
const report = process.env['TEST_DATABASE_URL'] ? '.test-report-postgres.json' : '.test-report.json';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // One of two cores would stand idle.
    maxWorkers: availableParallelism(),
    reporters: ['default', ['json', { outputFile: report }]],
    // Against hanging only: how fast a machine is decides no test.
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});

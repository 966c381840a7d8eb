import { defineConfig } from 'vitest/config';

// Each engine's run has its own report.
const report = process.env['TEST_DATABASE_URL'] ? '.test-report-postgres.json' : '.test-report.json';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    reporters: ['default', ['json', { outputFile: report }]],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

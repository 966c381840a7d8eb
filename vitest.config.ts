import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    reporters: ['default', ['json', { outputFile: '.test-report.json' }]],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

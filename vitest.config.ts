import { defineConfig } from 'vitest/config';

const lintTest = 'src/testing/lint*.test.ts';

export default defineConfig({
  test: {
    // Two cores: more workers only make PostgreSQL wait for them.
    maxWorkers: 2,
    // A time limit is there for what hangs, not for how fast a machine is: tests name none of their own.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    projects: [
      {
        // Pure code: no database is started, so `npm run check` stays fast.
        extends: true,
        test: { name: 'unit', include: ['src/{domain,contract,ui,blocks,console,respondent}/**/*.test.{ts,tsx}', lintTest] },
      },
      {
        extends: true,
        test: {
          name: 'database',
          exclude: [lintTest],
          include: ['src/{server,features,testing}/**/*.test.{ts,tsx}', 'seed/**/*.test.ts', 'db/**/*.test.ts'],
          globalSetup: ['src/testing/globalSetup.ts'],
        },
      },
    ],
  },
});

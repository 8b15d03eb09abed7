import { defineConfig } from 'vitest/config';

const lintTest = 'src/testing/lint*.test.ts';

export default defineConfig({
  test: {
    // For two cores: more workers would only slow PostgreSQL down.
    maxWorkers: 2,
    // Loading the server's code costs more than most files of tests. So the files of a worker share the loaded modules; each has its
    // own server and database.
    isolate: false,
    // The time limit is for tests that hang, not for slow machines. So no test has its own limit.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    projects: [
      {
        // Pure code needs no database, so `npm run check` stays fast.
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

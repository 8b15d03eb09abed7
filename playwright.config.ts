import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/browser.ts';

/** The servers that are given: a worker has its own, because one journey must not meet the data of another. */
const given = process.env['E2E_URL']?.split(' ').length;

/** The browser tests. They run against real servers with the demonstration data in separate data folders. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/start.ts',
  // A journey waits most of its time, for the server or for the page. So two run side by side.
  workers: given ?? 2,
  // The time limit is for tests that hang, not for slow machines.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  outputDir: '.cache/e2e',
  use: {
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    actionTimeout: 60_000,
    // A message or a dialog that fades is half transparent, and axe may look at it in that moment.
    contextOptions: { reducedMotion: 'reduce' },
    // A test that answers calls itself does not see those of a page with a worker. The tests of the workers allow them.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions,
  },
});

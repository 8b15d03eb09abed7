import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/browser.ts';

/** The browser tests. They run against a real server with the demonstration data in a separate data folder. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/start.ts',
  workers: 1,
  // The time limit is for tests that hang, not for slow machines.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  outputDir: '.cache/e2e',
  use: {
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
    launchOptions,
  },
});

import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/browser.ts';

/** Real-browser journeys against a real server on a data folder of its own, filled with the demonstration. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/start.ts',
  workers: 1,
  // A time limit is there for what hangs, not for how fast a machine is.
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

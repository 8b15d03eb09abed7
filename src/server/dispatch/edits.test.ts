import { expect, test } from 'vitest';
import { startServer } from '#testing/server.ts';

test('smoke', async () => {
  await startServer();
  expect(1).toBe(1);
});

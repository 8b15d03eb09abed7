import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { postJson } from '#server/messages/webhook.ts';

afterEach(() => vi.restoreAllMocks());

/** Lets the ten seconds of an attempt last `milliseconds`, and records the limits that it asks for. */
function shortenLimit(milliseconds: number): number[] {
  const limits: number[] = [];
  const original = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((limit) => {
    limits.push(limit);
    return original(milliseconds);
  });
  return limits;
}
const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

test('a look-up of a name that never ends ends with the time of the attempt', async () => {
  const limits = shortenLimit(50);
  const never = () => new Promise<string>(() => undefined);
  await expect(postJson('https://school.example/', '{}', {}, false, never)).rejects.toThrow('连接超时');
  expect(limits).toEqual([10_000]);
});

test('the time of a slow look-up is missing to the receiver, for both share the ten seconds', async () => {
  const limits = shortenLimit(300);
  const server = createServer((_, response) => setTimeout(() => response.writeHead(204).end(), 200));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://school.example:${(server.address() as AddressInfo).port}/`;
  const slow = async () => {
    await wait(200);
    return '127.0.0.1';
  };
  await expect(postJson(url, '{}', {}, true, slow)).rejects.toThrow('连接超时');
  expect(limits).toEqual([10_000]);
  vi.restoreAllMocks();
  expect(await postJson(url, '{}', {}, true, () => Promise.resolve('127.0.0.1'))).toBe(204);
});

import { expect, test } from 'vitest';
import { grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import { notifyOfExpiringCounts } from '#features/assesscount/expiry/expiryNotices.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { getMyDay } from '#features/workbench/workbench.contract.ts';
import type { Person } from '#testing/people.ts';
import { countNotices } from '#testing/sealing.ts';
import { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const notices = async ({ as }: Server, person: Person) =>
  (await as(person)(getNoticePageList, { pageSize: 50 })).rows
    .filter((row) => row.title.includes('到期'))
    .map(({ title, content }) => `${title} ${content}`)
    .reverse();

/** The platform granted 安澜 300 counts. 晨光 has 100 of them and 东山 60, both until 31 October. */
async function startWithGrants() {
  const server = await startServer({ now: '2025-09-20T02:00:00Z' });
  const { as } = server;
  await as('super')(grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 300 });
  await as('fang')(grantMUserAssessCount, { musercode: 'M_CHENGUANG', qty: 100, enddate: '2025-10-31' });
  await as('fang')(grantMUserAssessCount, { musercode: 'M_DONGSHAN', qty: 60, enddate: '2025-10-31' });
  const notifyAt = async (time: string) => {
    server.clock.now = new Date(time);
    await notifyOfExpiringCounts(server.services.pools, server.clock.now);
    await Promise.all([1, 2].map(() => notifyOfExpiringCounts(server.services.pools, server.clock.now)));
  };
  return { server, notifyAt };
}

test('administrators and the granting provider are notified once at thirty, seven and one days before counts expire', async () => {
  const { server, notifyAt } = await startWithGrants();
  await notifyAt('2025-09-30T15:59:00Z');
  expect(await notices(server, 'ma')).toEqual([]);
  // In Shanghai the thirtieth day before the expiry has begun.
  await notifyAt('2025-09-30T16:00:00Z');
  const firstNotice = '100 次测评次数将于 2025-10-31 到期';
  expect(await notices(server, 'ma')).toEqual([expect.stringContaining(firstNotice)]);
  const stored = await countNotices(server);
  expect([stored.texts > 1, stored.readable]).toEqual([true, 0]);
  await notifyAt('2025-10-24T01:00:00Z');
  await notifyAt('2025-10-25T01:00:00Z');
  await notifyAt('2025-10-30T01:00:00Z');
  await notifyAt('2025-10-31T01:00:00Z');
  const texts = await notices(server, 'ma');
  expect(texts).toHaveLength(3);
  expect(texts.map((text) => /还有 (\d+) 天/.exec(text)?.[1])).toEqual(['30', '7', '1']);
  expect(await notices(server, 'fang')).toEqual([
    expect.stringContaining('2 家机构共 160 次测评次数将于 2025-10-31 到期'),
    expect.stringContaining('云栖市晨光中学 100 次'),
    expect.anything(),
  ]);
  // Only the institutions that granted or have the counts get a notice.
  for (const person of ['chen', 'wang', 'lin', 'super', 'zhou'] as const) expect(await notices(server, person)).toEqual([]);
  expect((await server.as('ma')(getMyDay, {})).blocks.find((block) => block.key === 'grants')).toMatchObject({ count: 1 });
});

test('after an outage only the nearest expiry notice is sent, and none for counts that are used or expired', async () => {
  const { server, notifyAt } = await startWithGrants();
  await server.as('fang')(grantMUserAssessCount, { musercode: 'M_DONGSHAN', kind: '06', qty: 60, remark: '合同变更' });
  await notifyAt('2025-10-28T01:00:00Z');
  expect(await notices(server, 'ma')).toEqual([expect.stringContaining('还有 3 天')]);
  expect(await notices(server, 'fang')).toEqual([expect.stringContaining('1 家机构共 100 次')]);
  await notifyAt('2025-11-01T01:00:00Z');
  expect(await notices(server, 'ma')).toHaveLength(1);
});

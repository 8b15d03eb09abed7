import { expect, test } from 'vitest';
import { addHours } from '#domain/base/calendar.ts';
import { deliverMessages } from '#features/warning/alerts/deliver.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import { aColleague } from '#testing/factories.ts';
import { takeExam } from '#testing/exam.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const calm = { PHQ9: '0 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };

test('the first comparison after an update opens thirty cases with clocks and sends each recipient one notice', async () => {
  const server = await startServer();
  const { services, clock, sqlAsOwner } = server;
  await aColleague(server, { userid: 'U_NIGHT', musercode: 'M_ANLAN', realname: '值守员', rolekey: 'warningduty' });
  const names = Array.from({ length: 30 }, (_, index) => `学生${index + 1}`);
  const { pupils } = await addClass(server, { teamname: '初二3班', names, birthday: '2011-07-08' });
  for (const pupil of pupils) await takeExam(server, pupil, calm);
  expect(await sqlAsOwner('select warningcode from warning')).toEqual([]);
  // The rules of an earlier version were silent about these answers.
  await sqlAsOwner(`update examform set answers = answers || '{"q9": "2"}' where formcode = 'PHQ9'`);
  const run = async (kind: 'hourly' | 'nightly') => {
    const { reports, failed } = await reconcile(services, kind, clock.now);
    expect(failed).toEqual([]);
    return reports['M_CHENGUANG'];
  };
  const countOfNotices = () =>
    sqlAsOwner<{ userid: string; n: number }>(
      'select userid, count(*)::int as n from notification where userid is not null group by userid order by userid',
    );

  expect(await run('nightly')).toMatchObject({ sheets: 30, differences: 30 });
  const cases = await sqlAsOwner<{ isClocked: boolean; n: number }>(
    `select level, state, acceptduetime > createtime and owneruserid is not null as "isClocked", count(*)::int as n
     from warning group by 1, 2, 3`,
  );
  expect(cases).toEqual([{ level: 3, state: '01', isClocked: true, n: 30 }]);
  const notices = await countOfNotices();
  expect(notices.map(({ userid }) => userid)).toEqual(['U_CHEN', 'U_DUTY', 'U_LU', 'U_MA', 'U_NIGHT']);
  expect(new Set(notices.map(({ n }) => n))).toEqual(new Set([1]));
  const texts = await sqlAsOwner<{ title: string; content: string }>('select distinct title, content from notification');
  for (const { title, content } of texts) {
    expect(title).toMatch(/零漏报对账：发现 30 处差异，请立即核对$/);
    expect(content).toContain('一级预警 30 处），涉及个案 30 例，均已进入预警列表并开始计时');
    expect(content).not.toContain('学生');
  }
  // Each handler gets one short message for all of them.
  const handlers = await sqlAsOwner<{ n: number }>(
    "select count(*)::int as n from notification where userid in ('U_CHEN', 'U_DUTY', 'U_LU')",
  );
  expect(await deliverMessages(services)).toBe(handlers[0]?.n);

  // The common notice is the notice of each case, so the next passes find nothing.
  clock.now = addHours(clock.now, 1);
  expect(await run('hourly')).toMatchObject({ differences: 0 });
  expect(await run('nightly')).toMatchObject({ differences: 0 });
  expect(await countOfNotices()).toEqual(notices);
});

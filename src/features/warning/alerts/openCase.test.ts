import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import type { WarningTrigger } from '#domain/warning/warningtrigger.ts';
import { withScope, type Scope, type SessionHash } from '#server/db/scope.ts';
import { aBareExam, aClassOf, aColleague, aRespondentSession, aStudent } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';
import { openCase, type CaseRequest } from '#features/warning/alerts/openCase.queries.ts';

const friday = fromShanghai('2025-10-10 21:30');
const item9: WarningTrigger = {
  source: '01',
  level: 2,
  itemtrigger: true,
  rulecodes: [],
  alerts: ['SI1'],
  alertmsgs: ['第9题阳性（好几天）'],
};
const severe: WarningTrigger = {
  source: '01',
  level: 3,
  itemtrigger: true,
  rulecodes: ['R02', 'R03', 'R04'],
  alerts: ['SI1'],
  alertmsgs: ['第9题阳性（好几天）'],
};

/** A school with the student 林小雨, her class teacher Wang and her respondent session. */
async function school() {
  const server = await startServer();
  const { cuserid } = await aStudent(server, { gradename: '初二' });
  await aClassOf(server, [cuserid], { owneruserid: 'U_WANG' });
  for (const examcode of ['E1', 'E2']) await aBareExam(server, cuserid, examcode);
  const hash = (await aRespondentSession(server, cuserid, 'linxiaoyu')) as SessionHash;
  const asRespondent = <T>(work: (scope: Scope) => Promise<T>) =>
    withScope(server.services.pools.respondent, { session: hash }, work);
  const raise = (trigger: WarningTrigger, more: Partial<CaseRequest> = {}) =>
    asRespondent((scope) =>
      openCase(scope, {
        cuserid,
        musercode: 'M_CHENGUANG',
        appid: '000000002',
        examcode: 'E1',
        trigger,
        time: friday,
        isMinor: true,
        sector: 'edu',
        ...more,
      }),
    );
  return { ...server, cuserid, raise };
}

test('a red answer opens a case with an owner on duty, deadlines, log, risk flag and notifications', async () => {
  const { raise, sqlAsOwner, cuserid } = await school();
  const raised = await raise(severe);
  expect(raised).toEqual({
    warningcode: expect.stringMatching(/^W\d{10}$/),
    created: true,
    raised: false,
    joined: false,
    level: 3,
  });
  expect(
    await sqlAsOwner('select cuserid, level, state, owneruserid, itemtrigger, acceptduetime, assessduetime from warning'),
  ).toEqual([
    {
      cuserid,
      level: 3,
      state: '01',
      owneruserid: 'U_CHEN',
      itemtrigger: 1,
      acceptduetime: fromShanghai('2025-10-11 21:30'),
      assessduetime: fromShanghai('2025-10-12 21:30'),
    },
  ]);
  expect(await sqlAsOwner('select action, tolevel, operatorname from warninglog')).toEqual([
    { action: '新建', tolevel: 3, operatorname: '系统' },
  ]);
  expect(await sqlAsOwner('select riskflag from cuser')).toEqual([{ riskflag: 3 }]);
  expect(await sqlAsOwner('select kind, refcode from outbox')).toEqual([{ kind: 'warning', refcode: raised.warningcode }]);
  const notes = await sqlAsOwner<{ userid: string; title: string; content: string }>(
    'select userid, title, content from notification order by userid',
  );
  expect(notes.map((note) => note.userid)).toEqual(['U_CHEN', 'U_DUTY', 'U_FANG', 'U_LU', 'U_MA', 'U_WANG']);
  expect(notes.every((note) => !note.title.includes('林小雨'))).toBe(true);
  const teacher = notes.find((note) => note.userid === 'U_WANG')!;
  expect(teacher.title + teacher.content).not.toMatch(/级|分|第9题|预警|危机/);
  expect(teacher.content).toBe('林小雨 · 初二 3班：请关注，今天联系心理老师。');
});

test('the provider’s night staff are notified of a level 3 case at a school without a name', async () => {
  const { raise, sqlAsOwner } = await school();
  await aColleague({ sqlAsOwner }, { userid: 'U_NIGHT', musercode: 'M_ANLAN', realname: '值守员', rolekey: 'warningduty' });
  await raise(severe);
  const [note] = await sqlAsOwner<{ musercode: string; title: string; content: string }>(
    "select musercode, title, content from notification where userid = 'U_NIGHT'",
  );
  expect(note?.musercode).toBe('M_ANLAN');
  expect(`${note?.title}${note?.content}`).toContain('云栖市晨光中学');
  expect(`${note?.title}${note?.content}`).not.toMatch(/林小雨|第9题/);
});

test('a repeated trigger changes nothing, and a new trigger joins the open case and may raise its level', async () => {
  const { raise, sqlAsOwner } = await school();
  const first = await raise(item9);
  expect(await raise(item9)).toEqual({ ...first, created: false, joined: true });
  expect(await sqlAsOwner('select count(*)::int as n from warninglog')).toEqual([{ n: 1 }]);
  expect(await raise(severe, { time: fromShanghai('2025-10-10 21:40') })).toEqual({
    warningcode: first.warningcode,
    created: false,
    raised: true,
    joined: true,
    level: 3,
  });
  expect(await raise(item9, { time: fromShanghai('2025-10-10 21:45') })).toMatchObject({ raised: false, joined: true, level: 3 });
  expect(await sqlAsOwner('select action, fromlevel, tolevel from warninglog order by logid')).toEqual([
    { action: '新建', fromlevel: null, tolevel: 2 },
    { action: '升级', fromlevel: 2, tolevel: 3 },
  ]);
});

test('a trigger of a closed case does not reopen it, and a trigger of another exam opens a new case', async () => {
  const { raise, sqlAsOwner } = await school();
  const first = await raise(item9);
  await sqlAsOwner("update warning set state = '08'");
  expect(await raise(item9)).toMatchObject({ warningcode: first.warningcode, created: false });
  expect(await raise(item9, { examcode: 'E2' })).toMatchObject({ created: true });
});

test('twenty concurrent triggers for one person open one case and are all logged', async () => {
  const { raise, sqlAsOwner } = await school();
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      raise(
        { ...item9, source: '05', alerts: [], alertmsgs: [`求助 ${i}`] },
        { examcode: null, time: new Date(friday.getTime() + i) },
      ),
    ),
  );
  expect(results.filter((result) => result.created)).toHaveLength(1);
  expect(new Set(results.map((result) => result.warningcode)).size).toBe(1);
  expect(await sqlAsOwner("select count(*)::int as n from warning where state not in ('07', '08')")).toEqual([{ n: 1 }]);
  const log = await sqlAsOwner<{ content: string }>('select content from warninglog');
  expect(new Set(log.map((line) => line.content)).size).toBe(20);
  const [row] = await sqlAsOwner<{ alertmsgs: string[] }>('select alertmsgs from warning');
  expect(row?.alertmsgs).toHaveLength(20);
});

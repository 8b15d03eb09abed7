import { expect, test } from 'vitest';
import { addHours, fromShanghai } from '#domain/base/calendar.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { sizeOf } from '#testing/size.ts';
import { insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';

type School = Awaited<ReturnType<typeof crisisSchool>>;

/** The recipients of the notices written since the last call, with ②–⑤. */
function recipientsOf({ sqlAsOwner }: School) {
  let last = 0;
  return async () => {
    const rows = await sqlAsOwner<{ id: number; userid: string | null; musercode: string; infokind: number; createtime: Date }>(
      'select id::int as id, userid, musercode, infokind, createtime from notification where id > $1 order by id',
      [last],
    );
    last = rows.at(-1)?.id ?? last;
    return Object.fromEntries(rows.map((row) => [row.userid ?? row.musercode, row.infokind]));
  };
}

test('9: a level-4 person who cannot be reached at 15:00 is told up the chain at 15:00, with the card for handlers only', async () => {
  const school = await crisisSchool('2026-11-18 14:00');
  const code = await school.report(4);
  await school.accept(code);
  await school.sqlAsOwner("insert into guardian (cuserid, musercode, name) values ($1, 'M_CHENGUANG', '林建国')", [
    school.pupil.cuserid,
  ]);
  const newRecipients = recipientsOf(school);
  await newRecipients();
  school.at('2026-11-18 15:00');
  await school.as('chen')(handling.verifyWarning, { warningcode: code, contactresult: '03', content: '电话无人接听，宿舍无人' });
  expect(await newRecipients()).toEqual({ U_CHEN: 4, U_DUTY: 4, U_LU: 4, U_MA: 3, U_WANG: 2, U_FANG: 5, U_ZHOU: 5 });
  const all = await school.sqlAsOwner<{ userid: string; title: string; content: string; createtime: Date }>(
    'select userid, title, content, createtime from notification',
  );
  const notes = all.filter(({ title, content }) => title.includes('联系不上') || content.includes('见过'));
  expect(notes.every((note) => note.createtime.getTime() === fromShanghai('2026-11-18 15:00').getTime())).toBe(true);
  const withCard = notes.filter((note) => note.content.includes('110'));
  expect(withCard.map((note) => note.userid).sort()).toEqual(['U_CHEN', 'U_DUTY', 'U_LU']);
  expect(withCard[0]?.content).toContain('林建国');
  expect(withCard[0]?.content).toContain('请在 2026-11-18 17:00 前联系上本人');
  expect(notes.find((note) => note.userid === 'U_WANG')?.content).toContain('您今天见过这名学生吗');
});

test('23: a level-4 case that is reopened at 08:00 is told like a new case', async () => {
  const school = await crisisSchool('2026-11-10 08:00');
  const code = await school.report(4);
  const newRecipients = recipientsOf(school);
  const recipients = await newRecipients();
  await school.sqlAsOwner("update warning set state = '07', nextdue = null, nextduekind = null");
  school.at('2026-11-18 08:00');
  await school.as('chen')(handling.reopenWarning, { warningcode: code, reason: '家长来电说他又写了遗书' });
  expect(await newRecipients()).toEqual(recipients);
  expect(await school.clocks(code)).toMatchObject({ accept: '11-18 10:00' });
});

test('8: an overdue contact of level 4 reaches the next node every two hours, also while another duty is overdue', async () => {
  const school = await crisisSchool('2026-11-18 08:00');
  const code = await school.report(4);
  await school.accept(code);
  await school.talk(code);
  await school.interview(code, 4, { ideation: 3 });
  await school.tellGuardian(code);
  school.at('2026-11-18 10:00');
  await school.as('chen')(insertSafetyPlan, { warningcode: code, ...aSafetyPlan() });
  await school.as('chen')(handling.startIntervene, { warningcode: code });
  const newRecipients = recipientsOf(school);
  const runAt = async (time: string) => {
    school.at(time);
    expect((await escalateOverdue(school.services, school.clock.now)).failed).toEqual([]);
    return newRecipients();
  };
  await newRecipients();
  // The report to the bureau was due at 08:00, the contact is due at 10:00.
  expect(await runAt('2026-11-19 10:00')).toMatchObject({ U_CHEN: 4, U_DUTY: 3, U_LU: 4, U_ZHOU: 5 });
  expect(await runAt('2026-11-19 10:01')).toEqual({ U_CHEN: 4, U_DUTY: 3, U_LU: 4, U_ZHOU: 5 });
  expect(await runAt('2026-11-19 12:01')).toMatchObject({ U_MA: 3, U_FANG: 5 });
  const [note] = await school.sqlAsOwner<{ title: string; content: string }>(
    "select title, content from notification where kind = 'overdue' and title like '%联系本人%' and userid = 'U_CHEN'",
  );
  expect(note?.title).toBe('联系本人超时');
  expect(note?.content).toContain('应于 2026-11-19 10:00 前完成联系本人');
});

test('a report of suspected harm is told to handlers and leaders within a minute, and not to the suspected colleague', async () => {
  const school = await crisisSchool('2026-11-18 10:00');
  const code = await school.report(3, '学生说被体育老师殴打，身上有伤');
  await school.sqlAsOwner("update warning set suspectuserids = '{U_MA}'");
  const newRecipients = recipientsOf(school);
  await newRecipients();
  school.at('2026-11-18 10:01');
  await escalateOverdue(school.services, school.clock.now);
  expect(await newRecipients()).toEqual({ U_CHEN: 4, U_DUTY: 4, U_LU: 4 });
  await escalateOverdue(school.services, addHours(school.clock.now, 0.02));
  expect(await newRecipients()).toEqual({});
  const [note] = await school.sqlAsOwner<{ content: string }>("select content from notification where title like '%须强制报告'");
  expect(note?.content).toContain('2026-11-18 12:00 前完成');
  expect(code).toMatch(/^W/);
});

test('whatever happens to a case, the last news has a notice of the same time for an able person or for the nodes above', async () => {
  const school = await crisisSchool('2026-11-18 08:00');
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % n;
  };
  const staff = ['U_CHEN', 'U_LU', 'U_DUTY', 'U_MA'];
  let newsCount = 0;
  for (let step = 0; step < sizeOf(40, 600); step += 1) {
    school.at('2026-11-18 08:00');
    school.clock.now = addHours(school.clock.now, step * 5);
    const userid = staff[random(4)]!;
    const choice = random(6);
    if (choice === 0)
      await school.sqlAsOwner('update sysuser set absentuntil = $2 where userid = $1', [userid, addHours(school.clock.now, 24)]);
    else if (choice === 1) await school.sqlAsOwner('update sysuser set absentuntil = null where userid = $1', [userid]);
    else if (choice === 2)
      await school.sqlAsOwner("update warning set state = '07', nextdue = null, nextduekind = null where state <> '07'");
    else await school.report(1 + random(4), `第 ${step} 次观察到情绪低落，需要关注`, 'fang');
    const cases = await school.sqlAsOwner<{ warningcode: string; newstime: Date }>(
      "select warningcode, newstime from warning where state <> '07'",
    );
    for (const { warningcode, newstime } of cases) {
      newsCount += 1;
      const notes = await school.sqlAsOwner<{ musercode: string; userid: string | null; infokind: number; isable: boolean }>(
        `select n.musercode, n.userid, n.infokind, u.absentuntil is null or u.absentuntil <= n.createtime
           or u.absentuntil - interval '24 hours' > n.createtime as isable
         from notification n left join sysuser u on u.userid = n.userid
         where n.warningcode = $1 and n.createtime = $2`,
        [warningcode, newstime],
      );
      const isInSchool = notes.some((note) => note.musercode === 'M_CHENGUANG' && note.infokind === 4 && note.isable);
      const isAbove = ['M_ANLAN', 'JYJ00001', 'AS000001'].every((code) => notes.some((note) => note.musercode === code));
      expect([step, isInSchool || isAbove]).toEqual([step, true]);
    }
  }
  expect(newsCount).toBeGreaterThan(10);
});

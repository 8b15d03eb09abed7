import { expect, test } from 'vitest';
import { addDays, addHours, shanghaiTime } from '#domain/base/calendar.ts';
import { currentDue } from '#domain/warning/deadline.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { rlsFaults } from '#server/db/verifyRls.ts';
import { asOwner } from '#server/db/roles.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { loadFacts, findWarning } from '#features/warning/warning.queries.ts';
import { findWarningRow } from '#features/warning/warninglist.queries.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';
import pg from 'pg';

/** Friday evening, 21:30 in Shanghai: nobody is at school until Monday. */
const fridayNight = '2025-10-10T13:30:00Z';

async function school() {
  const server = await startServer({ now: fridayNight });
  const { pupils } = await addClass(server, {
    teamname: '初二3班',
    names: ['林小雨', '周明', '何静'],
    owneruserid: 'U_WANG',
    birthday: '2011-07-08',
  });
  const report = async (level: number, cuserid = pupils[0]!.cuserid) =>
    (await server.as('chen')(handling.insertWarning, { cuserid, level, content: '同学反映其多次说不想活了' })).warningcode;
  const overdue = () =>
    server.sqlAsOwner<{ userid: string; title: string; content: string }>(
      "select userid, title, content from notification where kind = 'overdue' order by id",
    );
  return { ...server, pupils, report, overdue };
}

test('a crisis on Friday night escalates every two hours through the weekend, each step once', async () => {
  const { services, clock, report, overdue, sqlAsOwner } = await school();
  const warningcode = await report(4);
  const opened = clock.now;
  expect(await escalateOverdue(services, addHours(opened, 2))).toMatchObject({ overdue: 0, notified: 0, failed: [] });
  await escalateOverdue(services, addHours(opened, 2.1));
  expect((await overdue()).map((note) => note.userid).sort()).toEqual(['U_CHEN', 'U_DUTY', 'U_LU']);
  // The job runs every minute and on two servers at once: nobody receives a notice twice.
  await Promise.all([escalateOverdue(services, addHours(opened, 2.2)), escalateOverdue(services, addHours(opened, 2.2))]);
  expect(await overdue()).toHaveLength(3);
  await escalateOverdue(services, addHours(opened, 6.1));
  expect((await overdue()).map((note) => note.userid)).toContain('U_MA');
  expect((await overdue())[0]).toMatchObject({
    title: `预警 ${warningcode} 受理超时`,
    content: expect.stringContaining(`应于 ${shanghaiTime(addHours(opened, 2)).slice(0, 16)} 前完成受理`),
  });
  expect((await overdue()).every((note) => !`${note.title}${note.content}`.includes('林小雨'))).toBe(true);
  const log = await sqlAsOwner<{ content: string }>("select content from warninglog where action = '超时提醒' order by logid");
  expect(log.at(-1)?.content).toContain('已提醒校领导');
});

test('a level 2 case of Friday night is not overdue on Sunday, because its deadline counts working days', async () => {
  const { services, clock, report, overdue } = await school();
  await report(2);
  await escalateOverdue(services, addDays(clock.now, 2));
  expect(await overdue()).toEqual([]);
  await escalateOverdue(services, addDays(clock.now, 5.1));
  expect((await overdue()).length).toBeGreaterThan(0);
});

test('a case accepted in time and a closed case send no reminder', async () => {
  const { services, clock, as, report, overdue, sqlAsOwner } = await school();
  const warningcode = await report(3);
  await as('chen')(handling.acceptWarning, { warningcode });
  await escalateOverdue(services, addHours(clock.now, 23));
  expect(await overdue()).toEqual([]);
  await sqlAsOwner("update warning set state = '07'");
  await escalateOverdue(services, addDays(clock.now, 30));
  expect(await overdue()).toEqual([]);
});

test('after an outage of a week nobody receives a week of reminders at once', async () => {
  const { services, clock, report, overdue } = await school();
  await report(4);
  await escalateOverdue(services, addDays(clock.now, 7));
  expect((await overdue()).filter((note) => note.userid === 'U_MA')).toHaveLength(1);
});

test('a system session reaches one institution, is accepted by no action and ends with its job', async () => {
  const { services, report, sqlAsOwner } = await school();
  await report(3);
  expect(
    await runAsSystem(services.pools, 'M_DONGSHAN', (scope) => scope.db.selectFrom('warning').select('warningcode').execute()),
  ).toEqual([]);
  expect(await sqlAsOwner("select count(*)::int as n from auth.session where kind = 'system'")).toEqual([{ n: 0 }]);
});

test('the case list and the domain rules agree on the due step in every state', async () => {
  const { services, clock, report, sqlAsOwner, pupils } = await school();
  const codes = [await report(1, pupils[0]!.cuserid), await report(2, pupils[1]!.cuserid), await report(4, pupils[2]!.cuserid)];
  const hoursLater = (hours: number) => addHours(clock.now, hours);
  const caseStates: Record<string, unknown>[] = [
    {},
    { state: '02', accepttime: hoursLater(1) },
    { state: '03', accepttime: hoursLater(1), guardiansettledby: true },
    { state: '04', accepttime: hoursLater(1), raisedtime: hoursLater(2) },
    { state: '04', accepttime: hoursLater(3), raisedtime: hoursLater(2), level: 3, peaklevel: 3, assessduetime: hoursLater(50) },
    { state: '06', accepttime: hoursLater(1), follow: hoursLater(100) },
    { state: '06', accepttime: hoursLater(1), follow: hoursLater(10), guardiansettledby: true },
    { state: '07' },
  ];
  for (const { guardiansettledby, follow, ...columns } of caseStates) {
    await sqlAsOwner('delete from followup');
    for (const warningcode of codes) {
      await sqlAsOwner(
        `update warning set
          state = $2,
          accepttime = $3,
          raisedtime = $4,
          level = coalesce($5, level),
          peaklevel = greatest(peaklevel, coalesce($5, level)),
          assessduetime = coalesce($6, assessduetime),
          guardiannotified = $7,
          guardianduetime = $8,
          nextfollowtime = $9
        where warningcode = $1`,
        [
          warningcode,
          columns['state'] ?? '01',
          columns['accepttime'] ?? null,
          columns['raisedtime'] ?? null,
          columns['level'] ?? null,
          columns['assessduetime'] ?? null,
          guardiansettledby ? 1 : 0,
          hoursLater(60),
          follow ?? null,
        ],
      );
      if (follow)
        await sqlAsOwner(
          `insert into followup (cuserid, musercode, warningcode, duetime)
          select cuserid, musercode, warningcode, $2 from warning where warningcode = $1`,
          [warningcode, follow],
        );
      await runAsSystem(services.pools, 'M_CHENGUANG', async (scope) => {
        const row = await findWarningRow(scope, warningcode, hoursLater(70));
        const due = currentDue(await loadFacts(scope, await findWarning(scope, warningcode), hoursLater(70)));
        expect([columns, row?.duekind ?? null, row?.dueat ?? null, row?.isoverdue]).toEqual([
          columns,
          due?.kind ?? null,
          due?.due ?? null,
          due !== null && due.due < hoursLater(70),
        ]);
      });
    }
  }
});

test('the database functions of warnings keep tenants isolated', async () => {
  const { target } = await startServer();
  const client = new pg.Client(asOwner(target));
  await client.connect();
  try {
    expect(await rlsFaults(client)).toEqual([]);
  } finally {
    await client.end();
  }
});

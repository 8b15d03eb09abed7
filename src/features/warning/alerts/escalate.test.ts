import { expect, test } from 'vitest';
import { addDays, addHours, shanghaiTime } from '#domain/base/calendar.ts';
import { nextDue } from '#domain/warning/clock/clocks.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { rlsFaults } from '#server/db/verifyRls.ts';
import { asOwner } from '#server/db/roles.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import * as care from '#features/care/care.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import { loadFacts, findWarning } from '#features/warning/warning.queries.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { addClass } from '#testing/school.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
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
  await report(4);
  const opened = clock.now;
  expect(await escalateOverdue(services, addHours(opened, 2))).toMatchObject({ overdue: 0, notified: 0, failed: [] });
  await escalateOverdue(services, addHours(opened, 2.1));
  expect((await overdue()).map((note) => note.userid).sort()).toEqual(['U_CHEN', 'U_DUTY', 'U_LU', 'U_ZHOU']);
  // The job runs every minute and on two servers at once: nobody receives a notice twice.
  await Promise.all([escalateOverdue(services, addHours(opened, 2.2)), escalateOverdue(services, addHours(opened, 2.2))]);
  expect(await overdue()).toHaveLength(4);
  await escalateOverdue(services, addHours(opened, 6.1));
  expect((await overdue()).map((note) => note.userid)).toContain('U_MA');
  expect((await overdue())[0]).toMatchObject({
    title: '受理、访谈评估、告知监护人或家属、专项职责超时',
    content: expect.stringContaining(`应于 ${shanghaiTime(addHours(opened, 2)).slice(0, 16)} 前完成受理`),
  });
  // The provider hears of it when the top of the chain does. No title names the student, and no text above the school does.
  const notes = await overdue();
  expect(notes.map((note) => note.userid)).toContain('U_FANG');
  expect(notes.every((note) => !note.title.includes('林小雨'))).toBe(true);
  const namedTo = notes.filter((note) => note.content.includes('林小雨')).map((note) => note.userid);
  expect([...new Set(namedTo)].sort()).toEqual(['U_CHEN', 'U_DUTY', 'U_LU', 'U_MA']);
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
  // One for the clocks of two hours and one for the report to the bureau.
  expect((await overdue()).filter((note) => note.userid === 'U_MA').map((note) => note.title)).toEqual([
    '受理、访谈评估、告知监护人或家属、专项职责超时',
    '专项职责超时',
  ]);
});

test('a system session reaches one institution, is accepted by no action and ends with its job', async () => {
  const { services, report, sqlAsOwner } = await school();
  await report(3);
  expect(
    await runAsSystem(services.pools, 'M_DONGSHAN', (scope) => scope.db.selectFrom('warning').select('warningcode').execute()),
  ).toEqual([]);
  expect(await sqlAsOwner("select count(*)::int as n from auth.session where kind = 'system'")).toEqual([{ n: 0 }]);
});

test('the next due time in the table is the one of the rules after every step of a case', async () => {
  const { services, clock, report, sqlAsOwner, pupils, as } = await school();
  const chen = as('chen');
  const interview = { ideation: 0, attempthistory: 0, support: 2, safetyplan: aSafetyPlan() };
  const lowreason = '与本人、班主任和母亲分别谈过，没有想法和计划，愿意先来电话';
  const steps: ((warningcode: string, cuserid: string) => Promise<unknown>)[] = [
    (warningcode) => chen(handling.acceptWarning, { warningcode }),
    (warningcode) => chen(handling.verifyWarning, { warningcode, contactresult: '03', content: '电话未接' }),
    (warningcode) => chen(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈' }),
    (warningcode) => chen(handling.insertRiskAssess, { warningcode, ...interview, conclusionlevel: 1 }),
    (warningcode) => chen(handling.notifyGuardian, { warningcode, guardianname: '林建国', method: '01', content: '已电话说明' }),
    (warningcode) => chen(handling.startIntervene, { warningcode }),
    (warningcode) => chen(handling.insertRiskAssess, { warningcode, ...interview, ideation: 2, conclusionlevel: 1, lowreason }),
    (warningcode) => chen(insertSafetyPlan, { warningcode, ...aSafetyPlan({ means: [{ kind: '02', status: '03' }] }) }),
    (warningcode, cuserid) => chen(care.insertFollowUp, { cuserid, warningcode, duetime: shanghaiTime(addDays(clock.now, 2)) }),
    (warningcode) => chen(handling.insertReferral, { warningcode, tohospital: '第七人民医院', reason: '建议评估' }),
    (warningcode) => chen(handling.observe, { warningcode }),
    (warningcode) => chen(handling.updateWarningLevel, { warningcode, level: 1, reason: '访谈后风险降低' }),
    (_, cuserid) => report(3, cuserid),
    (warningcode) => chen(handling.assignWarning, { warningcode, owneruserid: 'U_LU' }),
    (warningcode) => as('lu')(handling.acceptWarning, { warningcode }),
    (warningcode) => chen(special.transferWarning, { warningcode, receiver: '二中', person: '何', phone: '1', content: '转学' }),
    (warningcode) => chen(special.receiveWarning, { warningcode, content: '何老师确认' }),
    (warningcode) =>
      chen(special.dischargeWarning, { warningcode, hospital: '第七人民医院', afterattempt: 1, content: '已出院' }),
    (warningcode) => chen(special.reportDeath, { warningcode, source: '班主任来电' }),
  ];
  const stateOf = async (warningcode: string) =>
    (await sqlAsOwner('select state, nextdue, nextduekind, version from warning where warningcode = $1', [warningcode]))[0];
  let done = 0;
  for (const [index, { cuserid }] of pupils.entries()) {
    const warningcode = await report(index + 1, cuserid);
    // Each case meets the steps in its own order, and twice, so that news comes in different states.
    for (let round = 0; round < steps.length * 2; round += 1) {
      clock.now = addHours(clock.now, 3);
      const at = round < steps.length ? (round * (index === 0 ? 1 : 3 + index * 2)) % steps.length : round - steps.length;
      const before = await stateOf(warningcode);
      await steps[at]!(warningcode, cuserid).then(
        () => (done += 1),
        // A step that the state refuses changes nothing.
        async ({ code }: { code: number }) => expect([code, await stateOf(warningcode)]).toEqual([140001, before]),
      );
      const facts = await runAsSystem(services.pools, 'M_CHENGUANG', async (scope) =>
        loadFacts(scope, await findWarning(scope, warningcode), clock.now),
      );
      const due = nextDue(facts);
      expect(due).not.toBe(null);
      expect(await stateOf(warningcode)).toMatchObject({ nextdue: due?.due, nextduekind: due?.kind });
    }
  }
  expect(done).toBeGreaterThan(steps.length * 2);
});

test('the database refuses an open case without a next due time', async () => {
  const { report, sqlAsOwner } = await school();
  await report(2);
  await expect(sqlAsOwner('update warning set nextdue = null')).rejects.toThrow('warning_open_is_due');
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

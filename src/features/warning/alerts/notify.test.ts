import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { notifyOfWarning, type CaseNotification } from '#features/warning/alerts/notify.queries.ts';
import { findStaff } from '#features/warning/duty/duty.queries.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { updateLocalDuties } from '#features/warning/special/localDuties.contract.ts';
import { findWarning } from '#features/warning/warning.queries.ts';
import { aClassOf, aColleague } from '#testing/factories.ts';
import { addStudent, takeExam } from '#testing/exam.ts';
import { startServer } from '#testing/server.ts';

interface NoteRow {
  musercode: string;
  userid: string | null;
  title: string;
  content: string;
  link: string | null;
  createtime: Date;
  infokind: number;
}

/** 晨光中学 with 林小雨 of the class of Wang, and calls that raise and tell cases. */
async function school(now?: string) {
  const server = await startServer(now ? { now } : {});
  const { as, sqlAsOwner, services, clock } = server;
  const student = await addStudent(server);
  await aClassOf(server, [student.cuserid], { owneruserid: 'U_WANG' });
  const report = async (level: number, content = '同学反映其多次说不想活了', who: 'chen' | 'lu' = 'chen') =>
    (await as(who)(handling.insertWarning, { cuserid: student.cuserid, level, content })).warningcode;
  const notices = () => sqlAsOwner<NoteRow>('select * from notification order by id');
  /** The recipients of the notices since the last call, with what they read. */
  let seen = 0;
  const newRecipients = async () => {
    const all = await notices();
    const fresh = all.slice(seen);
    seen = all.length;
    return Object.fromEntries(fresh.map((note) => [note.userid ?? note.musercode, note.infokind]));
  };
  /** Tells an event of a case as the case machine does. */
  const tell = (warningcode: string, more: Pick<CaseNotification, 'reason' | 'level'> & Partial<CaseNotification>) =>
    runAsSystem(services.pools, 'M_CHENGUANG', async (scope) => {
      const row = await findWarning(scope, warningcode);
      const staff = await findStaff(scope, 'M_CHENGUANG', {}, clock.now);
      await notifyOfWarning(scope, { row, staff, triggers: '测试', due: null, time: clock.now, ...more });
    });
  return { ...server, student, report, notices, newRecipients, tell };
}

test('L4: a self-harm answer on Saturday at 23:40 is told at 23:40 to the owner, duty, psychologists and class teacher', async () => {
  const server = await school('2025-10-11T15:36:00Z');
  await takeExam(server, server.student, { PHQ9: '0 0 0 0 0 0 0 0 1 0' });
  const notes = await server.notices();
  expect(notes.map((note) => note.createtime)).toEqual(notes.map(() => fromShanghai('2025-10-11 23:40')));
  expect(await server.newRecipients()).toEqual({ U_CHEN: 4, U_DUTY: 4, U_LU: 4, U_WANG: 2 });
  expect(await server.sqlAsOwner('select acceptduetime from warning')).toEqual([
    { acceptduetime: fromShanghai('2025-10-12 23:40') },
  ]);
  expect(notes.every((note) => !note.title.includes('林小雨'))).toBe(true);
});

test('a case of level 4 reaches the bureau without a name and the provider in full, each at once', async () => {
  const { report, notices, newRecipients } = await school();
  const warningcode = await report(4);
  expect(await newRecipients()).toEqual({ U_CHEN: 4, U_DUTY: 4, U_LU: 4, U_MA: 3, U_WANG: 2, U_FANG: 4, U_ZHOU: 5 });
  const of = async (userid: string) => (await notices()).find((note) => note.userid === userid)!;
  const bureau = await of('U_ZHOU');
  expect(`${bureau.title}${bureau.content}`).toContain(warningcode);
  expect(`${bureau.title}${bureau.content}`).not.toMatch(/林小雨|不想活/);
  expect(bureau.link).toBeNull();
  expect((await of('U_FANG')).content).toMatch(/林小雨.*不想活/);
  expect((await of('U_MA')).content).toMatch(/林小雨/);
  expect((await of('U_MA')).content).not.toMatch(/不想活/);
  const teacher = await of('U_WANG');
  expect(teacher.title + teacher.content).not.toMatch(/级|分|预警|危机/);
});

test('where the local rule says so, the bureau is not told of level 4', async () => {
  const { as, report, newRecipients } = await school();
  await as('ma')(updateLocalDuties, { authority: 0, authorityhours: 24, abusehours: 2, injuryhours: 24 });
  await report(4);
  expect(Object.keys(await newRecipients())).not.toContain('U_ZHOU');
});

test('each piece of news is told like a new case, also when it repeats level and reason', async () => {
  const { report, clock, newRecipients } = await school();
  await report(3);
  const recipients = await newRecipients();
  expect(recipients).toEqual({ U_CHEN: 4, U_DUTY: 4, U_LU: 4, U_MA: 3, U_WANG: 2, U_FANG: 5 });
  for (const hours of [1, 2, 3]) {
    clock.now = new Date(clock.now.getTime() + hours * 3_600_000);
    await report(3, `又一次在班里和同学说再见 ${hours}`);
    expect(await newRecipients()).toEqual(recipients);
  }
  await report(2, '今天没有来学校上课也没有请假');
  expect(await newRecipients()).toEqual({ U_CHEN: 4 });
});

test('L5: when the owner is disabled from above, a farewell reported at 08:00 is told at 08:00 to the next able persons', async () => {
  const { report, clock, notices, newRecipients, sqlAsOwner } = await school();
  await report(3);
  await newRecipients();
  await sqlAsOwner("update sysuser set enabled = 0 where userid = 'U_CHEN'");
  clock.now = fromShanghai('2025-10-09 08:00');
  await report(3, '今早在群里和大家道别，说以后不用等了', 'lu');
  expect(await newRecipients()).toEqual({ U_DUTY: 4, U_LU: 4, U_MA: 3, U_WANG: 2, U_FANG: 5 });
  expect((await notices()).at(-1)?.createtime).toEqual(clock.now);
});

test('an absent owner is joined by the next able person, and a suspected source of harm gets nothing', async () => {
  const { report, tell, newRecipients, sqlAsOwner } = await school();
  const warningcode = await report(2);
  expect(await newRecipients()).toEqual({ U_CHEN: 4, U_LU: 4, U_WANG: 2 });
  await sqlAsOwner("update sysuser set absentuntil = '2025-10-20' where userid = 'U_CHEN'");
  await sqlAsOwner("update warning set suspectuserids = '{U_WANG}'");
  await tell(warningcode, { reason: 'news', level: 2 });
  expect(await newRecipients()).toEqual({ U_CHEN: 4, U_LU: 4, U_DUTY: 4 });
  await sqlAsOwner("update warning set suspectuserids = '{U_DUTY}'");
  await tell(warningcode, { reason: 'joined', level: 2, time: new Date('2025-10-08T04:00:00Z') });
  expect(await newRecipients()).toEqual({ U_CHEN: 4, U_LU: 4 });
});

test('without any able person in the school, the provider, the bureau and the platform are told', async () => {
  const { report, tell, newRecipients, notices, sqlAsOwner } = await school();
  const warningcode = await report(1, '近来成绩下降，常常独自发呆');
  await newRecipients();
  await sqlAsOwner("update sysuser set absentuntil = '2025-10-20' where musercode = 'M_CHENGUANG'");
  await tell(warningcode, { reason: 'news', level: 2 });
  const recipients = await newRecipients();
  expect(recipients).toMatchObject({ U_FANG: 4, U_ZHOU: 5, AS000001: 5 });
  const platform = (await notices()).find((note) => note.musercode === 'AS000001')!;
  expect(`${platform.title}${platform.content}`).not.toMatch(/林小雨/);
});

test('the provider’s night staff are notified before its administrators', async () => {
  const server = await school();
  await aColleague(server, { userid: 'U_NIGHT', musercode: 'M_ANLAN', realname: '值守员', rolekey: 'warningduty' });
  await server.report(3);
  const recipients = await server.newRecipients();
  expect([recipients['U_NIGHT'], recipients['U_FANG']]).toEqual([5, undefined]);
});

test('L9: an unreachable person of level 3 goes up the chain at once, with the card for handlers only', async () => {
  const { student, report, tell, newRecipients, notices, sqlAsOwner } = await school();
  await sqlAsOwner("insert into guardian (cuserid, musercode, name, relation) values ($1, 'M_CHENGUANG', '林建国', '01')", [
    student.cuserid,
  ]);
  const warningcode = await report(4);
  await newRecipients();
  await tell(warningcode, { reason: 'unreachable', level: 4, due: new Date('2025-10-08T04:00:00Z') });
  expect(await newRecipients()).toEqual({ U_CHEN: 4, U_DUTY: 4, U_LU: 4, U_MA: 3, U_WANG: 2, U_FANG: 5, U_ZHOU: 5 });
  const notes = (await notices()).filter((note) => !note.title.startsWith('新预警') && note.content.includes('110'));
  expect(notes.map((note) => note.userid).sort()).toEqual(['U_CHEN', 'U_DUTY', 'U_LU']);
  expect(notes[0]?.content).toContain('林建国');
  const teacher = (await notices()).filter((note) => note.userid === 'U_WANG').at(-1);
  expect(teacher?.content).toBe('林小雨 · 初三 3班：您今天见过这名学生吗？请马上告诉心理老师。');
});

test('a new owner and the psychologists are told of a hand-over', async () => {
  const { report, tell, newRecipients, sqlAsOwner } = await school();
  const warningcode = await report(2);
  await newRecipients();
  await sqlAsOwner("update warning set owneruserid = 'U_DUTY'");
  await tell(warningcode, { reason: 'handedover', level: 2 });
  expect(await newRecipients()).toEqual({ U_DUTY: 4, U_CHEN: 4, U_LU: 4 });
});

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDays } from '#domain/base/calendar.ts';
import { getCUserArchive } from '#features/archive/archive.contract.ts';
import * as identity from '#features/identity/identity.contract.ts';
import { getPHQ9ChartsData } from '#features/trend/trend.contract.ts';
import { getCUserReport } from '#features/report/report.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import { findDisagreements } from '#testing/counts.ts';
import { aStudent } from '#testing/factories.ts';
import { takeExam } from '#testing/exam.ts';
import { addClass, answerTask, screening, signInPupil, type Pupil } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const calm = { PHQ9: '0 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };
/** PHQ-9 of 18 without a thought of death: level 3 by rule. */
const low = { PHQ9: '2 2 2 2 2 2 3 3 0 0', GAD7: '0 0 0 0 0 0 0' };
const selfHarm = { PHQ9: '1 1 1 1 1 1 1 1 2 1', GAD7: '0 0 0 0 0 0 0' };
const reason = '核对座位表，答题时两人坐错了位置';

/** 林小雨 and 周明 of 晨光中学. */
async function twoStudents() {
  const server = await startServer();
  const lin = await aStudent(server);
  const zhou = await aStudent(server, { username: '周明', studentno: '20230302' });
  const compare = async (kind: 'hourly' | 'nightly' = 'nightly') =>
    (await reconcile(server.services, kind, server.clock.now)).reports['M_CHENGUANG']?.difflist;
  return { ...server, server, lin, zhou, compare };
}

/** A pupil answers the newest open task. `forms` holds option codes by form, in the order of the items. */
async function answerWith(server: TestServer, pupil: Pupil, forms: Readonly<Record<string, string>>) {
  const call = await signInPupil(server, pupil);
  const open = (await call(respond.getTasks, {})).find(({ status }) => status < 2);
  const { examcode, sheets } = await call(respond.startExam, { cuserplanid: open?.cuserplanid as number });
  server.clock.now = new Date(server.clock.now.getTime() + 240_000);
  const answers = sheets.flatMap(({ examformid, formcode, items }) =>
    items.map((item, index) => ({
      examformid,
      c: item.c,
      value: forms[formcode]?.split(' ')[index] ?? '',
      clientseq: index + 1,
    })),
  );
  await call(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
}

const casesOf = (server: Pick<TestServer, 'sqlAsOwner'>) =>
  server.sqlAsOwner<{ username: string; state: string; level: number; alertmsgs: string[] }>(
    'select username, state, level, alertmsgs from warning join cuser using (cuserid) order by warningcode',
  );

test('a calm sheet moves at once: report, scores and counts of the other person, the old report stays as a correction', async () => {
  const { as, server, lin, zhou, sqlAsOwner, compare } = await twoStudents();
  await takeExam(server, zhou, calm);
  const { examcode } = await takeExam(server, lin, calm);
  const [before] = (await as('chen')(getCUserArchive, { cuserid: lin.cuserid })).timeline.filter(({ type }) => type === 'report');
  await as('lu')(getCUserReport, { reportcode: before?.refcode ?? '' });
  // An AI text about the former person does not move with the sheet.
  const aitext = { summary: '近期情绪平稳', factors: ['作息规律'], advice: ['保持运动'], talk: '可以多聊聊近况' };
  await sqlAsOwner('update report set aistatus = 3, aicontent = $2 where examcode = $1', [examcode, JSON.stringify(aitext)]);
  expect(await as('chen')(identity.moveExam, { examcode, cuserid: zhou.cuserid, reason })).toMatchObject({ waits: 0 });
  const of = async (cuserid: string) => {
    const file = await as('chen')(getCUserArchive, { cuserid });
    const { forms } = await as('chen')(getPHQ9ChartsData, { cuserid });
    return [file.examcount, file.timeline.filter(({ type }) => type === 'report').length, forms.length];
  };
  expect(await of(lin.cuserid)).toEqual([0, 0, 0]);
  expect((await of(zhou.cuserid)).slice(0, 2)).toEqual([2, 2]);
  const report = await as('chen')(getCUserReport, { reportcode: before?.refcode ?? '' });
  expect(JSON.stringify(report)).toContain('周明');
  expect(await sqlAsOwner('select aistatus, aicontent from report where examcode = $1', [examcode])).toEqual([
    { aistatus: 0, aicontent: null },
  ]);
  const corrections = await sqlAsOwner<{ cuserid: string; content: unknown }>('select cuserid, content from reportcorrection');
  expect(corrections).toHaveLength(1);
  expect(corrections[0]?.cuserid).toBe(lin.cuserid);
  expect(JSON.stringify(corrections[0]?.content)).toContain('林小雨');
  // Lu had opened the wrong report.
  expect(await sqlAsOwner("select userid from notification where title = '一份答卷已更正归属' and userid = 'U_LU'")).toHaveLength(
    1,
  );
  expect(await compare()).toEqual([]);
});

test('a sheet with an alert waits for a second person; then the right person has a new case and the old one stays open', async () => {
  const { as, server, lin, zhou, clock, compare, sqlAsOwner } = await twoStudents();
  const { examcode } = await takeExam(server, lin, selfHarm);
  clock.now = addDays(clock.now, 2);
  const { moveid, waits } = await as('chen')(identity.moveExam, { examcode, cuserid: zhou.cuserid, reason });
  expect(waits).toBe(1);
  expect((await casesOf(server)).map(({ username }) => username)).toEqual(['林小雨']);
  await expect(as('chen')(identity.answerExamMove, { moveid, agreed: 1 })).rejects.toMatchObject({ code: 140001 });
  await expect(as('chen')(identity.moveExam, { examcode, cuserid: zhou.cuserid, reason })).rejects.toMatchObject({
    code: 140001,
  });
  const { moves } = await as('lu')(identity.getExamMoveList, { cuserid: lin.cuserid });
  expect(moves[0]).toMatchObject({ moveid, status: '01', cananswer: 1, fromname: '林小雨', toname: '周明' });
  await as('lu')(identity.answerExamMove, { moveid, agreed: 1 });
  const [old, fresh] = await casesOf(server);
  expect(old).toMatchObject({ username: '林小雨', state: '01' });
  expect(old?.alertmsgs.join()).toContain('触发答卷已更正');
  expect(fresh).toMatchObject({ username: '周明', state: '01', level: old?.level });
  const { rows } = await as('chen')(getWarningPageList, { keyword: '周明' });
  expect(rows).toHaveLength(1);
  const [clocks] = await sqlAsOwner<{ isfresh: boolean }>(
    'select acceptduetime > $1 as isfresh from warning where cuserid = $2',
    [clock.now, zhou.cuserid],
  );
  expect(clocks?.isfresh).toBe(true);
  expect(await compare('hourly')).toEqual([]);
  expect(await compare()).toEqual([]);
});

test('the comparison finds the case that a moved sheet should have opened', async () => {
  const { as, server, lin, zhou, compare, sqlAsOwner } = await twoStudents();
  const { examcode } = await takeExam(server, lin, selfHarm);
  const { moveid } = await as('chen')(identity.moveExam, { examcode, cuserid: zhou.cuserid, reason });
  await as('lu')(identity.answerExamMove, { moveid, agreed: 1 });
  expect(await compare('hourly')).toEqual([]);
  await sqlAsOwner("update examrecord set movetime = movetime + interval '1 minute' where examcode = $1", [examcode]);
  expect((await compare('hourly'))?.join()).toContain(examcode);
});

test('the same action backwards gives the sheet back and raises its alarm again', async () => {
  const { as, server, lin, zhou, compare, sqlAsOwner } = await twoStudents();
  const { examcode } = await takeExam(server, lin, selfHarm);
  const move = async (cuserid: string) => {
    const { moveid } = await as('chen')(identity.moveExam, { examcode, cuserid, reason });
    await as('lu')(identity.answerExamMove, { moveid, agreed: 1 });
  };
  await move(zhou.cuserid);
  await move(lin.cuserid);
  const cases = await casesOf(server);
  expect(cases.map(({ username }) => username).sort()).toEqual(['周明', '林小雨'].sort());
  const [news] = await sqlAsOwner<{ newsno: number }>('select newsno from warning where cuserid = $1', [lin.cuserid]);
  expect(news?.newsno).toBe(2);
  expect(await compare()).toEqual([]);
});

test('a returned correction changes nothing, and the asker reads why', async () => {
  const { as, server, lin, zhou, sqlAsOwner } = await twoStudents();
  const { examcode } = await takeExam(server, lin, low);
  const { moveid } = await as('chen')(identity.moveExam, { examcode, cuserid: zhou.cuserid, reason });
  await as('lu')(identity.answerExamMove, { moveid, agreed: 0, content: '监考记录显示座位无误' });
  expect((await as('chen')(identity.getExamMoveList, { cuserid: lin.cuserid })).exams.map((exam) => exam.examcode)).toEqual([
    examcode,
  ]);
  expect(await sqlAsOwner("select content from notification where userid = 'U_CHEN' and title = '答卷更正被退回'")).toEqual([
    { content: expect.stringContaining('监考记录') },
  ]);
});

test('in a task the old person answers again and the counts agree; a person with a sheet of the task can only swap', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { teamcode, pupil } = await addClass(server, { teamname: '初三1班', names: ['林小雨', '周明', '安然'] });
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode]));
  server.clock.now = new Date('2025-10-08T02:00:00Z');
  const lin = await answerTask(server, pupil('林小雨'));
  const an = await answerTask(server, pupil('安然'));
  const roster = async () =>
    Object.fromEntries(
      (
        await sqlAsOwner<{ username: string; status: number; examcode: string | null }>(
          'select username, r.status, r.examcode from taskroster r join cuser using (cuserid) where taskcode = $1',
          [taskcode],
        )
      ).map((row) => [row.username, [row.status, row.examcode]]),
    );
  await expect(
    as('chen')(identity.moveExam, { examcode: lin.examcode, cuserid: pupil('安然').cuserid, reason }),
  ).rejects.toMatchObject({ code: 140001 });
  await as('chen')(identity.moveExam, { examcode: lin.examcode, cuserid: pupil('周明').cuserid, reason });
  expect(await findDisagreements(server)).toEqual([]);
  expect(await roster()).toMatchObject({ 林小雨: [0, null], 周明: [2, lin.examcode], 安然: [2, an.examcode] });
  await as('chen')(identity.swapExam, { examcode: lin.examcode, otherexamcode: an.examcode, reason });
  expect(await roster()).toMatchObject({ 周明: [2, an.examcode], 安然: [2, lin.examcode] });
  expect(await findDisagreements(server)).toEqual([]);
  const again = await answerTask(server, pupil('林小雨'));
  expect(await roster()).toMatchObject({ 林小雨: [2, again.examcode] });
  expect(await findDisagreements(server)).toEqual([]);
});

test('a later sheet of the new person is compared with the sheet that came', async () => {
  const { as, server, lin, zhou, clock, compare } = await twoStudents();
  const { examcode } = await takeExam(server, lin, calm);
  clock.now = addDays(clock.now, 20);
  // A PHQ-9 of 9 alone opens no case. A rise of 5 points within 90 days does (R06).
  await takeExam(server, zhou, { PHQ9: '1 1 1 1 1 1 1 2 0 0', GAD7: '0 0 0 0 0 0 0' });
  expect(await casesOf(server)).toEqual([]);
  await as('chen')(identity.moveExam, { examcode, cuserid: zhou.cuserid, reason });
  expect(await casesOf(server)).toMatchObject([{ username: '周明', level: 2 }]);
  expect(await compare()).toEqual([]);
});

test('without a consent of the new person the report waits (待补同意) and the alarm does not', async () => {
  const { as, server, lin, zhou, sqlAsOwner } = await twoStudents();
  const { examcode } = await takeExam(server, lin, selfHarm);
  const { moveid } = await as('chen')(identity.moveExam, { examcode, cuserid: zhou.cuserid, reason });
  await as('lu')(identity.answerExamMove, { moveid, agreed: 1 });
  const withheld = async () =>
    (await sqlAsOwner<{ withheld: number }>('select withheld from report where examcode = $1', [examcode]))[0]?.withheld;
  expect(await withheld()).toBe(1);
  expect((await casesOf(server)).map(({ username }) => username)).toContain('周明');
  await takeExam(server, zhou, calm);
  expect(await withheld()).toBe(0);
});

test('no random sequence of moves and swaps loses an alarm: the comparison stays silent and the counts agree', async () => {
  const server = await startServer();
  const { as, sqlAsOwner, clock } = server;
  const { teamcode, pupils } = await addClass(server, { teamname: '初三1班', names: ['林小雨', '周明', '安然', '吴桐', '郑好'] });
  await as('chen')(task.insertAssessTask, screening([teamcode]));
  await as('chen')(task.insertAssessTask, screening([teamcode], { taskname: '补测' }));
  clock.now = new Date('2025-10-08T02:00:00Z');
  for (const [index, forms] of [selfHarm, calm, low, calm, selfHarm, low].entries())
    await answerWith(server, pupils[index % 4] as Pupil, forms);
  let seed = 20251008;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  let done = 0;
  for (let step = 0; step < 24; step += 1) {
    clock.now = new Date(clock.now.getTime() + 60_000);
    const sheets = await sqlAsOwner<{ examcode: string }>('select examcode from examrecord where status = 2 order by examcode');
    const examcode = sheets[next(sheets.length)]?.examcode ?? '';
    const otherexamcode = sheets[next(sheets.length)]?.examcode ?? '';
    const cuserid = pupils[next(pupils.length)]?.cuserid ?? '';
    const answer =
      next(3) === 0
        ? await server.raw('as.m.exam.swapExam', 'chen', { examcode, otherexamcode, reason })
        : await server.raw('as.m.exam.moveExam', 'chen', { examcode, cuserid, reason });
    // A sheet cannot move to its own person, nor to one who has a sheet of the task.
    expect([0, 130001, 140001]).toContain(answer.errorCode);
    if (answer.errorCode !== 0) continue;
    const { moveid, waits } = answer.data as { moveid: number; waits: number };
    if (waits === 1) await as('lu')(identity.answerExamMove, { moveid, agreed: 1 });
    done += 1;
    const { reports } = await reconcile(server.services, 'nightly', clock.now);
    expect(reports['M_CHENGUANG']).toMatchObject({ difflist: [] });
    expect(await findDisagreements(server)).toEqual([]);
  }
  expect(done).toBeGreaterThan(5);
});

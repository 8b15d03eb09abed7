import { expect, test } from 'vitest';
import { addDays } from '#domain/base/calendar.ts';
import { getCUserArchive } from '#features/archive/archive.contract.ts';
import { getPersonTrail } from '#features/audit/audit.contract.ts';
import { appointConsult, cancelConsult } from '#features/consult/booking/booking.contract.ts';
import { getCUserPageList, insertCUser, revealCUser } from '#features/cuser/cuser.contract.ts';
import { answerMergeCUser, getMergeList, getMergePreview, mergeCUser, undoMergeCUser } from '#features/merge/merge.contract.ts';
import { acceptWarning } from '#features/warning/handling/handling.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import * as task from '#features/task/task.contract.ts';
import { findDisagreements } from '#testing/counts.ts';
import { takeExam } from '#testing/exam.ts';
import { aConsult, aStudent, expireStepUp } from '#testing/factories.ts';
import { csv } from '#testing/files/classList.ts';
import { addClass, answerTask, screening } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const calm = { PHQ9: '0 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };
/** PHQ-9 of 18 without a thought of death: level 3 by rule. */
const low = { PHQ9: '2 2 2 2 2 2 3 3 0 0', GAD7: '0 0 0 0 0 0 0' };
/** PHQ-9 of 14: level 2. */
const worried = { PHQ9: '2 2 2 2 2 2 2 0 0 0', GAD7: '0 0 0 0 0 0 0' };
const mild = { PHQ9: '1 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };
const reason = '学籍号和监护人一致，是同一个学生';

/** Columns that keep the code of the record that went, with the reason. */
const KEEPS_THE_CODE: Readonly<Record<string, string>> = {
  'log.cuserids': 'the access log never changes; it is read through cuser.mergedinto',
  'warninglog.cuserid': 'the log of a case is a chain of hashes',
  'casewitness.cuserid': 'copies of the case log never change',
  'assesscountlog.cuserid': 'the ledger is only ever added to',
  'reconcilediff.cuserid': 'the finding of a comparison says what it found then',
  'sheetmove.cuserid': 'names the record of that time; read through cuser.mergedinto',
  'sheetmove.tocuserid': 'names the record of that time; read through cuser.mergedinto',
  'lessonprogress.cuserid': 'what a record watched stays with it; nobody else reads it',
  'cuserdistinct.cuserid': 'a comparison of two records; the record that goes is in no pair any more',
  'cuserdistinct.othercuserid': 'a comparison of two records; the record that goes is in no pair any more',
  'cusermerge.cuserid': 'the record of the merge itself',
  'cusermerge.tocuserid': 'the record of the merge itself',
  'anonymization.cuserid': 'a merge waits for the answer; earlier requests stay with the record that they were about',
  'legalhold.cuserid': 'a hold on the record that went holds the record that stays (access.is_held)',
  'session.cuserid': 'the merge ends the sessions',
};

/** 林小雨 stands twice in 晨光中学: with an old and a new student number. */
async function twoRecords() {
  const server = await startServer();
  const old = await aStudent(server);
  const twin = await aStudent(server, { studentno: '20250901' });
  const pair = { cuserid: twin.cuserid, tocuserid: old.cuserid };
  const compare = async (kind: 'hourly' | 'nightly' = 'nightly') =>
    (await reconcile(server.services, kind, server.clock.now)).reports['M_CHENGUANG']?.difflist;
  /** 陈老师 merges; with an open case 陆老师 agrees. */
  const merge = async () => {
    const { mergeid, waits } = await server.as('chen')(mergeCUser, { ...pair, reason });
    if (waits === 1) await server.as('lu')(answerMergeCUser, { mergeid, agreed: 1 });
    return mergeid;
  };
  return { ...server, server, old, twin, pair, compare, merge };
}

/** Every row with a person of an institution, without what only moves forward: versions, edits, times of changes. */
async function readRows({ sqlAsOwner }: Pick<TestServer, 'sqlAsOwner'>) {
  const tables = await sqlAsOwner<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('cuserid', 'tocuserid') order by 1`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    if (['cusermerge', 'warninglog', 'casewitness', 'assesscountlog'].includes(name)) continue;
    for (const { row } of await sqlAsOwner<{ row: string }>(
      `select (to_jsonb(x) - '{version,edits,updatetime,updateby}'::text[])::text as row from ${name} x`,
    ))
      rows.push(`${name} ${row}`);
  }
  return rows.sort();
}

const casesOf = ({ sqlAsOwner }: Pick<TestServer, 'sqlAsOwner'>) =>
  sqlAsOwner<{ warningcode: string; cuserid: string; state: string; level: number; closereason: string | null }>(
    'select warningcode, cuserid, state, level, closereason from warning order by warningcode',
  );

test('a merge brings sheets, archive, guardians and trend into one record; the undo returns every row', async () => {
  const { as, server, old, twin, pair, merge, compare } = await twoRecords();
  await takeExam(server, old, calm);
  await takeExam(server, twin, mild);
  const before = await readRows(server);
  const preview = await as('chen')(getMergePreview, pair);
  expect(preview).toMatchObject({ refusal: '', needssecond: 0, moves: { exams: 1, archives: 1 }, cases: [] });
  const mergeid = await merge();
  const file = await as('chen')(getCUserArchive, { cuserid: old.cuserid });
  expect(file).toMatchObject({ examcount: 2 });
  expect(file.archives).toHaveLength(2);
  expect((await as('chen')(getCUserPageList, { keyword: '林小雨' })).rows.map(({ cuserid }) => cuserid)).toEqual([old.cuserid]);
  expect(await compare()).toEqual([]);
  expect(await findDisagreements(server)).toEqual([]);
  const [row] = await as('chen')(getMergeList, { cuserid: old.cuserid });
  expect(row).toMatchObject({ mergeid, status: '02', canundo: 1, fromname: '林小雨' });
  await as('chen')(undoMergeCUser, { mergeid, reason: '两人同名，不是同一人' });
  expect(await readRows(server)).toEqual(before);
  expect(await compare()).toEqual([]);
});

test('of two open cases the higher one goes on with the earlier clocks, the other closes as 并案 until the undo', async () => {
  const { as, server, old, twin, clock, sqlAsOwner, merge, compare } = await twoRecords();
  await takeExam(server, old, worried);
  clock.now = addDays(clock.now, 1);
  await takeExam(server, twin, low);
  const [second, first] = await casesOf(server);
  await as('chen')(acceptWarning, { warningcode: first?.warningcode ?? '' });
  const clocksOf = async (warningcode: string | undefined) =>
    (
      await sqlAsOwner<{
        acceptduetime: Date;
        assessduetime: Date;
        isaccepted: boolean;
        alertmsgs: string[];
        rulecodes: string[];
      }>(
        `select acceptduetime, assessduetime, accepttime is not null and acceptno >= newsno as isaccepted, alertmsgs, rulecodes
         from warning where warningcode = $1`,
        [warningcode],
      )
    )[0];
  const [lesser, grave] = [await clocksOf(second?.warningcode), await clocksOf(first?.warningcode)];
  const before = await readRows(server);
  const mergeid = await merge();
  expect(await casesOf(server)).toMatchObject([
    { warningcode: second?.warningcode, cuserid: old.cuserid, state: '07', closereason: '06', level: 2 },
    { warningcode: first?.warningcode, cuserid: old.cuserid, level: 3 },
  ]);
  const joined = await clocksOf(first?.warningcode);
  // The accepted case must be accepted anew, because the other one waited for it.
  expect(joined).toMatchObject({ isaccepted: false, acceptduetime: lesser?.acceptduetime });
  expect(joined?.assessduetime.getTime()).toBe(
    Math.min(lesser?.assessduetime.getTime() ?? 0, grave?.assessduetime.getTime() ?? 0),
  );
  expect(joined?.rulecodes).toEqual(expect.arrayContaining([...(lesser?.rulecodes ?? []), ...(grave?.rulecodes ?? [])]));
  expect(await compare('hourly')).toEqual([]);
  expect(await compare()).toEqual([]);

  clock.now = addDays(clock.now, 20);
  await as('lu')(undoMergeCUser, { mergeid, reason: '两人同名，不是同一人' });
  const reopened = await clocksOf(second?.warningcode);
  expect(await casesOf(server)).toMatchObject([
    { cuserid: old.cuserid, state: '03', closereason: null, level: 2 },
    { cuserid: twin.cuserid, level: 3 },
  ]);
  expect(reopened?.acceptduetime.getTime()).toBeGreaterThan(clock.now.getTime());
  expect((await clocksOf(first?.warningcode))?.rulecodes).toEqual(grave?.rulecodes);
  const withoutCases = (rows: string[]) => rows.filter((row) => !row.startsWith('warning '));
  expect(withoutCases(await readRows(server))).toEqual(withoutCases(before));
  expect(await compare('hourly')).toEqual([]);
  expect(await compare()).toEqual([]);
});

test('the one open case goes along with its record, and only another human may agree to the merge', async () => {
  const { as, server, twin, old, pair, compare, sqlAsOwner } = await twoRecords();
  await takeExam(server, twin, low);
  const { mergeid, waits } = await as('chen')(mergeCUser, { ...pair, reason });
  expect(waits).toBe(1);
  expect((await casesOf(server))[0]?.cuserid).toBe(twin.cuserid);
  await expect(as('chen')(answerMergeCUser, { mergeid, agreed: 1 })).rejects.toMatchObject({ code: 140001 });
  await expect(as('lu')(mergeCUser, { ...pair, reason })).rejects.toMatchObject({ code: 140001 });
  const [request] = await as('lu')(getMergeList, { cuserid: old.cuserid });
  expect(request).toMatchObject({ status: '01', cananswer: 1 });
  expect(await sqlAsOwner("select 1 from notification where userid = 'U_LU' and title = '请您复核：合并档案'")).toHaveLength(1);
  await as('lu')(answerMergeCUser, { mergeid, agreed: 1 });
  expect(await casesOf(server)).toMatchObject([{ cuserid: old.cuserid, state: '01', level: 3 }]);
  expect((await as('chen')(getCUserPageList, { keyword: '林小雨' })).rows).toMatchObject([{ riskflag: 3 }]);
  expect(await compare('hourly')).toEqual([]);
});

test('a returned merge changes nothing, and the asker reads why', async () => {
  const { as, server, twin, pair, sqlAsOwner } = await twoRecords();
  await takeExam(server, twin, low);
  const before = await readRows(server);
  const { mergeid } = await as('chen')(mergeCUser, { ...pair, reason });
  await as('lu')(answerMergeCUser, { mergeid, agreed: 0, content: '监护人姓名不同，是两个学生' });
  expect(await readRows(server)).toEqual(before);
  expect(await sqlAsOwner("select content from notification where userid = 'U_CHEN' and title = '合并档案被退回'")).toEqual([
    { content: expect.stringContaining('两个学生') },
  ]);
});

test('in a common task the handed-in sheet stays, the other place is removed and its unit returns; the undo takes it back', async () => {
  const server = await startServer();
  const { as, clock, sqlAsOwner } = server;
  const { teamcode, pupils } = await addClass(server, { teamname: '初三1班', names: ['林小雨', '林晓雨'] });
  const [one, other] = pupils as [(typeof pupils)[0], (typeof pupils)[0]];
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode]));
  clock.now = new Date('2025-10-08T02:00:00Z');
  const { examcode } = await answerTask(server, other);
  const before = await readRows(server);
  const roster = () =>
    sqlAsOwner<{ cuserid: string; status: number; examcode: string | null }>(
      'select cuserid, status, examcode from taskroster where taskcode = $1 order by cuserid',
      [taskcode],
    );
  const pair = { cuserid: other.cuserid, tocuserid: one.cuserid };
  expect((await as('chen')(getMergePreview, pair)).tasks).toEqual([{ taskname: '2025 秋季普测', kept: 'goes' }]);
  const { mergeid } = await as('chen')(mergeCUser, { ...pair, reason });
  expect(await roster()).toEqual([
    { cuserid: one.cuserid, status: 2, examcode },
    { cuserid: other.cuserid, status: 9, examcode: null },
  ]);
  const frozen = async () =>
    Number(
      (await sqlAsOwner<{ frozen: string }>("select sum(frozen) as frozen from assesscount where musercode = 'M_CHENGUANG'"))[0]
        ?.frozen,
    );
  const less = await frozen();
  expect(await findDisagreements(server)).toEqual([]);
  await as('chen')(undoMergeCUser, { mergeid, reason: '两人同名，不是同一人' });
  expect(await frozen()).toBe(less + 1);
  expect(await findDisagreements(server)).toEqual([]);
  expect(await readRows(server)).toEqual(before);
});

test('a merge can be undone for 30 days, later merges first', async () => {
  const { as, server, old, twin, clock, merge } = await twoRecords();
  const third = await aStudent(server, { studentno: '20250902' });
  const mergeid = await merge();
  const later = await as('chen')(mergeCUser, { cuserid: old.cuserid, tocuserid: third.cuserid, reason });
  const undo = (id: number) => as('chen')(undoMergeCUser, { mergeid: id, reason: '两人同名，不是同一人' });
  await expect(undo(mergeid)).rejects.toMatchObject({ code: 140001, message: expect.stringContaining('先撤销之后的合并') });
  await undo(later.mergeid);
  clock.now = addDays(clock.now, 30);
  await expect(undo(mergeid)).rejects.toMatchObject({ code: 140001, message: expect.stringContaining('30 天') });
  clock.now = addDays(clock.now, -1);
  expect(await undo(mergeid)).toMatchObject({ cuserid: twin.cuserid });
  await expect(undo(mergeid)).rejects.toMatchObject({ code: 140001 });
});

test('records of two schools, of the dead and of the anonymised are not merged, and a step-up is needed', async () => {
  const { as, pair, twin, sqlAsOwner, server } = await twoRecords();
  const { cuserid } = await as('qiao')(insertCUser, { appid: '000000002', username: '林小雨', gender: '02' });
  await expect(as('chen')(mergeCUser, { ...pair, cuserid, reason })).rejects.toMatchObject({ code: 130001 });
  await expect(as('chen')(mergeCUser, { ...pair, cuserid: pair.tocuserid, reason })).rejects.toMatchObject({ code: 140001 });
  for (const [column, words] of [
    ['deathtime', '已登记死亡'],
    ['anonymizedtime', '已匿名化'],
  ]) {
    await sqlAsOwner(`update cuser set ${column} = now() where cuserid = $1`, [twin.cuserid]);
    expect((await as('chen')(getMergePreview, pair)).refusal).toContain(words);
    await expect(as('chen')(mergeCUser, { ...pair, reason })).rejects.toMatchObject({ code: 140001 });
    await sqlAsOwner(`update cuser set ${column} = null where cuserid = $1`, [twin.cuserid]);
  }
  await expireStepUp(server, 'U_CHEN');
  await expect(as('chen')(mergeCUser, { ...pair, reason })).rejects.toMatchObject({ code: 110007 });
});

test('records with bookings for a consultation at the same time are not merged until one of them is moved', async () => {
  const { as, pair, old, twin, server, sqlAsOwner, merge } = await twoRecords();
  const consultid = await aConsult(server, old.cuserid);
  const other = await aConsult(server, twin.cuserid);
  const slot = { slotbegin: '2025-10-09 14:00', slotend: '2025-10-09 14:50' };
  await as('chen')(appointConsult, { consultid, counsellor: 'U_CHEN', ...slot });
  await as('lu')(appointConsult, { consultid: other, counsellor: 'U_LU', ...slot, slotbegin: '2025-10-09 14:30' });
  const refusal = '两份档案在 2025-10-09 14:30 各有一个咨询预约，请先改期或取消其中一个';
  expect((await as('chen')(getMergePreview, pair)).refusal).toBe(refusal);
  await expect(as('chen')(mergeCUser, { ...pair, reason })).rejects.toMatchObject({ code: 140001, message: refusal });
  await as('lu')(cancelConsult, { consultid: other, reason: '两份档案的预约重复' });
  await merge();
  expect(await sqlAsOwner('select distinct cuserid from consult')).toEqual([{ cuserid: old.cuserid }]);
});

test('a rise that only the joint history shows opens a case with the merge', async () => {
  const { server, old, twin, clock, merge, compare } = await twoRecords();
  await takeExam(server, old, calm);
  clock.now = addDays(clock.now, 20);
  // A PHQ-9 of 9 alone opens no case. A rise of 5 points within 90 days does (R06).
  await takeExam(server, twin, { PHQ9: '1 1 1 1 1 1 1 2 0 0', GAD7: '0 0 0 0 0 0 0' });
  await merge();
  expect(await casesOf(server)).toMatchObject([{ cuserid: old.cuserid, level: 2 }]);
  expect(await compare()).toEqual([]);
});

test('an alarm from between merge and undo goes on with the person who gave the answers', async () => {
  const { as, server, old, twin, clock, merge, compare, sqlAsOwner } = await twoRecords();
  await takeExam(server, twin, worried);
  const mergeid = await merge();
  clock.now = addDays(clock.now, 3);
  await takeExam(server, old, low);
  expect(await casesOf(server)).toMatchObject([{ cuserid: old.cuserid, level: 3 }]);
  await as('chen')(undoMergeCUser, { mergeid, reason: '两人同名，不是同一人' });
  expect(await casesOf(server)).toMatchObject([
    { cuserid: twin.cuserid, level: 3 },
    { cuserid: old.cuserid, state: '01', level: 3 },
  ]);
  const messages = await sqlAsOwner<{ alertmsgs: string[] }>('select alertmsgs from warning');
  expect(messages.filter(({ alertmsgs }) => alertmsgs.includes('由撤销合并档案产生'))).toHaveLength(1);
  expect(await compare('hourly')).toEqual([]);
  expect(await compare()).toEqual([]);
});

test('numbers of the record that went find the person: in the form, in the search and in an import', async () => {
  const { as, old, twin, merge } = await twoRecords();
  await merge();
  const form = { appid: '000000002', username: '林小雨', gender: '02' as const };
  await expect(as('chen')(insertCUser, { ...form, archive: { studentno: '20250901' } })).rejects.toMatchObject({
    code: 130002,
    data: { cuserid: old.cuserid },
  });
  for (const keyword of ['20250901', twin.cuserid])
    expect((await as('chen')(getCUserPageList, { keyword })).rows.map(({ cuserid }) => cuserid)).toEqual([old.cuserid]);
  const imported = await as('chen')(
    roster.importAssessTeamRoster,
    { createteam: '1' },
    csv([
      ['班级', '姓名', '性别', '学号'],
      ['初三3班', '林小雨', '女', '20250901'],
    ]),
  );
  expect(imported).toMatchObject({ created: 0, failed: 0 });
  expect((await as('chen')(getCUserPageList, { keyword: '林小雨' })).rows).toMatchObject([
    { cuserid: old.cuserid, studentno: '20230301' },
  ]);
});

test('谁看过 of the record that stays also names who looked at the record that went', async () => {
  const { as, old, twin, merge } = await twoRecords();
  await as('chen')(revealCUser, { cuserid: twin.cuserid });
  const seen = async () =>
    (await as('ma')(getPersonTrail, { cuserid: old.cuserid })).rows.filter(({ title }) => title === '查看受测者详细信息').length;
  expect(await seen()).toBe(0);
  await merge();
  expect(await seen()).toBe(1);
});

test('an ID number is one person: the form offers the existing archive, also after a merge', async () => {
  const { as, sqlAsOwner } = await startServer();
  const woman = { appid: '000000001', username: '吴桂芳', gender: '02' as const, idno: '11010519491231002x' };
  const first = await as('lin')(insertCUser, woman);
  const refusal = { code: 130002, data: { cuserid: first.cuserid } };
  await expect(as('lin')(insertCUser, { ...woman, appid: '000000004' })).rejects.toMatchObject(refusal);
  await expect(as('lin')(insertCUser, { ...woman, idno: '110105194912310021' })).rejects.toMatchObject({ code: 120002 });
  const second = await as('lin')(insertCUser, { ...woman, idno: '' });
  await as('lin')(mergeCUser, { cuserid: first.cuserid, tocuserid: second.cuserid, reason });
  await expect(as('lin')(insertCUser, woman)).rejects.toMatchObject({ code: 130002, data: { cuserid: second.cuserid } });
  expect(JSON.stringify(await sqlAsOwner('select * from cuser'))).not.toContain('11010519491231002');
});

test('every column with a person of the database is handled by the merge, or keeps the old code for a reason', async () => {
  const { sqlAsOwner } = await twoRecords();
  const columns = await sqlAsOwner<{ name: string }>(
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
       join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
     where c.table_schema in ('public', 'audit', 'auth', 'rollup') and c.column_name like '%cuserid%'
     order by 1`,
  );
  const [fn] = await sqlAsOwner<{ text: string }>("select pg_get_functiondef('access.point_person'::regproc) as text");
  const isHandled = (name: string) => {
    const [table = '', column = ''] = name.split('.');
    return (
      name in KEEPS_THE_CODE ||
      (column === 'cuserid' &&
        (['taskroster', 'teamroster', 'cuser'].includes(table) || new RegExp(`\\b${table}\\b`).test(fn?.text ?? '')))
    );
  };
  expect(columns.map(({ name }) => name).filter((name) => !isHandled(name))).toEqual([]);
});

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readWorkbook } from '#server/workbook/read.ts';
import * as approval from '#features/approval/approval.contract.ts';
import * as examdata from '#features/examdata/examdata.contract.ts';
import { referenceReader } from '#testing/files/referenceReader.ts';
import { takeExam } from '#testing/exam.ts';
import { aStudent, setPermission } from '#testing/factories.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** A school with the handed-in questionnaires of some students. Each has PHQ-9 with 11 points and GAD-7 with none. */
async function school(names = ['林小雨']) {
  const server = await startServer();
  const cuserids: string[] = [];
  for (const [index, username] of names.entries()) {
    const student = await aStudent(server, { username, studentno: `2023030${index + 1}` });
    await takeExam(server, student, { PHQ9: '2 2 2 2 2 1 0 0 0' });
    cuserids.push(student.cuserid);
  }
  return { ...server, cuserids };
}
/** The rows of the first worksheet: the note, the heads and the cells. */
const rowsOf = async (answer: unknown) => {
  const { filename, body } = answer as { filename: string; body: Readable };
  return (await readWorkbook(await buffer(body), filename)).rows;
};
/** A second person approves the export. */
async function approve({ as }: TestServer, call: approval.GatedCall, filter: Record<string, unknown> = {}) {
  const { approvalid } = await as('chen')(approval.insertAccessApproval, { call, filter, purpose: '期末汇总分析' });
  await as('lu')(approval.decideAccessApproval, { approvalid, agreed: 1 });
  return approvalid;
}

test('exportCUserExamData has a worksheet a questionnaire with its scores, and says who exported it', async () => {
  const { as, cuserids, sqlAsOwner } = await school();
  const file = (await as('chen')(examdata.exportCUserExamData, { answers: 0 })) as { filename: string; body: Readable };
  expect(file.filename).toBe('测评数据_2025-10-08.xlsx');
  const book = await buffer(file.body);
  const tables = await referenceReader().read(new Map([['book', book]]));
  const rows = tables.get('book') ?? [];
  expect(rows[0]?.[0]).toContain('陈静怡 于 2025-10-08');
  const record = Object.fromEntries((rows[1] ?? []).map((head, index) => [head, rows[2]?.[index] ?? '']));
  expect(record).toMatchObject({
    受测者编号: cuserids[0],
    姓名: '林小雨',
    '学号/工号': '20230301',
    '班级/单位': '初三 3班',
    是否有效: '有效',
    抑郁总分: '11',
    '抑郁总分 等级': '中度',
  });
  expect(rows[1]?.some((head) => head.startsWith('1. '))).toBe(false);
  expect(
    await sqlAsOwner(
      "select cuserids, minors, detail->>'rows' as rows from audit.log where action = 'as.m.exam.exportCUserExamData'",
    ),
  ).toEqual([{ cuserids, minors: 1, rows: '2' }]);
});

test('single answers stand in the export of those who may read them, and always need a second person', async () => {
  const server = await school();
  const { as, sqlAsOwner } = server;
  const filter = { formcode: 'PHQ9' };
  await expect(as('chen')(examdata.exportCUserExamData, filter)).rejects.toMatchObject({ code: 140003 });
  const approvalid = await approve(server, 'as.m.exam.exportCUserExamData', filter);
  const rows = await rowsOf(await as('chen')(examdata.exportCUserExamData, { ...filter, approvalid }));
  const heads = rows[1] ?? [];
  const items = heads.filter((head) => /^\d+\. /.test(head));
  expect(items).toHaveLength(10);
  expect(items.slice(0, 9).map((head) => rows[2]?.[heads.indexOf(head)])).toEqual([...'222221000']);
  await setPermission({ sqlAsOwner }, 'U_CHEN', '00035', 'deny');
  const without = await rowsOf(await as('chen')(examdata.exportCUserExamData, filter));
  expect(without[1]?.some((head) => /^\d+\. /.test(head))).toBe(false);
});

test('an export of two minors needs an approval, and one of a single student or of adults does not', async () => {
  const server = await school(['林小雨', '张小北']);
  const { as, sqlAsOwner } = server;
  await expect(as('chen')(examdata.exportCUserDetailData, {})).rejects.toMatchObject({
    code: 140003,
    message: '导出内容含 2 名未成年人的信息，须经第二人审批后下载',
    data: { persons: 2, minors: 2 },
  });
  expect(await rowsOf(await as('chen')(examdata.exportCUserDetailData, { keyword: '林小雨' }))).toHaveLength(3);
  const approvalid = await approve(server, 'as.m.exam.exportCUserDetailData');
  expect(await rowsOf(await as('chen')(examdata.exportCUserDetailData, { approvalid }))).toHaveLength(4);
  await sqlAsOwner("update cuser set birthday = '1990-01-01'");
  expect(await rowsOf(await as('chen')(examdata.exportCUserDetailData, {}))).toHaveLength(4);
});

test('an approval for one indicator does not open another one', async () => {
  const server = await school(['林小雨', '张小北']);
  const quota = (quotacode: string) => ({ quotas: [{ quotacode, levels: [2, 0] }] });
  const approvalid = await approve(server, 'as.m.exam.exportCUserDetailData', quota('PHQ9.total'));
  await expect(server.as('chen')(examdata.exportCUserDetailData, { ...quota('GAD7.total'), approvalid })).rejects.toMatchObject({
    message: '筛选条件与审批的不一致，请按审批的条件导出',
  });
});

test('an export of more than 1,000 adults needs an approval', async () => {
  const server = await school();
  const { as, sqlAsOwner } = server;
  await sqlAsOwner("update cuser set birthday = '1990-01-01'");
  await sqlAsOwner(`with person as (
      insert into cuser (musercode, appid, username, gender, birthday)
      select musercode, appid, '成人' || n, '01', '1990-01-01' from cuser, generate_series(1, 1000) n returning cuserid, musercode, appid
    ), exam as (
      insert into examrecord (musercode, cuserid, appid, plancode, status, submittime, valid)
      select musercode, cuserid, appid, 'P900002', 2, now(), 1 from person returning examcode, cuserid, musercode, appid)
    insert into report (examcode, cuserid, musercode, appid, title, basis)
    select examcode, cuserid, musercode, appid, '报告', '{}' from exam`);
  await expect(as('chen')(examdata.exportCUserDetailData, {})).rejects.toMatchObject({
    code: 140003,
    message: '导出内容共 1,001 人，须经第二人审批后下载',
  });
  const approvalid = await approve(server, 'as.m.exam.exportCUserDetailData');
  expect(await rowsOf(await as('chen')(examdata.exportCUserDetailData, { approvalid }))).toHaveLength(1003);
});

test('exportCUserDetailData has one row a report with the indicators as columns', async () => {
  const { as } = await school();
  const rows = await rowsOf(await as('chen')(examdata.exportCUserDetailData, {}));
  const record = Object.fromEntries((rows[1] ?? []).map((head, index) => [head, rows[2]?.[index]]));
  expect(record).toMatchObject({ 姓名: '林小雨', 情绪状态: '中度情绪问题', 需关注: '是' });
  const scores = Object.entries(record).filter(([head]) => head.endsWith('抑郁总分') || head.endsWith('焦虑总分'));
  expect(scores.map(([, score]) => score)).toEqual(['11', '0']);
});

test('exportCUserStatData counts valid results by indicator, group and level, and names nobody', async () => {
  const { as } = await school(['林小雨', '张小北']);
  const rows = await rowsOf(await as('chen')(examdata.exportCUserStatData, {}));
  const depression = rows.filter((row) => row[1] === '抑郁总分').map((row) => row.slice(2, 15));
  expect(depression).toEqual([
    ['全部', '全部', '2', '0', '0', '2', '0', '0', '0', '0', '100', '0', '0'],
    ['年级', '初三', '2', '0', '0', '2', '0', '0', '0', '0', '100', '0', '0'],
    ['班级', '初三 3班', '2', '0', '0', '2', '0', '0', '0', '0', '100', '0', '0'],
    ['性别', '女', '2', '0', '0', '2', '0', '0', '0', '0', '100', '0', '0'],
  ]);
  expect(rows.flat().join()).not.toContain('林小雨');
  await expect(as('zhou')(examdata.exportCUserStatData, {})).rejects.toMatchObject({ code: 110004 });
});

test('an empty export says so, and class teachers get none', async () => {
  const { as, sqlAsOwner } = await school();
  const rows = await rowsOf(await as('chen')(examdata.exportCUserExamData, { keyword: '无此人' }));
  expect(rows.map((row) => row[0])).toEqual([expect.stringContaining('共 0 份'), '受测者编号']);
  await setPermission({ sqlAsOwner }, 'U_WANG', '00034', 'grant');
  for (const action of [examdata.exportCUserExamData, examdata.exportCUserDetailData])
    await expect(as('wang')(action, {})).rejects.toMatchObject({ code: 110004 });
});

import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { publish } from '#features/release/publish.ts';
import * as supervision from '#features/supervision/supervision.contract.ts';
import { getMyDay } from '#features/workbench/workbench.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { countNotices } from '#testing/sealing.ts';
import type { Person } from '#testing/people.ts';

/** 晨光中学 with a case of 林小雨 that nobody has accepted for three days, and the nightly count that flags the school. */
async function overdueSchool() {
  const school = await crisisSchool('2025-10-08 10:00');
  await school.report(3);
  await school.report(3, '第二次观察');
  school.at('2025-10-11 02:00');
  await publish(school.services, school.clock.now);
  school.at('2025-10-11 09:00');
  const zhou = school.as('zhou');
  const open = (more: Partial<{ musercode: string; content: string; duedate: string }> = {}) =>
    zhou(supervision.insertSupervision, {
      musercode: 'M_CHENGUANG',
      content: '请核对超时的预警并说明处理安排',
      duedate: '2025-10-15',
      ...more,
    });
  const reply = (supervisionid: number, content = '已逐项受理，其余两天内完成', who: Person = 'chen') =>
    school.as(who)(supervision.replySupervision, { supervisionid, content });
  const detail = (supervisionid: number) => zhou(supervision.getSupervision, { supervisionid });
  const noticesOf = async (who: Person) =>
    (await school.as(who)(getNoticePageList, {})).rows.filter((row) => row.kind === 'supervision');
  return { ...school, zhou, open, reply, detail, noticesOf };
}

test('the bureau opens a 督办 for a flagged school, the school answers, and the bureau closes it', async () => {
  const school = await overdueSchool();
  const { as, zhou, open, reply, detail, noticesOf, at } = school;
  const { datatime, schools } = await zhou(supervision.getSupervisionSchools, {});
  expect(datatime).toBe('2025-10-11 02:00:00');
  expect(schools).toEqual([
    { musercode: 'M_DONGSHAN', insname: '云栖市东山中学', hasoverdue: 0, supervisionid: null },
    { musercode: 'M_CHENGUANG', insname: '云栖市晨光中学', hasoverdue: 1, supervisionid: null },
  ]);
  const { supervisionid, joined } = await open();
  expect(joined).toBe(0);
  expect(await noticesOf('chen')).toMatchObject([
    { title: '云栖市教育局督办：请核对超时事项并回复', link: `/earlyWarning/supervision?supervisionid=${supervisionid}` },
  ]);
  expect(await noticesOf('ma')).toHaveLength(1);
  expect((await countNotices(school)).readable).toBe(0);
  for (const other of ['wang', 'qiao', 'nobody'] as const) expect(await noticesOf(other)).toEqual([]);
  expect((await as('chen')(supervision.getOwnSupervisionPageList, {})).rows).toMatchObject([
    { supervisionid, authorityname: '云栖市教育局', state: '01', duedate: '2025-10-15', isoverdue: 0 },
  ]);
  expect(await as('chen')(supervision.getOwnSupervision, { supervisionid })).toMatchObject({
    overdueatopening: 1,
    overduenow: 1,
  });
  await reply(supervisionid);
  expect(await noticesOf('zhou')).toMatchObject([
    { title: '云栖市晨光中学已回复督办', link: `/statistics/supervision?supervisionid=${supervisionid}` },
  ]);
  at('2025-10-12 09:00');
  await zhou(supervision.closeSupervision, { supervisionid, content: '同意' });
  expect(await detail(supervisionid)).toMatchObject({
    insname: '云栖市晨光中学',
    state: '03',
    closetime: '2025-10-12 09:00:00',
    islate: 0,
    steps: [
      { kind: 'open', insname: '云栖市教育局', operatorname: '周科长', duedate: '2025-10-15', time: '2025-10-11 09:00:00' },
      { kind: 'reply', insname: '云栖市晨光中学', operatorname: '', content: '已逐项受理，其余两天内完成' },
      { kind: 'close', content: '同意' },
    ],
  });
  await expect(reply(supervisionid)).rejects.toMatchObject({ code: 140001 });
});

test('the bureau reads no number of overdue cases: neither in the 督办 nor in the table of counts', async () => {
  const { zhou, open, detail, sqlAsOwner } = await overdueSchool();
  const { supervisionid } = await open();
  const answers = [
    await zhou(supervision.getSupervisionSchools, {}),
    await zhou(supervision.getSupervisionPageList, {}),
    await detail(supervisionid),
  ];
  expect(JSON.stringify(answers)).not.toMatch(/overdue(atopening|now)|林小雨/);
  expect(await sqlAsOwner('select overdue from supervisioncount')).toEqual([{ overdue: 1 }]);
  await expect(zhou(supervision.getOwnSupervision, { supervisionid })).rejects.toMatchObject({ code: 110004 });
});

test('a school without the flag gets no 督办, and a second one joins the open one with a new last day', async () => {
  const { zhou, open, reply, detail } = await overdueSchool();
  await expect(open({ musercode: 'M_DONGSHAN' })).rejects.toMatchObject({ code: 140001 });
  await expect(open({ musercode: 'M_RENAI' })).rejects.toMatchObject({ code: 130001 });
  const first = await open();
  await reply(first.supervisionid);
  const second = await open({ content: '另请说明节假日值班安排', duedate: '2025-10-17' });
  expect(second).toEqual({ supervisionid: first.supervisionid, joined: 1 });
  expect(await detail(first.supervisionid)).toMatchObject({
    state: '01',
    duedate: '2025-10-17',
    content: '请核对超时的预警并说明处理安排',
  });
  expect((await zhou(supervision.getSupervisionPageList, {})).total).toBe(1);
});

test('an answer with the name of a pupil or with a number is refused at the field, and the bureau gets nothing', async () => {
  const { open, reply, detail } = await overdueSchool();
  const { supervisionid } = await open();
  for (const [content, message] of [
    ['林小雨已由班主任陪同回家', '回复中有受测者或家长的姓名、学号（林小雨），请改写后再提交，例如“一名初二学生”'],
    ['林 小·雨已由班主任陪同回家', '回复中有受测者或家长的姓名、学号（林小雨），请改写后再提交，例如“一名初二学生”'],
    ['家长电话13800138000，已联系', '回复中不能出现手机号，请删去后再提交'],
    ['林**已由班主任陪同回家', '回复中不能出现带星号的姓名，请删去后再提交'],
  ] as const)
    await expect(reply(supervisionid, content)).rejects.toMatchObject({ code: 120002, message, data: { field: 'content' } });
  expect(await detail(supervisionid)).toMatchObject({ state: '01', steps: [{ kind: 'open' }] });
});

test('each side reads its own staff by name, and of the other side the institution only', async () => {
  const { as, zhou, open, reply, detail, noticesOf } = await overdueSchool();
  const { supervisionid } = await open();
  await reply(supervisionid);
  await zhou(supervision.returnSupervision, { supervisionid, content: '请写明完成日期', duedate: '2025-10-18' });
  await reply(supervisionid, '10月17日前全部完成', 'ma');
  await zhou(supervision.closeSupervision, { supervisionid, content: '同意' });
  const ofBureau = await detail(supervisionid);
  const ofSchool = await as('chen')(supervision.getOwnSupervision, { supervisionid });
  const whoOf = ({ steps }: { steps: supervision.SupervisionStepRow[] }) =>
    steps.map(({ insname, operatorname }) => [insname, operatorname]);
  const [bureau, school] = ['云栖市教育局', '云栖市晨光中学'];
  expect(whoOf(ofBureau)).toEqual([
    [bureau, '周科长'],
    [school, ''],
    [bureau, '周科长'],
    [school, ''],
    [bureau, '周科长'],
  ]);
  expect(whoOf(ofSchool)).toEqual([
    [bureau, ''],
    [school, '陈静怡'],
    [bureau, ''],
    [school, '马主任'],
    [bureau, ''],
  ]);
  expect(JSON.stringify([ofBureau, await noticesOf('zhou')])).not.toMatch(/陈静怡|马主任/);
  expect(JSON.stringify([ofSchool, await noticesOf('chen')])).not.toContain('周科长');
});

test('an answer with the name of a guardian or with a student number is refused at the field', async () => {
  const { as, open, reply, detail } = await overdueSchool();
  await as('chen')(insertCUser, {
    username: '周子航',
    appid: '000000002',
    gender: '01',
    birthday: '2011-03-02',
    archive: { studentno: '2025X0417' },
    guardian: [{ name: '周建国', relation: '01', phonenumber: '13900000000' }],
  });
  const { supervisionid } = await open();
  for (const [content, named] of [
    ['已电话告知周建国，由其陪同就诊', '周建国'],
    ['学号 2025X0417 的个案已受理', '2025X0417'],
    ['周 建国已签字，2025X0417 已受理', '2025X0417、周建国'],
  ] as const)
    await expect(reply(supervisionid, content)).rejects.toMatchObject({
      code: 120002,
      message: `回复中有受测者或家长的姓名、学号（${named}），请改写后再提交，例如“一名初二学生”`,
      data: { field: 'content' },
    });
  expect(await detail(supervisionid)).toMatchObject({ state: '01', steps: [{ kind: 'open' }] });
});

test('the bureau asks again with a reason, and answers after the last day are marked', async () => {
  const { zhou, open, reply, detail, at, noticesOf } = await overdueSchool();
  const { supervisionid } = await open();
  const again = { supervisionid, content: '请写明完成日期', duedate: '2025-10-18' };
  await expect(zhou(supervision.returnSupervision, again)).rejects.toMatchObject({ code: 140001 });
  await expect(zhou(supervision.closeSupervision, { supervisionid })).rejects.toMatchObject({ code: 140001 });
  at('2025-10-16 09:00');
  expect((await zhou(supervision.getSupervisionPageList, { state: '01' })).rows).toMatchObject([{ isoverdue: 1, islate: 0 }]);
  await reply(supervisionid);
  expect(await detail(supervisionid)).toMatchObject({ state: '02', isoverdue: 0, islate: 1, steps: [{}, { islate: 1 }] });
  await zhou(supervision.returnSupervision, again);
  expect((await noticesOf('chen'))[0]).toMatchObject({
    title: '云栖市教育局退回了督办回复，请补充',
    content: '请于 2025-10-18 前回复。',
  });
  await reply(supervisionid, '10月17日前全部完成');
  expect((await detail(supervisionid)).steps.map((step) => [step.kind, step.islate])).toEqual([
    ['open', 0],
    ['reply', 1],
    ['return', 0],
    ['reply', 0],
  ]);
});

test('a 督办 exists for its two sides only; class teachers and other schools do not learn of it', async () => {
  const { as, open, reply } = await overdueSchool();
  const { supervisionid } = await open();
  expect((await as('qiao')(supervision.getOwnSupervisionPageList, {})).total).toBe(0);
  await expect(as('qiao')(supervision.getOwnSupervision, { supervisionid })).rejects.toMatchObject({ code: 130001 });
  await expect(reply(supervisionid, '东山中学的回复', 'qiao')).rejects.toMatchObject({ code: 130001 });
  for (const who of ['wang', 'nobody', 'fang'] as const)
    await expect(as(who)(supervision.getOwnSupervisionPageList, {})).rejects.toMatchObject({ code: 110004 });
});

test('the lists filter by state, institution and term', async () => {
  const { as, zhou, open } = await overdueSchool();
  await open();
  const total = async (filters: object) => (await zhou(supervision.getSupervisionPageList, filters)).total;
  expect(await total({ year: '2025-2026', term: '1' })).toBe(1);
  expect(await total({ year: '2025-2026' })).toBe(1);
  expect(await total({ year: '2024-2025', term: '2' })).toBe(0);
  await expect(total({ year: '秋季' })).rejects.toMatchObject({ code: 120002 });
  expect(await total({ musercode: 'M_DONGSHAN' })).toBe(0);
  expect(await total({ state: '02' })).toBe(0);
  expect((await as('chen')(supervision.getOwnSupervisionPageList, { year: '2025-2026', term: '1' })).total).toBe(1);
});

test('the last day of an answer is today at the earliest and two months away at the latest', async () => {
  const { open, clock } = await overdueSchool();
  expect(clock.now).toEqual(fromShanghai('2025-10-11 09:00'));
  for (const duedate of ['2025-10-10', '2026-01-01'])
    await expect(open({ duedate })).rejects.toMatchObject({ code: 120002, data: { field: 'duedate' } });
});

test('the workbench leads the bureau to flagged schools and answers, and the school to the 督办 that waits', async () => {
  const { as, open, reply } = await overdueSchool();
  const blocksOf = async (who: Person) =>
    Object.fromEntries((await as(who)(getMyDay, {})).blocks.map((block) => [block.key, block]));
  expect(Object.keys(await blocksOf('zhou'))).toEqual(['answered', 'flagged', 'notbegun']);
  expect((await blocksOf('zhou'))['flagged']).toMatchObject({ count: 1, rows: [{ title: '云栖市晨光中学', detail: '有超时' }] });
  expect((await blocksOf('zhou'))['notbegun']?.rows).toMatchObject([{ title: '云栖市东山中学' }, { title: '云栖市晨光中学' }]);
  expect((await blocksOf('chen'))['supervisions']).toBeUndefined();
  const { supervisionid } = await open();
  expect((await blocksOf('chen'))['supervisions']).toMatchObject({
    count: 1,
    rows: [{ title: '云栖市教育局', late: false, path: `/earlyWarning/supervision?supervisionid=${supervisionid}` }],
  });
  await reply(supervisionid);
  expect((await blocksOf('zhou'))['answered']).toMatchObject({ count: 1, rows: [{ title: '云栖市晨光中学' }] });
  expect(JSON.stringify(await blocksOf('zhou'))).not.toContain('林小雨');
});

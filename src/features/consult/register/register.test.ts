import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { addHours } from '#domain/base/calendar.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import * as register from '#features/consult/register/register.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { approveExport } from '#testing/files/approveExport.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const answers = {
  consultdate: '2025-10-10 14:00',
  topics: ['02', '06'],
  duration: 3,
  before: '0',
  detail: '晚上睡不着，上课走神',
  expect: '想睡好一点',
  area: '330106',
};

/** Three pupils of 12 years in 晨光中学; no guardian has agreed yet. */
async function school() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明', '赵一'], birthday: '2013-07-08' });
  const [lin, zhou, zhao] = pupils.map(({ cuserid }) => cuserid) as [string, string, string];
  return { ...server, chen: server.as('chen'), lin, zhou, zhao };
}

test('staff enter a registration with a form; its page shows the answers in order as text, without codes', async () => {
  const { chen, lin, sqlAsOwner } = await school();
  const { consultid, warningcode } = await chen(register.insertConsult, { cuserid: lin, formcode: 'CONSULTREG', answers });
  expect(warningcode).toBeNull();
  const { rows, total } = await chen(register.getConsultPageList, {});
  expect(total).toBe(1);
  expect(rows[0]).toMatchObject({
    consultid,
    username: '林小雨',
    source: '02',
    topics: ['02', '06'],
    status: '01',
    applytime: '2025-10-10 14:00:00',
    // Friday: three working days later is Wednesday.
    duetime: '2025-10-15 14:00:00',
    isoverdue: 0,
    guardianopen: 1,
    warninglevel: null,
  });
  const detail = await chen(register.getConsultDetail, { consultid });
  expect(detail).toMatchObject({ formname: '心理咨询登记表', summary: '', isown: 0, hasnote: 0, steps: ['book', 'cancel'] });
  expect(detail.answers).toEqual([
    { c: 'consultdate', title: '登记时间', text: '2025-10-10 14:00' },
    { c: 'topics', title: '主要困扰（可多选）', text: '情绪困扰、睡眠问题' },
    { c: 'duration', title: '持续时间（月）', text: '3' },
    { c: 'before', title: '是否曾接受心理咨询或治疗', text: '否' },
    { c: 'detail', title: '情况描述', text: '晚上睡不着，上课走神' },
    { c: 'expect', title: '咨询期望', text: '想睡好一点' },
    { c: 'area', title: '居住地区', text: '浙江省杭州市西湖区' },
  ]);
  expect(detail.log).toEqual([
    { action: '登记', content: '代登记；心理咨询登记表', operatorname: '陈静怡', time: '2025-10-10 14:00:00' },
  ]);
  // The database holds no word of it.
  const [stored] = await sqlAsOwner<{ answers: string }>('select answers from consult');
  expect(stored?.answers).not.toContain('睡不着');
  expect(await sqlAsOwner("select cuserids from audit.log where action = 'as.m.consult.getConsultDetail'")).toEqual([
    { cuserids: [lin] },
  ]);
});

test('a registration without a form needs only a person and a topic', async () => {
  const { chen, lin } = await school();
  const { consultid } = await chen(register.insertConsult, { cuserid: lin, topics: ['03'], consulttype: '02' });
  expect(await chen(register.getConsultDetail, { consultid })).toMatchObject({
    topics: ['03'],
    consulttype: '02',
    formname: '',
    answers: [],
  });
});

test('answers outside the form are refused with a message at each question, and nothing is saved', async () => {
  const { chen, lin } = await school();
  const wrong = { ...answers, topics: ['02', '77'], duration: 500, before: null, area: '西湖区' };
  await expect(chen(register.insertConsult, { cuserid: lin, formcode: 'CONSULTREG', answers: wrong })).rejects.toMatchObject({
    code: 120002,
    message: '第 2 题：请在选项中选择',
    data: {
      field: 'answers.topics',
      faults: {
        topics: '请在选项中选择',
        duration: '请填写不大于 120 的数字',
        before: '请选择',
        area: '请选择地区',
      },
    },
  });
  await expect(
    chen(register.insertConsult, { cuserid: lin, formcode: 'CONSULTREG', answers: { ...answers, other: '1' } }),
  ).rejects.toMatchObject({ message: '登记表已更新，请重新打开后填写' });
  expect((await chen(register.getConsultPageList, {})).total).toBe(0);
});

test('the open case with the highest level is on top, then what is overdue, then the earliest', async () => {
  const { chen, clock, lin, zhou, zhao } = await school();
  for (const cuserid of [zhou, lin, zhao]) {
    await chen(register.insertConsult, { cuserid, topics: ['02'] });
    clock.now = addHours(clock.now, 1);
  }
  const order = async (request = {}) => (await chen(register.getConsultPageList, request)).rows.map(({ username }) => username);
  expect(await order()).toEqual(['周明', '林小雨', '赵一']);
  await chen(handling.insertWarning, { cuserid: zhao, level: 3, content: '同学反映他说过不想活' });
  expect(await order()).toEqual(['赵一', '周明', '林小雨']);
  expect((await chen(register.getConsultPageList, {})).rows[0]).toMatchObject({ warninglevel: 3 });
  expect(await chen(register.getConsultCount, {})).toEqual({ open: 3, overdue: 0, today: 0, mine: 0 });
  // A case of level 3 leaves 24 hours; without one it is Wednesday.
  clock.now = addHours(clock.now, 25);
  expect(await order({ view: 'overdue' })).toEqual(['赵一']);
  expect(await order({ keyword: '林' })).toEqual(['林小雨']);
  expect(await order({ topic: '03' })).toEqual([]);
  clock.now = addHours(clock.now, 96);
  expect(await chen(register.getConsultCount, {})).toMatchObject({ overdue: 3 });
});

test('a case that opens while a registration waits makes it due within 24 hours of the case', async () => {
  const { chen, clock, lin } = await school();
  const { consultid } = await chen(register.insertConsult, { cuserid: lin, topics: ['02'] });
  const due = async () => (await chen(register.getConsultDetail, { consultid })).duetime;
  expect(await due()).toBe('2025-10-15 14:00:00');
  clock.now = addHours(clock.now, 20);
  await chen(handling.insertWarning, { cuserid: lin, level: 2, content: '同学反映近来常常独自哭泣' });
  expect(await due()).toBe('2025-10-15 14:00:00');
  clock.now = addHours(clock.now, 2);
  await chen(handling.insertWarning, { cuserid: lin, level: 3, content: '同学反映他说过不想活' });
  expect(await due()).toBe('2025-10-12 12:00:00');
});

test('a registration from a case belongs to it; a case of another person or a closed one is refused', async () => {
  const { chen, lin, zhou } = await school();
  const { warningcode } = await chen(handling.insertWarning, { cuserid: lin, level: 2, content: '同学反映近来常常独自哭泣' });
  const { consultid } = await chen(register.insertConsult, { cuserid: lin, warningcode });
  expect(await chen(register.getConsultDetail, { consultid })).toMatchObject({ source: '03', warningcode, warninglevel: 2 });
  await expect(chen(register.insertConsult, { cuserid: zhou, warningcode })).rejects.toMatchObject({ code: 130001 });
  expect((await chen(register.getConsultPageList, { warningcode })).total).toBe(1);
  expect((await chen(register.getConsultPageList, { source: '02' })).total).toBe(0);
});

test('two colleagues change different fields, both stay; the log keeps what changed', async () => {
  const { chen, as, lin } = await school();
  const { consultid } = await chen(register.insertConsult, { cuserid: lin, topics: ['02'] });
  const { version } = await chen(register.getConsultDetail, { consultid });
  await chen(register.updateConsult, { consultid, version, topics: ['03', '02'] });
  await as('lu')(register.updateConsult, { consultid, version, consulttype: '03' });
  await expect(as('lu')(register.updateConsult, { consultid, version, topics: ['06'] })).rejects.toMatchObject({ code: 140002 });
  const detail = await chen(register.getConsultDetail, { consultid });
  expect(detail).toMatchObject({ topics: ['02', '03'], consulttype: '03' });
  expect(detail.log.map(({ action, content }) => `${action} ${content}`)).toEqual(['修改 咨询方式', '修改 困扰', '登记 代登记']);
  await expect(chen(register.updateConsult, { consultid, summary: '见面一次' })).rejects.toMatchObject({ code: 140001 });
});

test('a mistake of staff can be deleted; what a person applied for, what is booked and what is a record stays', async () => {
  const { chen, lin, sqlAsOwner } = await school();
  const { consultid } = await chen(register.insertConsult, { cuserid: lin, topics: ['02'] });
  const setStatus = (status: string, source = '02') =>
    sqlAsOwner(
      `update consult set status = $1, source = $2, counsellor = 'U_CHEN', slotbegin = now(), slotend = now() + interval '50 minutes'`,
      [status, source],
    );
  for (const [status, source] of [
    ['02', '02'],
    ['03', '02'],
    ['05', '02'],
    ['01', '01'],
  ] as const) {
    await setStatus(status, source);
    await expect(chen(register.deleteConsult, { consultid })).rejects.toMatchObject({ code: 130003 });
  }
  await setStatus('01');
  await chen(register.deleteConsult, { consultid });
  expect((await chen(register.getConsultPageList, { view: 'all' })).total).toBe(0);
  await expect(chen(register.getConsultDetail, { consultid })).rejects.toMatchObject({ code: 130001 });
});

test('the export has neither answers nor notes, and needs an approval for minors', async () => {
  const { chen, lin, ...server } = await school();
  await chen(register.insertConsult, { cuserid: lin, formcode: 'CONSULTREG', answers });
  const call = 'as.m.consult.exportConsultList';
  await expect(chen(register.exportConsultList, {})).rejects.toMatchObject({ code: 140003, data: { call, minors: 1 } });
  const approvalid = await approveExport(server, call, {});
  const file = await chen(register.exportConsultList, { approvalid });
  const { rows } = await readWorkbook(await buffer(file.body as Readable), file.filename);
  const cells = JSON.stringify(rows);
  expect(cells).toContain('情绪困扰、睡眠问题');
  expect(cells).not.toContain('睡不着');
});

test('a person who is disabled or came without a name cannot be registered', async () => {
  const { chen, lin, zhou, sqlAsOwner } = await school();
  await sqlAsOwner('update cuser set enabled = 0 where cuserid = $1', [lin]);
  await sqlAsOwner("update cuser set source = '04' where cuserid = $1", [zhou]);
  await expect(chen(register.insertConsult, { cuserid: lin })).rejects.toMatchObject({ code: 140001 });
  await expect(chen(register.insertConsult, { cuserid: zhou })).rejects.toMatchObject({
    message: '匿名受测者不能登记咨询，请先为本人建档',
  });
  expect((await chen(warning.getWarningPageList, {})).total).toBe(0);
});

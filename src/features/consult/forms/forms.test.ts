import { expect, test } from 'vitest';
import type { Scale } from '#domain/scoring/scale.ts';
import { faultKey } from '#domain/scoring/editor/fault.ts';
import * as forms from '#features/consult/forms/forms.contract.ts';
import * as register from '#features/consult/register/register.contract.ts';
import * as form from '#features/form/form.contract.ts';
import * as editor from '#features/scaleeditor/scaleeditor.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import type { Person } from '#testing/people.ts';
import { addClass } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** A registration form of the school. Its last question asks about wishes to die and alarms. */
const ownForm = (change: Partial<Scale> = {}): Scale => ({
  schema: 'asds/1',
  formcode: 'F000000',
  version: '1.0.0',
  formtype: '03',
  purpose: '01',
  title: '来访登记表',
  tier: 'S',
  minutes: 3,
  optionsets: {
    yn: [
      ['0', '没有', 0],
      ['1', '有', 1],
    ],
  },
  items: [
    { c: 'q1', type: 0, input: 0, maxlen: 500, t: '想和老师聊什么' },
    { c: 'q2', o: 'yn', scored: false, t: '最近有没有想过伤害自己' },
    { c: 'q3', type: 0, input: 0, required: true, maxlen: 200, t: '什么时候想的', showif: { item: 'q2', gte: 1 } },
  ],
  scores: [],
  bands: {},
  alerts: [{ c: 'SI', when: { item: 'q2', gte: 1 }, level: 3, msg: '来访者表示想过伤害自己' }],
  ...change,
});

/** Publishes a form of the scale editor with all notices ticked. */
async function publish({ as }: TestServer, formcode: string, who: Person = 'chen'): Promise<string> {
  const { rowversion } = await as(who)(form.getFormDetail, { formcode, version: 'draft' });
  const { faults } = await as(who)(editor.checkForm, { formcode });
  const notices = faults.map(faultKey);
  const { version } = await as(who)(editor.publishForm, { formcode, rowversion, changelog: '第一版', notices });
  return version;
}

/** 晨光中学 with 林小雨 and a registration form of its own. */
async function school(definition = ownForm()) {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  const chen = server.as('chen');
  const { formcode } = await chen(editor.insertForm, { formname: definition.title, definition });
  await publish(server, formcode);
  return { ...server, server, chen, formcode, cuserid: pupils[0]!.cuserid };
}

test('a new institution offers 心理咨询登记表 at once; forms for staff are listed and cannot be enabled', async () => {
  const { as } = await startServer();
  const { rows, selfbook } = await as('qiao')(forms.getConsultFormList, {});
  expect(selfbook).toBe(0);
  const enabled = rows.filter((row) => row.enabled === 1).map(({ formname }) => formname);
  expect(enabled).toEqual(['心理咨询登记表']);
  expect(rows.map(({ formcode, purpose }) => `${formcode} ${purpose}`)).toEqual(
    expect.arrayContaining(['CONSULTREG 01', 'FOLLOWREG 02', 'INTERVIEW 03']),
  );
  await expect(as('qiao')(forms.updateConsultForm, { formcode: 'FOLLOWREG', enabled: 1 })).rejects.toMatchObject({
    code: 120002,
    data: { field: 'enabled' },
  });
  await expect(as('qiao')(forms.updateConsultForm, { formcode: 'PHQ9', enabled: 1 })).rejects.toMatchObject({ code: 130001 });
});

test('an institution names, orders and switches its forms, and lets persons choose a time; no other institution sees it', async () => {
  const { chen, as, formcode } = await school();
  await chen(forms.updateConsultForm, { formcode, enabled: 1, title: '找老师聊聊', ordernum: 1 });
  await chen(forms.updateConsultForm, { formcode: 'CONSULTREG', enabled: 0 });
  await chen(forms.updateConsultForm, { selfbook: 1 });
  const { rows, selfbook } = await as('lu')(forms.getConsultFormList, {});
  expect(selfbook).toBe(1);
  expect(rows.filter((row) => row.enabled === 1)).toEqual([
    expect.objectContaining({ formcode, formname: '来访登记表', title: '找老师聊聊', isown: 1, ordernum: 1, uses: 0 }),
  ]);
  const beside = await as('qiao')(forms.getConsultFormList, {});
  expect(beside.selfbook).toBe(0);
  expect(beside.rows.map((row) => row.formcode)).not.toContain(formcode);
  // An empty title is the title of the form again.
  await chen(forms.updateConsultForm, { formcode, title: '' });
  expect((await chen(forms.getConsultFormList, {})).rows.find((row) => row.formcode === formcode)).toMatchObject({
    title: '来访登记表',
    enabled: 1,
  });
});

test('an answer that alarms raises a case of the person, and the next one joins it', async () => {
  const { chen, formcode, cuserid } = await school();
  await chen(forms.updateConsultForm, { formcode, enabled: 1 });
  const { definition } = await chen(forms.getConsultForm, { formcode, cuserid });
  expect(JSON.stringify(definition)).not.toContain('alerts');
  const calm = { q1: '和室友有矛盾', q2: '0' };
  expect(await chen(register.insertConsult, { cuserid, formcode, answers: calm })).toMatchObject({ warningcode: null });
  // The follow-up question is asked only after 有, and then it is required.
  await expect(chen(register.insertConsult, { cuserid, formcode, answers: { ...calm, q2: '1' } })).rejects.toMatchObject({
    message: '第 3 题：请填写这一题',
    data: { faults: { q3: '请填写这一题' } },
  });
  expect((await chen(warning.getWarningPageList, {})).total).toBe(0);
  const alarming = { q1: '睡不着', q2: '1', q3: '上周三晚上' };
  const { consultid, warningcode } = await chen(register.insertConsult, { cuserid, formcode, answers: alarming });
  expect(await chen(warning.getWarningDetail, { warningcode: warningcode! })).toMatchObject({ cuserid, level: 3, source: '05' });
  expect((await chen(warning.getWarningDetail, { warningcode: warningcode! })).full!.logs[0]).toMatchObject({
    action: '新建',
    content: '咨询登记“来访登记表”：来访者表示想过伤害自己',
  });
  expect((await chen(register.getConsultPageList, {})).rows[0]).toMatchObject({ consultid, warningcode, warninglevel: 3 });
  const again = await chen(register.insertConsult, { cuserid, formcode, answers: alarming });
  expect(again.warningcode).toBe(warningcode);
  expect((await chen(warning.getWarningPageList, {})).total).toBe(1);
  expect((await chen(forms.getConsultFormList, {})).rows.find((row) => row.formcode === formcode)).toMatchObject({ uses: 3 });
  // The registration is the ground of the case.
  await expect(chen(register.deleteConsult, { consultid })).rejects.toMatchObject({ code: 130003 });
});

test('a later version changes no registration; a withdrawn one is not offered, and without a version the form is gone', async () => {
  const { chen, server, formcode, cuserid } = await school();
  await chen(forms.updateConsultForm, { formcode, enabled: 1 });
  const { consultid } = await chen(register.insertConsult, { cuserid, formcode, answers: { q1: '考试', q2: '0' } });
  const [first, ...rest] = ownForm().items;
  await chen(editor.updateForm, {
    formcode,
    rowversion: 0,
    definition: ownForm({ items: [{ ...first!, t: '今天想聊些什么' }, ...rest] }),
  });
  const version = await publish(server, formcode);
  expect((await chen(forms.getConsultForm, { formcode })).formversion).toBe(version);
  const titles = async () => (await chen(register.getConsultDetail, { consultid })).answers.map(({ title }) => title);
  expect(await titles()).toEqual(['想和老师聊什么', '最近有没有想过伤害自己']);
  await chen(editor.withdrawForm, { formcode, version, reason: '题目写错了，须改回' });
  expect((await chen(forms.getConsultForm, { formcode })).formversion).toBe('1.0.0');
  await chen(editor.withdrawForm, { formcode, version: '1.0.0', reason: '题目写错了，须重写' });
  await expect(chen(forms.getConsultForm, { formcode })).rejects.toMatchObject({ code: 130001 });
  await expect(chen(register.insertConsult, { cuserid, formcode, answers: { q1: '考试', q2: '0' } })).rejects.toMatchObject({
    code: 130001,
  });
  expect(await titles()).toEqual(['想和老师聊什么', '最近有没有想过伤害自己']);
});

test('staff fill in only a form that the institution of the person offers for that person', async () => {
  const { chen, as, formcode, cuserid } = await school(ownForm({ appids: ['000000003'] }));
  const answers = { q1: '考试', q2: '0' };
  await expect(chen(register.insertConsult, { cuserid, formcode, answers })).rejects.toMatchObject({
    code: 120002,
    message: '这份登记表没有启用，请换一份',
  });
  await chen(forms.updateConsultForm, { formcode, enabled: 1 });
  await expect(chen(register.insertConsult, { cuserid, formcode, answers })).rejects.toMatchObject({
    message: '这份登记表不适用于该人群，请换一份',
  });
  const offered = (await chen(forms.getConsultFormList, { cuserid })).rows.map((row) => row.formcode);
  expect(offered).toEqual(['CONSULTREG']);
  // A provider sees the forms as the institution of the person offers them.
  expect((await as('fang')(forms.getConsultFormList, { cuserid })).rows.map((row) => row.formcode)).toEqual(['CONSULTREG']);
  await expect(as('qiao')(forms.getConsultFormList, { cuserid })).rejects.toMatchObject({ code: 130001 });
});

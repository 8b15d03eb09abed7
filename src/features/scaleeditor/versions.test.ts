import { expect, test } from 'vitest';
import { faultKey } from '#domain/scoring/editor/fault.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import * as form from '#features/form/form.contract.ts';
import * as editor from '#features/scaleeditor/scaleeditor.contract.ts';
import { smallScale } from '#features/scaleeditor/small.fixture.ts';
import type { Person } from '#testing/people.ts';
import { sharedServer } from '#testing/server.ts';

const server = sharedServer();

/** Adds a questionnaire of somebody's institution with a draft and returns its code. */
const addForm = async (definition: Scale, who: Person = 'chen') =>
  (await server().as(who)(editor.insertForm, { formname: definition.title, definition })).formcode;

/** Publishes the draft of a questionnaire with all notices ticked and returns the version. */
async function publish(formcode: string, who: Person = 'chen', changelog = '按试用意见修改'): Promise<string> {
  const { as } = server();
  const { rowversion } = await as(who)(form.getFormDetail, { formcode, version: 'draft' });
  const { faults } = await as(who)(editor.checkForm, { formcode });
  const { version } = await as(who)(editor.publishForm, { formcode, rowversion, changelog, notices: faults.map(faultKey) });
  return version;
}

/** Saves a new draft of a published questionnaire. */
const draft = (formcode: string, definition: Scale, who: Person = 'chen') =>
  server().as(who)(editor.updateForm, { formcode, rowversion: 0, definition });

test('a psychologist publishes a questionnaire, changes it and publishes again; the server numbers the versions', async () => {
  const { as } = server();
  const scale = smallScale({ title: '适应自评甲' });
  const formcode = await addForm(scale);
  expect(await as('chen')(form.getFormDetail, { formcode })).toMatchObject({
    version: 'draft',
    rowversion: 1,
    hasdraft: 1,
    canedit: 1,
    status: 0,
    usable: 0,
    versions: [],
  });
  expect(await publish(formcode)).toBe('1.0.0');
  await draft(formcode, { ...scale, instruction: '请按最近两周的实际情况选择。' });
  expect(await as('chen')(editor.getFormDiff, { formcode })).toMatchObject({
    from: '1.0.0',
    to: 'draft',
    size: 'patch',
    nextversion: '1.0.1',
    changes: [{ change: '修改', before: '请按最近两周的实际情况作答。', after: '请按最近两周的实际情况选择。' }],
  });
  expect(await publish(formcode)).toBe('1.0.1');
  const items = [...scale.items, { c: 'q4', t: '还有什么想告诉老师的？', type: 0 as const, scored: false, required: false }];
  await draft(formcode, { ...scale, items });
  expect(await publish(formcode)).toBe('1.1.0');
  const bands = { total: [[0, 1, 0, '平稳'] as const, [2, 4, 1, '轻度困扰'] as const, [5, 6, 2, '需要关心'] as const] };
  await draft(formcode, { ...scale, items, bands });
  expect(await publish(formcode)).toBe('2.0.0');
  const detail = await as('chen')(form.getFormDetail, { formcode });
  expect(detail).toMatchObject({ currentversion: '2.0.0', status: 1, usable: 1, hasdraft: 0, rowversion: 0 });
  expect(detail.versions.map(({ version, status, publishname }) => [version, status, publishname])).toEqual([
    ['2.0.0', 1, '陈静怡'],
    ['1.1.0', 2, '陈静怡'],
    ['1.0.1', 2, '陈静怡'],
    ['1.0.0', 2, '陈静怡'],
  ]);
  // A former version stays as it was.
  const first = await as('chen')(form.getFormDetail, { formcode, version: '1.0.0' });
  expect(first.definition).toMatchObject({ version: '1.0.0', instruction: '请按最近两周的实际情况作答。' });
});

test('a draft with errors or notices without a tick is not published, and the same draft is not published twice', async () => {
  const { as } = server();
  const { faults: notices } = await as('chen')(editor.checkForm, { definition: smallScale() });
  const bad = await addForm(smallScale({ title: '有错误', items: [{ c: 'q1', t: '', o: 'often' }] }));
  const attempt = as('chen')(editor.publishForm, { formcode: bad, rowversion: 1, changelog: '第一版', notices: [] });
  await expect(attempt).rejects.toMatchObject({
    code: 120002,
    data: { faults: expect.arrayContaining([expect.objectContaining({ kind: 'error' })]) },
  });
  const good = await addForm(smallScale({ title: '没有分级', bands: {} }));
  const { faults } = await as('chen')(editor.checkForm, { formcode: good });
  expect(faults.filter(({ kind }) => kind === 'notice').length).toBeGreaterThan(
    notices.filter(({ kind }) => kind === 'notice').length,
  );
  const request = { formcode: good, rowversion: 1, changelog: '第一版' };
  await expect(as('chen')(editor.publishForm, { ...request, notices: [] })).rejects.toMatchObject({
    code: 120002,
    message: expect.stringContaining('没有确认'),
  });
  const ticked = { ...request, notices: faults.map(faultKey) };
  const both = await Promise.allSettled([as('chen')(editor.publishForm, ticked), as('lu')(editor.publishForm, ticked)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await draft(good, smallScale({ title: '没有分级', bands: {} }));
  await expect(publish(good)).rejects.toMatchObject({ code: 140001, message: '草稿与现行版本没有差别，不需要发布' });
});

test('a questionnaire of a provider serves the schools below; of two schools neither sees what the other writes', async () => {
  const { as } = server();
  const ofProvider = await addForm(smallScale({ title: '服务商量表' }), 'fang');
  await publish(ofProvider, 'fang');
  const ofSchool = await addForm(smallScale({ title: '晨光量表' }));
  await publish(ofSchool);
  for (const school of ['chen', 'qiao'] as const) {
    const seen = await as(school)(form.getFormDetail, { formcode: ofProvider });
    expect(seen).toMatchObject({ usable: 1, canedit: 0, hasdraft: 0, currentversion: '1.0.0' });
  }
  await expect(as('qiao')(form.getFormDetail, { formcode: ofSchool })).rejects.toMatchObject({ code: 130001 });
  await expect(as('qiao')(editor.copyForm, { formcode: ofSchool })).rejects.toMatchObject({ code: 130001 });
  const calls = [
    () => draft(ofProvider, smallScale(), 'chen'),
    () => as('chen')(editor.retireForm, { formcode: ofProvider }),
    () => as('chen')(editor.withdrawForm, { formcode: ofProvider, version: '1.0.0', reason: '分级写错了' }),
    () => as('chen')(editor.publishForm, { formcode: ofProvider, rowversion: 1, changelog: '别人的量表' }),
    () => as('fang')(editor.retireForm, { formcode: ofSchool }),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 110004 });
  const { formcode } = await as('qiao')(editor.copyForm, { formcode: ofProvider });
  expect(await as('qiao')(form.getFormDetail, { formcode })).toMatchObject({ copyfrom: ofProvider, tier: 'S', canedit: 1 });
  // The next draft of the provider is not for the schools.
  await draft(ofProvider, smallScale({ title: '服务商量表二' }), 'fang');
  await expect(as('qiao')(form.getFormDetail, { formcode: ofProvider, version: 'draft' })).rejects.toMatchObject({
    code: 130001,
  });
  await expect(as('qiao')(editor.getFormDiff, { formcode: ofProvider, to: 'draft' })).rejects.toMatchObject({ code: 130001 });
});

test('a removed score keeps its row, and comes back when a later version has it again', async () => {
  const { sqlAsOwner } = server();
  const half = { c: 'mood', n: '情绪', op: 'sum', of: 'q1,q2', min: 0, max: 4, domain: '03' } as const;
  const scale = smallScale({ title: '两个得分' });
  const both = { ...scale, scores: [...scale.scores, half] };
  const formcode = await addForm(both);
  const rows = () =>
    sqlAsOwner<{ quotacode: string; enabled: number }>(
      'select quotacode, enabled from quota where formcode = $1 order by quotacode',
      [formcode],
    );
  await publish(formcode);
  await draft(formcode, scale);
  expect(await publish(formcode)).toBe('2.0.0');
  expect(await rows()).toEqual([
    { quotacode: `${formcode}.mood`, enabled: 0 },
    { quotacode: `${formcode}.total`, enabled: 1 },
  ]);
  await draft(formcode, both);
  await publish(formcode);
  expect((await rows()).map(({ enabled }) => enabled)).toEqual([1, 1]);
});

test('a wrong version is withdrawn with a reason; then a new version is needed, and its number goes on', async () => {
  const { as } = server();
  const scale = smallScale({ title: '计分有误' });
  const formcode = await addForm(scale);
  await publish(formcode);
  const request = { formcode, version: '1.0.0', reason: '第2题应为反向计分' };
  await expect(as('chen')(editor.withdrawForm, { ...request, reason: '错' })).rejects.toMatchObject({ code: 120002 });
  await expect(as('chen')(editor.withdrawForm, { ...request, version: '7.0.0' })).rejects.toMatchObject({ code: 130001 });
  expect(await as('chen')(editor.withdrawForm, request)).toEqual({ persons: 0 });
  await expect(as('chen')(editor.withdrawForm, request)).rejects.toMatchObject({ code: 140001 });
  expect(await as('chen')(form.getFormDetail, { formcode })).toMatchObject({
    usable: 0,
    versions: [{ version: '1.0.0', status: 3, withdrawname: '陈静怡', withdrawreason: '第2题应为反向计分' }],
  });
  await draft(formcode, { ...scale, reverse: ['q2'] });
  expect(await publish(formcode)).toBe('2.0.0');
  const { versions, usable } = await as('chen')(form.getFormDetail, { formcode });
  expect([usable, ...versions.map(({ status }) => status)]).toEqual([1, 1, 3]);
});

test('a retired questionnaire is not usable until it is restored', async () => {
  const { as } = server();
  const formcode = await addForm(smallScale({ title: '暂不使用' }));
  await expect(as('chen')(editor.retireForm, { formcode })).rejects.toMatchObject({ code: 140001 });
  await publish(formcode);
  await as('chen')(editor.retireForm, { formcode });
  expect(await as('chen')(form.getFormDetail, { formcode })).toMatchObject({ status: 2, usable: 0, blockers: ['该量表已停用'] });
  expect((await as('chen')(form.getFormPageList, { status: 2 })).rows.map((row) => row.formcode)).toEqual([formcode]);
  await as('chen')(editor.restoreForm, { formcode });
  expect(await as('chen')(form.getFormDetail, { formcode })).toMatchObject({ status: 1, usable: 1 });
});

test('the platform writes its own questionnaires, and every institution may use them', async () => {
  const { as } = server();
  const formcode = await addForm(smallScale({ title: '平台新量表' }), 'super');
  expect((await as('chen')(form.getFormPageList, { formname: '平台新量表' })).total).toBe(0);
  await publish(formcode, 'super');
  expect(await as('lin')(form.getFormDetail, { formcode })).toMatchObject({ usable: 1, musercode: 'AS000001' });
});

import { expect, test } from 'vitest';
import { getFormPageList } from '#features/form/form.contract.ts';
import * as editor from '#features/scaleeditor/scaleeditor.contract.ts';
import { smallScale } from '#features/scaleeditor/small.fixture.ts';
import { sharedServer } from '#testing/server.ts';

const server = sharedServer();

/** Adds an own questionnaire of 晨光中学 with a draft. */
const addForm = (title: string) => server().as('chen')(editor.insertForm, { formname: title, definition: smallScale({ title }) });

test('a psychologist begins a questionnaire; the server gives it a code and each save a number', async () => {
  const { as, sqlAsOwner } = server();
  const form = await as('chen')(editor.insertForm, { formname: '校园适应自评', appids: ['000000002'] });
  expect(form).toEqual({ formcode: expect.stringMatching(/^F\d{6}$/), rowversion: 1 });
  const { formcode } = form;
  const definition = smallScale({ formcode: 'PHQ9', version: '9.9.9' });
  const save = await as('chen')(editor.updateForm, { formcode, rowversion: 1, definition });
  expect(save).toEqual({ rowversion: 2, updatetime: '2025-10-08 10:00:00' });
  const [row] = await sqlAsOwner<{ code: string; version: string; status: number; itemcount: number }>(
    `select v.definition->>'formcode' as code, v.definition->>'version' as version, f.status, f.itemcount
     from form f join formversion v using (formcode) where formcode = $1`,
    [formcode],
  );
  expect(row).toEqual({ code: formcode, version: 'draft', status: 0, itemcount: 3 });
});

test('of two tabs the later save is refused and shows the draft as it is now', async () => {
  const { formcode } = await addForm('两个页签');
  const { as } = server();
  await as('lu')(editor.updateForm, { formcode, rowversion: 1, definition: smallScale({ title: '陆老师改过' }) });
  const late = as('chen')(editor.updateForm, { formcode, rowversion: 1, definition: smallScale() });
  await expect(late).rejects.toMatchObject({
    code: 140002,
    message: '陆远于 2025-10-08 10:00 修改了草稿，请核对后再保存',
    data: { current: { rowversion: 2, name: '陆远', definition: { title: '陆老师改过' } } },
  });
  await expect(as('chen')(editor.deleteFormDraft, { formcode, rowversion: 1 })).rejects.toMatchObject({ code: 140002 });
});

test('a draft is invisible to every other institution, and nobody else saves, copies or deletes it', async () => {
  const { formcode } = await addForm('晨光的草稿');
  const { as } = server();
  expect((await as('chen')(getFormPageList, { formname: '晨光的草稿' })).total).toBe(1);
  for (const other of ['qiao', 'fang', 'super', 'lin'] as const) {
    expect((await as(other)(getFormPageList, { formname: '晨光的草稿' })).total).toBe(0);
    const calls = [
      () => as(other)(editor.updateForm, { formcode, rowversion: 1, definition: smallScale() }),
      () => as(other)(editor.copyForm, { formcode, version: 'draft' }),
      () => as(other)(editor.deleteFormDraft, { formcode, rowversion: 1 }),
    ];
    for (const call of calls) await expect(call(), other).rejects.toMatchObject({ code: 130001 });
  }
  await expect(as('zhou')(editor.copyForm, { formcode })).rejects.toMatchObject({ code: 110004 });
});

test('a school copies a form of the platform but does not change the form of the platform', async () => {
  const { as, sqlAsOwner } = server();
  await expect(
    as('chen')(editor.updateForm, { formcode: 'PHQ9', rowversion: 0, definition: smallScale() }),
  ).rejects.toMatchObject({ code: 110004 });
  const { formcode } = await as('chen')(editor.copyForm, { formcode: 'PHQ9', formname: '本校问卷' });
  const [row] = await sqlAsOwner<{ musercode: string; copyfrom: string; tier: string; citation: string; text: string }>(
    `select f.musercode, f.copyfrom, f.tier, f.citation, v.definition->'items'->0->>'t' as text
     from form f join formversion v using (formcode) where formcode = $1`,
    [formcode],
  );
  expect(row).toMatchObject({ musercode: 'M_CHENGUANG', copyfrom: 'PHQ9', tier: 'A' });
  expect(row?.text).not.toBe('');
});

test('a copy of a form whose conditions are not accepted has no wording', async () => {
  const { as, sqlAsOwner } = server();
  const { formcode } = await as('qiao')(editor.copyForm, { formcode: 'WHO5' });
  const [row] = await sqlAsOwner<{ words: string; tier: string; licencetext: string | null }>(
    `select f.tier, f.licencetext, (select string_agg(i->>'t', '') from jsonb_array_elements(v.definition->'items') i) as words
     from form f join formversion v using (formcode) where formcode = $1`,
    [formcode],
  );
  expect(row).toMatchObject({ tier: 'B', words: '' });
  expect(row?.licencetext).not.toBeNull();
});

test('a questionnaire that was never published disappears with its draft', async () => {
  const { formcode } = await addForm('不要了');
  const { as, sqlAsOwner } = server();
  await as('chen')(editor.deleteFormDraft, { formcode, rowversion: 1 });
  expect(await sqlAsOwner('select 1 from form where formcode = $1', [formcode])).toEqual([]);
});

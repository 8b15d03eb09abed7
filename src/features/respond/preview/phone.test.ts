import { expect, test } from 'vitest';
import { getFormPreview, getFormPreviewLink } from '#features/respond/preview/preview.contract.ts';
import * as editor from '#features/scaleeditor/scaleeditor.contract.ts';
import { smallScale } from '#features/scaleeditor/small.fixture.ts';
import { sharedServer } from '#testing/server.ts';

const server = sharedServer();
const gone = { code: 140001, message: expect.stringContaining('预览链接已失效') as string };
const tokenOf = (url: string) => url.split('#')[1] ?? '';

/** Adds a draft of 晨光中学 and returns its link. */
async function addLink() {
  const { as } = server();
  const { formcode } = await as('chen')(editor.insertForm, { formname: '手机上的样子', definition: smallScale() });
  return { formcode, ...(await as('chen')(getFormPreviewLink, { formcode, version: 'draft' })) };
}

test('a psychologist opens her draft on a phone without signing in, and reads its questions without any score', async () => {
  const { nobody, as, sqlAsOwner } = server();
  const rows = () =>
    sqlAsOwner('select (select count(*) from examrecord) as exams, (select count(*) from auth.session) as sessions');
  const { formcode, url, qr, expiretime } = await addLink();
  expect(url).toMatch(/\/c\/preview\/scale#[\w-]+\.[\w-]{43}$/);
  expect(qr).toMatch(/^data:image\/png;base64,/);
  expect(expiretime).toBe('2025-10-08 10:30:00');
  const before = await rows();
  const preview = await nobody(getFormPreview, { token: tokenOf(url) });
  expect(await rows()).toEqual(before);
  expect(Object.keys(preview)).toEqual(['sheet']);
  expect(preview.sheet.items.map(({ t, options }) => [t, options?.[2]])).toEqual([
    ['我难以融入班级', ['2', '经常']],
    ['我对上学提不起劲', ['2', '经常']],
    ['我觉得活着很累', ['2', '经常']],
  ]);
  expect(JSON.stringify(preview)).not.toMatch(/"(score|scores|scored|levels|alerts|bands|sensitive)"|须当日了解/);
  // The link shows the draft as it is now.
  const definition = smallScale({ instruction: '改过的指导语' });
  await as('lu')(editor.updateForm, { formcode, rowversion: 1, definition });
  expect((await nobody(getFormPreview, { token: tokenOf(url) })).sheet.instruction).toBe('改过的指导语');
});

test('the link opens for 30 minutes, and not after 31', async () => {
  const { nobody, clock } = server();
  const { url } = await addLink();
  clock.now = new Date(clock.now.getTime() + 30 * 60_000);
  await expect(nobody(getFormPreview, { token: tokenOf(url) })).resolves.toBeDefined();
  clock.now = new Date(clock.now.getTime() + 60_000);
  await expect(nobody(getFormPreview, { token: tokenOf(url) })).rejects.toMatchObject(gone);
});

test('a token that somebody changed opens nothing, and neither does the link of a deleted draft', async () => {
  const { as, nobody } = server();
  const { formcode, url } = await addLink();
  const [facts = '', tag = ''] = tokenOf(url).split('.');
  const names = JSON.parse(Buffer.from(facts, 'base64url').toString()) as [string, string, string, number];
  const changed = (index: number, value: string | number) =>
    `${Buffer.from(JSON.stringify(names.with(index, value))).toString('base64url')}.${tag}`;
  const forged = [changed(0, 'PHQ9'), changed(2, 'M_DONGSHAN'), changed(3, names[3] + 3600), facts, `${facts}.`, '', 'x.y'];
  for (const token of forged) await expect(nobody(getFormPreview, { token }), token).rejects.toMatchObject(gone);
  await as('chen')(editor.deleteFormDraft, { formcode, rowversion: 1 });
  await expect(nobody(getFormPreview, { token: tokenOf(url) })).rejects.toMatchObject(gone);
});

test('another school makes no link to a draft; every school makes one to a published questionnaire of the platform', async () => {
  const { as, nobody } = server();
  const { formcode } = await addLink();
  for (const other of ['qiao', 'fang', 'super'] as const)
    await expect(as(other)(getFormPreviewLink, { formcode, version: 'draft' }), other).rejects.toMatchObject({ code: 130001 });
  await expect(as('wang')(getFormPreviewLink, { formcode: 'PHQ9', version: '1.0.0' })).rejects.toMatchObject({ code: 110004 });
  await expect(as('chen')(getFormPreviewLink, { formcode: 'PHQ9', version: '9.9.9' })).rejects.toMatchObject({ code: 130001 });
  const { url } = await as('qiao')(getFormPreviewLink, { formcode: 'GAD7', version: '1.0.0' });
  expect((await nobody(getFormPreview, { token: tokenOf(url) })).sheet).toMatchObject({ formcode: 'GAD7' });
});

test('a draft without questions has no link yet', async () => {
  const { as } = server();
  const { formcode } = await as('chen')(editor.insertForm, { formname: '空白问卷' });
  await expect(as('chen')(getFormPreviewLink, { formcode, version: 'draft' })).rejects.toMatchObject({ code: 140001 });
});

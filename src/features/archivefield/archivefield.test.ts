import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { RequestOf } from '#contract/action.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { getCUserArchive, getCUserArchivePageList } from '#features/archive/archive.contract.ts';
import * as field from '#features/archivefield/archivefield.contract.ts';
import { insertCUser, revealCUser, updateCUser } from '#features/cuser/cuser.contract.ts';
import { exportCuserList } from '#features/personsheet/personsheet.contract.ts';
import { aWoman, setPermission } from '#testing/factories.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const maternity = '000000001';
/** Adds a field to the archives of the hospital's women. */
const addField = ({ as }: TestServer, more: Partial<RequestOf<typeof field.insertArchiveField>>) =>
  as('lin')(field.insertArchiveField, { appid: maternity, fieldname: '责任产检组', kind: 'text', ...more });
/** Lets the doctor manage users, which also opens 档案字段. */
const aManager = async () => {
  const server = await startServer();
  await setPermission(server, 'U_LIN', '000313', 'grant');
  return server;
};
const firstOf = async (answer: unknown) => {
  const { filename, body } = answer as { filename: string; body: Readable };
  const { rows } = await readWorkbook(await buffer(body), filename);
  return Object.fromEntries((rows[1] ?? []).map((head, index) => [head, rows[2]?.[index] ?? '']));
};

test('an own field of the institution is a head of its population, and a value of it stands in list, page, search and export', async () => {
  const server = await aManager();
  const { as } = server;
  const group = await addField(server, {
    kind: 'choice',
    options: [{ label: '一组' }, { label: '二组' }],
    inlist: 1,
    insearch: 1,
  });
  const visits = await addField(server, { fieldname: '家访次数', kind: 'integer', inexport: 0 });
  expect([group.fieldcode, visits.fieldcode]).toEqual(['x1', 'x2']);
  const heads = await as('lin')(field.getCUserArchiveHeadList, { appid: maternity });
  expect(heads.filter((head) => head.own === 1)).toMatchObject([
    {
      fieldcode: 'x1',
      fieldname: '责任产检组',
      questiontype: 1,
      options: [{ code: '01', label: '一组' }, { code: '02' }],
      inlist: 1,
    },
    { fieldcode: 'x2', fieldname: '家访次数', inputtype: 3, inexport: 0, insearch: 0 },
  ]);
  const { cuserid } = await aWoman(server, { username: '苏晓', archive: { lmpdate: '2025-03-26', x1: '02', x2: 3 } });
  await aWoman(server, { username: '何静', archive: { lmpdate: '2025-03-26', x1: '01' } });
  const list = await as('lin')(getCUserArchivePageList, { appid: maternity, x1: '02' });
  expect(list.rows.map(({ username, fields }) => [username, fields['x1'], fields['x2']])).toEqual([['苏晓', '02', undefined]]);
  expect((await as('lin')(getCUserArchive, { cuserid })).archives[0]?.fields).toMatchObject({ x1: '02', x2: 3 });
  const person = await firstOf(await as('lin')(exportCuserList, { appid: maternity, x1: '02' }));
  expect(person).toMatchObject({ 姓名: '苏晓', 责任产检组: '二组' });
  expect(person).not.toHaveProperty('家访次数');
  await expect(as('lin')(getCUserArchivePageList, { appid: maternity, x2: '3' })).rejects.toMatchObject({ code: 120002 });
});

test('a text field finds its parts, a field of several choices finds each of them', async () => {
  const server = await aManager();
  const { as } = server;
  await addField(server, { insearch: 1 });
  const options = [{ label: '孕妇学校' }, { label: '家庭访视' }, { label: '电话随访' }];
  await addField(server, { fieldname: '参加的服务', kind: 'list', options, insearch: 1 });
  await aWoman(server, { username: '苏晓', archive: { lmpdate: '2025-03-26', x1: '东院 100% 组', x2: ['01', '03'] } });
  const names = async (filters: { x1?: string; x2?: string }) =>
    (await as('lin')(getCUserArchivePageList, { appid: maternity, ...filters })).rows.map(({ username }) => username);
  expect(await names({ x1: '100%' })).toEqual(['苏晓']);
  expect(await names({ x1: '1_0' })).toEqual([]);
  expect(await names({ x2: '03' })).toEqual(['苏晓']);
  expect(await names({ x2: '02' })).toEqual([]);
});

test('the form of a person needs a required field and refuses values that are no option', async () => {
  const server = await aManager();
  const { as } = server;
  await addField(server, { kind: 'choice', options: [{ label: '一组' }, { label: '二组' }], required: 1 });
  const woman = { appid: maternity, username: '方岚', gender: '02', birthday: '1995-03-02' } as const;
  await expect(as('lin')(insertCUser, { ...woman, archive: {} })).rejects.toMatchObject({
    code: 120002,
    message: '请填写责任产检组',
    data: { field: 'archive.x1' },
  });
  await expect(as('lin')(insertCUser, { ...woman, archive: { x1: '09' } })).rejects.toMatchObject({ code: 120002 });
  const { cuserid } = await as('lin')(insertCUser, { ...woman, archive: { x1: '01' } });
  await expect(as('lin')(updateCUser, { cuserid, archive: { x1: null } })).rejects.toMatchObject({ code: 120002 });
  await as('lin')(updateCUser, { cuserid, archive: { x1: '02' } });
  expect((await as('lin')(revealCUser, { cuserid })).archive).toMatchObject({ x1: '02' });
  // Other populations and institutions do not have the field.
  const pupil = { appid: '000000002', username: '林小雨', gender: '02', birthday: '2011-07-08' } as const;
  await expect(as('chen')(insertCUser, { ...pupil, archive: { x1: '01' } })).rejects.toMatchObject({ code: 120002 });
});

test('a sensitive own field is on no list, and the export has it for readers of whole data only', async () => {
  const server = await aManager();
  const { as } = server;
  await addField(server, { fieldname: '家庭情况', sensitive: 1, inlist: 1, insearch: 1 });
  const { cuserid } = await aWoman(server, { username: '苏晓', archive: { lmpdate: '2025-03-26', x1: '独自抚养' } });
  expect((await as('lin')(getCUserArchivePageList, { appid: maternity })).rows[0]?.fields).not.toHaveProperty('x1');
  await expect(as('lin')(getCUserArchivePageList, { appid: maternity, x1: '独' })).rejects.toMatchObject({ code: 120002 });
  const page = await as('lin')(getCUserArchive, { cuserid });
  expect(page.archives[0]?.fields).not.toHaveProperty('x1');
  expect(page.archives[0]?.hidden).toEqual(['x1']);
  expect(await firstOf(await as('lin')(exportCuserList, { appid: maternity }))).toMatchObject({ 家庭情况: '独自抚养' });
  await setPermission(server, 'U_LIN', '00055', 'deny');
  expect(await firstOf(await as('lin')(exportCuserList, { appid: maternity }))).not.toHaveProperty('家庭情况');
});

test('a used field is hidden and keeps its values, an unused one is deleted, and a used option is not removed', async () => {
  const server = await aManager();
  const { as } = server;
  const used = await addField(server, { kind: 'choice', options: [{ label: '一组' }, { label: '二组' }, { label: '三组' }] });
  const unused = await addField(server, { fieldname: '备用' });
  const { cuserid } = await aWoman(server, { username: '苏晓', archive: { lmpdate: '2025-03-26', x1: '02' } });
  const remove = (label: string, code: string, other: string, othercode: string) =>
    as('lin')(field.updateArchiveField, {
      fieldid: used.fieldid,
      options: [
        { code: '01', label: '一组' },
        { code, label },
        { code: othercode, label: other },
      ].filter((option) => option.label !== ''),
    });
  await expect(remove('', '02', '三组', '03')).rejects.toMatchObject({ code: 130003 });
  await remove('二组（东院）', '02', '', '03');
  expect(await as('lin')(field.deleteArchiveField, { fieldid: unused.fieldid })).toEqual({ hidden: 0 });
  expect(await as('lin')(field.deleteArchiveField, { fieldid: used.fieldid })).toEqual({ hidden: 1 });
  expect((await as('lin')(field.getCUserArchiveHeadList, { appid: maternity })).some((head) => head.own === 1)).toBe(false);
  expect(await as('lin')(field.getArchiveFieldList, { appid: maternity })).toMatchObject([
    { fieldcode: 'x1', enabled: 0, used: 1 },
  ]);
  await as('lin')(updateCUser, { cuserid, archive: { highrisk: '1' } });
  await as('lin')(field.updateArchiveField, { fieldid: used.fieldid, enabled: 1 });
  expect((await as('lin')(getCUserArchive, { cuserid })).archives[0]?.fields).toMatchObject({ x1: '02' });
});

test('a name of another field or of an import column is refused, and a population has ten own fields at most', async () => {
  const server = await aManager();
  const { as } = server;
  for (const fieldname of ['预产期', '末经', '手机号'])
    await expect(addField(server, { fieldname })).rejects.toMatchObject({ code: 130002 });
  await expect(addField(server, { kind: 'choice', options: [{ label: '一组' }] })).rejects.toMatchObject({ code: 120002 });
  for (let n = 1; n <= 10; n++) await addField(server, { fieldname: `记录${n}` });
  await expect(addField(server, { fieldname: '记录1' })).rejects.toMatchObject({ code: 130002 });
  await expect(addField(server, { fieldname: '记录11' })).rejects.toMatchObject({ code: 140001 });
  await expect(as('chen')(field.getArchiveFieldList, { appid: maternity })).rejects.toMatchObject({ code: 110004 });
});

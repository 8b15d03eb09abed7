import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { RequestOf } from '#contract/action.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { insertArchiveField } from '#features/archivefield/archivefield.contract.ts';
import { getCUserArchivePageList } from '#features/archive/archive.contract.ts';
import { revealCUser } from '#features/cuser/cuser.contract.ts';
import { exportCuserList } from '#features/personsheet/personsheet.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { setPermission } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

const csv = (heads: string, ...rows: string[]) => ({
  filename: '孕妇.csv',
  mime: 'text/csv',
  content: Buffer.from([heads, ...rows].join('\n')),
});
const group = { fieldname: '责任产检组', kind: 'choice' as const, options: [{ label: '一组' }, { label: '二组' }] };
const services = {
  fieldname: '参加的服务',
  kind: 'list' as const,
  options: [{ label: '孕妇学校' }, { label: '家庭访视' }, { label: '电话随访' }],
};
const aHospital = async () => {
  const server = await startServer();
  await setPermission(server, 'U_LIN', '000313', 'grant');
  const addField = (appid: string, field: Omit<RequestOf<typeof insertArchiveField>, 'appid'>, required = 0) =>
    server.as('lin')(insertArchiveField, { appid, ...field, required });
  return { ...server, server, addField };
};

test('a hospital’s sheet brings the own fields, and its export comes back and changes nobody', async () => {
  const { as, addField } = await aHospital();
  await addField('000000001', group);
  await addField('000000001', services);
  const sheet = csv(
    '姓名,联系电话,出生日期,末次月经,责任产检组,参加的服务',
    '苏晓,13800000001,1995-03-02,2025-03-26,二组,孕妇学校、电话随访',
  );
  const staged = await as('lin')(roster.checkZNBCUserFromExcel, {}, sheet);
  expect(staged.own.map(({ head }) => head)).toEqual(['责任产检组', '参加的服务']);
  await as('lin')(roster.commitAssessTeamRoster, { importid: staged.importid, skiperror: '0' });
  const { rows } = await as('lin')(getCUserArchivePageList, { keyword: '苏晓' });
  const person = await as('lin')(revealCUser, { cuserid: rows[0]?.cuserid as string });
  expect(person.archive).toMatchObject({ x1: '02', x2: ['01', '03'] });
  const file = (await as('lin')(exportCuserList, { appid: '000000001' })) as unknown as { filename: string; body: Readable };
  const content = await buffer(file.body);
  const again = await as('lin')(roster.checkZNBCUserFromExcel, {}, { filename: '受测者.xlsx', mime: '', content });
  expect(Object.values(again.verdict.effects)).toEqual(['same']);
});

test('a word that is no option is refused at its cell, a new person needs a required field, and a change is told', async () => {
  const { as, addField } = await aHospital();
  await addField('000000001', group, 1);
  await addField('000000001', services);
  const heads = '姓名,联系电话,出生日期,末次月经,责任产检组,参加的服务';
  const first = await as('lin')(
    roster.importZNBCUserFromExcel,
    {},
    csv(
      heads,
      '苏晓,13800000001,1995-03-02,2025-03-26,三组,',
      '何静,13800000002,1995-03-02,2025-03-26,一组,上门服务',
      '方岚,13800000003,1995-03-02,2025-03-26,,',
    ),
  );
  expect(first.success).toBe(0);
  expect(first.errors.map(({ row, field }) => [row, field])).toEqual([
    [2, '责任产检组'],
    [3, '参加的服务'],
    [4, '责任产检组'],
  ]);
  expect(first.errors[1]?.message).toContain('“上门服务”不是选项，请填写：孕妇学校、家庭访视、电话随访');
  await as('lin')(roster.importZNBCUserFromExcel, {}, csv(heads, '苏晓,13800000001,1995-03-02,2025-03-26,一组,'));
  const changed = await as('lin')(
    roster.checkZNBCUserFromExcel,
    {},
    csv('姓名,联系电话,出生日期,末次月经,责任产检组', '苏晓,13800000001,1995-03-02,2025-03-26,二组'),
  );
  expect(changed.verdict.effects).toEqual({ 2: 'update' });
  expect(changed.verdict.remarks.map(({ message }) => message)).toContain('系统中为“一组”，导入后改为“二组”');
  // A sheet without the column leaves the value.
  const plain = csv('姓名,联系电话,出生日期,末次月经', '苏晓,13800000001,1995-03-02,2025-03-26');
  expect((await as('lin')(roster.checkZNBCUserFromExcel, {}, plain)).verdict.effects).toEqual({ 2: 'same' });
});

test('template C has one column for a name; a population without the field remarks its value', async () => {
  const { as, addField } = await aHospital();
  await addField('000000004', { fieldname: '紧急呼叫器', kind: 'text' });
  await expect(addField('000000003', { ...group, fieldname: '紧急呼叫器' })).rejects.toMatchObject({ code: 120002 });
  const sheet = csv(
    '人群,姓名,性别,出生日期,紧急呼叫器',
    '中老年,钱奶奶,女,1950-01-01,A-17',
    '高压职业,赵护士,女,1990-01-01,B-2',
  );
  const staged = await as('lin')(roster.checkZABCUserFromExcel, {}, sheet);
  expect(staged.verdict.effects).toEqual({ 2: 'new', 3: 'new' });
  await as('lin')(roster.commitAssessTeamRoster, { importid: staged.importid, skiperror: '0' });
  const valueOf = async (keyword: string) => {
    const { rows } = await as('lin')(getCUserArchivePageList, { keyword });
    return (await as('lin')(revealCUser, { cuserid: rows[0]?.cuserid as string })).archive['x1'];
  };
  expect(await valueOf('钱奶奶')).toBe('A-17');
  expect(await valueOf('赵护士')).toBeUndefined();
  const template = (await as('lin')(roster.exportRosterTemplate, { kind: 'adults' })) as unknown as {
    filename: string;
    body: Readable;
  };
  const { rows } = await readWorkbook(await buffer(template.body), template.filename);
  expect(rows[0]).toContain('紧急呼叫器');
});

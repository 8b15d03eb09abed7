import { expect, test } from 'vitest';
import { validateTable } from '#contract/workbook/importSheet.ts';
import { getCUserArchivePageList, deleteCUserArchive, getCUserArchive } from '#features/archive/archive.contract.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { csv, bytesOf, fingerprint } from '#testing/files/classList.ts';
import { aWoman } from '#testing/factories.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Template B, the import of a hospital. The clock of the tests stands at 2025-10-08. */

const HEADS = ['姓名', '联系电话', '出生日期', '末次月经', '预产期', '建册号'];
const XIAOYU = ['李晓雨', '13800000001', '1995-03-02', '2025-03-26', '', 'RA0001'];
const check = ({ as }: TestServer, rows: string[][]) => as('lin')(roster.checkZNBCUserFromExcel, {}, csv(rows));
const warningsOf = (staged: Awaited<ReturnType<typeof check>>) =>
  validateTable('maternity', staged, staged.today).warnings.map(({ message }) => message);
const errorsOf = (staged: Awaited<ReturnType<typeof check>>) => [
  ...validateTable('maternity', staged, staged.today).errors.map(({ message }) => message),
  ...staged.verdict.remarks.filter(({ kind }) => kind === 'error').map(({ row, key, message }) => `${row} ${key} ${message}`),
];
const open = async ({ as }: TestServer, username: string) => {
  const { rows } = await as('lin')(cuser.getCUserPageList, { keyword: username });
  expect(rows).toHaveLength(1);
  return as('lin')(cuser.revealCUser, { cuserid: rows[0]!.cuserid });
};

test('a hospital imports its list of pregnant women, finds them with week and expected date, and undoes the import exactly', async () => {
  const server = await startServer();
  const before = await fingerprint(server);
  const staged = await check(server, [
    [...HEADS, '孕次', '产次', '是否高危', '紧急联系人', '紧急联系电话', '备注'],
    [...XIAOYU, '2', '1', '是', '张强', '13900000002', '首次产检'],
    ['王芳', '13800000003', '1990-01-01', '', '2025-12-20', '', '', '', '', '', '', ''],
  ]);
  expect(errorsOf(staged)).toEqual([]);
  const result = await server.as('lin')(roster.commitAssessTeamRoster, { importid: staged.importid });
  expect(result).toMatchObject({ total: 2, success: 2, created: 2, updated: 0, unchanged: 0, failed: 0, teams: [] });
  expect(await open(server, '李晓雨')).toMatchObject({
    gender: '02',
    birthday: '1995-03-02',
    phonenumber: '13800000001',
    archive: { lmpdate: '2025-03-26', checkupno: 'RA0001', gravidity: 2, parity: 1, highrisk: 1, remark: '首次产检' },
    guardian: [{ name: '张强', relation: '03', phonenumber: '13900000002' }],
  });
  const list = await server.as('lin')(getCUserArchivePageList, { appid: '000000001', keyword: '李晓雨' });
  expect(list.rows[0]).toMatchObject({ gestation: '孕 28周+0天', edcdate: '2025-12-31', stagecode: 'YC03' });
  await server.as('lin')(roster.undoImport, { importid: result.importid });
  expect(await fingerprint(server)).toEqual(before);
});

test('one call imports the whole list; the template to download is the sheet that the import reads', async () => {
  const server = await startServer();
  const template = (await server.as('lin')(roster.exportRosterTemplate, { kind: 'maternity' })) as { body: unknown };
  const { rows } = await readWorkbook(await bytesOf(template.body), '模板.xlsx');
  expect(rows[0]).toEqual(
    '姓名* 联系电话* 出生日期* 末次月经 预产期 孕次 产次 建册号 是否高危 分娩日期 分娩方式 建档医院 紧急联系人 紧急联系电话 备注'.split(
      ' ',
    ),
  );
  const filled = [rows[0]!, ['李晓雨', '13800000001', '1995-03-02', '2025-03-26']];
  expect(await server.as('lin')(roster.importZNBCUserFromExcel, {}, csv(filled))).toMatchObject({
    total: 1,
    created: 1,
    failed: 0,
  });
});

test('孕周 with 建册日期 gives the last period; 孕周 alone is refused at its cell', async () => {
  const server = await startServer();
  const staged = await check(server, [
    ['姓名', '联系电话', '出生日期', '孕周', '建册日期'],
    ['李晓雨', '13800000001', '1995-03-02', '24+3', '2025-09-01'],
    ['王芳', '13800000002', '1990-01-01', '24周+3天', '20250901'],
    ['赵敏', '13800000003', '1990-01-01', '12周', ''],
    ['孙丽', '13800000004', '1990-01-01', '很早', '2025-09-01'],
  ]);
  expect(validateTable('maternity', staged, staged.today).notes).toContain(
    '没有末次月经和预产期的行，由“建册日期”和“孕周”推算，例如2025-09-01 为 24+3，末次月经 2025-03-14',
  );
  expect(errorsOf(staged)).toEqual([
    '第 4 行“孕周”只有孕周，还需要建册日期才能推算末次月经；请补填建册日期、末次月经或预产期',
    '第 5 行“孕周”“很早”无法识别，请写成 24+3 或 24周+3天',
  ]);
  const result = await server.as('lin')(roster.commitAssessTeamRoster, { importid: staged.importid, skiperror: '1' });
  expect(result).toMatchObject({ created: 2, failed: 2 });
  for (const name of ['李晓雨', '王芳']) expect((await open(server, name)).archive).toMatchObject({ lmpdate: '2025-03-14' });
});

test('dates that cannot be are refused at their cell, and dates that disagree are remarked', async () => {
  const server = await startServer();
  const staged = await check(server, [
    [...HEADS, '分娩日期'],
    ['甲一', '13800000001', '1890-03-02', '2025-03-26', '', '', ''],
    ['甲二', '13800000002', '1995-03-02', '', '2031-01-01', '', ''],
    ['甲三', '13800000003', '1995-03-02', '2025-03-26', '', '', '2025-03-01'],
    ['甲四', '13800000004', '1995-03-02', '2025-03-26', '2026-01-20', '', ''],
    ['甲五', '13800000005', '1995-03-02', '2025-03-26', '2026-01-14', '', ''],
    ['甲六', '13800000006', '1995-03-02', '', '', '', ''],
    ['甲七', '13800000007', '1950-03-02', '2025-03-26', '', '', ''],
  ]);
  expect(errorsOf(staged)).toEqual([
    '第 2 行“出生日期”年份是 1890，早于 1900 年，请核对',
    '第 3 行“预产期”2031-01-01 距今天超过 44 周，请核对',
    '第 4 行“分娩日期”2025-03-01 早于末次月经 2025-03-26，请核对',
    '第 8 行“出生日期”1950-03-02 出生的人今天 75 岁，请核对',
    '7 lmpdate 新增人员需要填写末次月经或预产期（至少一项）',
  ]);
  expect(warningsOf(staged)).toEqual(['第 5 行“预产期”按末次月经应为 2025-12-31，相差 20 天，以预产期为准，请核对']);
});

test('a second list finds the same women by ID number, 建册号, then name and telephone, and changes only what differs', async () => {
  const server = await startServer();
  const idno = '110101199503020029';
  const first = await check(server, [
    [...HEADS, '身份证号'],
    [...XIAOYU, idno],
    ['王芳', '13800000003', '1990-01-01', '2025-03-26', '', 'RA0002', ''],
  ]);
  expect(errorsOf(first)).toEqual([]);
  await server.as('lin')(roster.commitAssessTeamRoster, { importid: first.importid });
  const [stored] = await server.sqlAsOwner("select idnosealed, idnohash is not null as has from cuser where username = '李晓雨'");
  expect(stored).toEqual({ idnosealed: null, has: true });

  const second = await check(server, [
    [...HEADS, '身份证号', '分娩日期'],
    ['李晓雨', '13811112222', '1995-03-02', '', '', 'RA7777', idno, '2025-10-01'],
    ['王芳', '13800000003', '1990-01-01', '2025-03-26', '', '', '', ''],
  ]);
  expect(second.verdict.effects).toEqual({ 2: 'update', 3: 'same' });
  expect(second.verdict.remarks.map(({ key, message }) => `${key} ${message}`)).toEqual([
    'phonenumber 与系统中的号码不同，导入后更新',
    'checkupno 系统中为“RA0001”，导入后改为“RA7777”',
  ]);
  const result = await server.as('lin')(roster.commitAssessTeamRoster, { importid: second.importid });
  expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 1, failed: 0 });
  expect((await open(server, '李晓雨')).archive).toMatchObject({
    checkupno: 'RA7777',
    deliverydate: '2025-10-01',
    lmpdate: '2025-03-26',
  });
});

test('an exported list with covered names is imported again: the number finds the woman, nothing covered is written', async () => {
  const server = await startServer();
  const { cuserid } = await aWoman(server, { username: '李晓雨', archive: { lmpdate: '2025-03-26' } });
  await server.as('lin')(cuser.updateCUser, { cuserid, version: 1, phonenumber: '13800000001' });
  const staged = await check(server, [
    ['受测者编号', '档案号', ...HEADS],
    [cuserid, '12025000001', '李**', '138****0001', '1995-**-**', '2025-03-26', '', 'RA0009'],
    ['', '', '王*', '138****0002', '1995-03-02', '2025-03-26', '', ''],
    ['', '', '赵敏', '138****0003', '1995-03-02', '2025-03-26', '', ''],
    ['C9999999999', '', '孙丽', '13800000004', '1995-03-02', '2025-03-26', '', ''],
  ]);
  expect(validateTable('maternity', staged, staged.today).notes).toContain(
    '有 6 个格的内容被遮盖（如 张**、138****0000）：系统中的内容不变，不会被覆盖',
  );
  expect(errorsOf(staged)).toEqual([
    '3 username 姓名被遮盖，也没有编号能认出人员：请填写完整姓名、受测者编号或建册号',
    '4 phonenumber 内容被遮盖，新增人员请填写完整内容',
    '5 cuserid 系统中没有编号为“C9999999999”的人员，请核对或清空',
  ]);
  await server.as('lin')(roster.commitAssessTeamRoster, { importid: staged.importid, skiperror: '1' });
  expect(await open(server, '李晓雨')).toMatchObject({
    username: '李晓雨',
    phonenumber: '13800000001',
    birthday: '1995-03-02',
    archive: { checkupno: 'RA0009' },
  });
});

test('a woman whose archive has ended is not changed by an import: the row says what to do', async () => {
  const server = await startServer();
  const { cuserid } = await aWoman(server, { username: '李晓雨', archive: { lmpdate: '2024-03-26', checkupno: 'RA0001' } });
  const { archives } = await server.as('lin')(getCUserArchive, { cuserid });
  await server.as('lin')(deleteCUserArchive, { archiveid: archives[0]!.archiveid, closereason: '03' });
  const staged = await check(server, [HEADS, XIAOYU]);
  expect(errorsOf(staged)).toEqual(['2 username 系统中的档案已结束，请先在档案页重新建档，再导入']);
});

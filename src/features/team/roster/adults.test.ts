import { expect, test } from 'vitest';
import { validateTable } from '#contract/workbook/importSheet.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { csv } from '#testing/files/classList.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Template C: employees, elders and others. 林医生 imports them for the hospital. */

const open = async ({ as }: TestServer, username: string) => {
  const { rows } = await as('lin')(cuser.getCUserPageList, { keyword: username });
  expect(rows).toHaveLength(1);
  return { ...rows[0]!, ...(await as('lin')(cuser.revealCUser, { cuserid: rows[0]!.cuserid })) };
};

test('template C brings employees, elders and others into their own archives, in one sheet', async () => {
  const server = await startServer();
  const heads =
    '人群* 姓名* 性别* 出生日期 联系电话 工号 单位 部门 岗位 职业类型 工龄 是否倒班 居住方式 慢性病 照护者 照护者电话 备注'.split(
      ' ',
    );
  const result = await server.as('lin')(
    roster.importZABCUserFromExcel,
    {},
    csv([
      heads,
      [
        '高压职业',
        '周建华',
        '男',
        '1985-06-01',
        '13800000001',
        'A001',
        '急救中心',
        '急诊科',
        '护士',
        '医护',
        '8',
        '是',
        '',
        '',
        '',
        '',
        '',
      ],
      [
        '中老年',
        '吴桂芳',
        '女',
        '1945-06-18',
        '',
        '',
        '幸福社区',
        '',
        '',
        '',
        '',
        '',
        '独居',
        '高血压、糖尿病',
        '吴强',
        '13900000001',
        '听力差',
      ],
      ['通用', '郑一', '男', '', '', '', '', '', '', '', '', '', '', '', '', '', '志愿者'],
    ]),
  );
  expect(result).toMatchObject({ total: 3, created: 3, updated: 0, unchanged: 0, failed: 0 });
  expect(await open(server, '周建华')).toMatchObject({
    appid: '000000003',
    archive: {
      employeeno: 'A001',
      unitname: '急救中心',
      deptname: '急诊科',
      post: '护士',
      jobtype: '01',
      workyears: 8,
      shiftwork: 1,
    },
  });
  expect(await open(server, '吴桂芳')).toMatchObject({
    appid: '000000004',
    archive: {
      unitname: '幸福社区',
      livewith: '01',
      chronic: ['高血压', '糖尿病'],
      caregivername: '吴强',
      caregiverphone: '13900000001',
    },
  });
  expect(await open(server, '郑一')).toMatchObject({ appid: '000000005', archive: { remark: '志愿者' } });
});

test('an HR list imports as it is: 手机号, 岗位, 入职日期 as years of service; pay and contract are not taken, with the reason', async () => {
  const server = await startServer();
  const staged = await server.as('lin')(
    roster.checkZABCUserFromExcel,
    { appid: '000000003' },
    csv([
      ['2025年在职员工花名册'],
      ['序号', '工号', '姓名', '性别', '身份证号', '所属部门', '职位', '入职时间', '手机号', '合同到期', '居住情况'],
      ['1', '00012', '周建华', '男', '330106198506010021', '急诊科', '护士', '2016/9/1', '138-0000-0001', '2026-12-31', '独居'],
    ]),
  );
  const checked = validateTable('adults', staged, staged.today);
  expect(staged.verdict.effects).toEqual({ 3: 'new' });
  expect(checked.columns.find(({ head }) => head === '合同到期')?.why).toBe('与测评无关，不采集');
  expect(checked.warnings.map(({ message }) => message)).toEqual([
    '第 3 行“居住方式”“高压职业”的档案没有这一项，未导入',
    '第 3 行“身份证件号”身份证号校验不通过，可能输错了数字，请与证件核对；这一项未导入',
  ]);
  await server.as('lin')(roster.commitAssessTeamRoster, { importid: staged.importid });
  expect(await open(server, '周建华')).toMatchObject({
    archive: { employeeno: '00012', deptname: '急诊科', post: '护士', workyears: 9 },
  });
});

test('a 健康体检表 of elders imports as it is: birthday and gender come from the ID number, 慢病 becomes a list', async () => {
  const server = await startServer();
  const staged = await server.as('lin')(
    roster.checkZABCUserFromExcel,
    { appid: '000000004' },
    csv([
      ['姓名', '身份证号', '居委会', '居住方式', '慢病', '生活自理能力', '血压', '家属', '家属电话'],
      ['吴桂芳', '330106194506181012', '幸福社区', '与老伴同住', '高血压，糖尿病', '1-可自理', '140/90', '吴强', '13900000001'],
      ['李大山', '330106195512120026', '幸福社区', '养老院', '无', '', '', '', ''],
    ]),
  );
  const checked = validateTable('adults', staged, staged.today);
  expect(checked.notes).toEqual(expect.arrayContaining(['没有“出生日期”，由身份证号得出', '没有“性别”，由身份证号得出']));
  expect(checked.columns.find(({ head }) => head === '血压')?.why).toBe('诊疗和体检指标不采集');
  expect(JSON.stringify(staged.rows)).not.toContain('140/90');
  await server.as('lin')(roster.commitAssessTeamRoster, { importid: staged.importid });
  expect(await open(server, '吴桂芳')).toMatchObject({
    appid: '000000004',
    gender: '01',
    birthday: '1945-06-18',
    archive: { unitname: '幸福社区', livewith: '02', adl: '01', chronic: ['高血压', '糖尿病'] },
  });
});

test('a person of another population, and a second person with the number of the first, are refused at the cell', async () => {
  const server = await startServer();
  const heads = ['人群', '姓名', '性别', '工号'];
  await server.as('lin')(roster.importZABCUserFromExcel, {}, csv([heads, ['高压职业', '周建华', '男', 'A001']]));
  const staged = await server.as('lin')(
    roster.checkZABCUserFromExcel,
    {},
    csv([heads, ['中老年', '周建华', '男', 'A001'], ['高压职业', '林小雨', '女', 'A001'], ['高压职业', '陈新', '', 'A002']]),
  );
  const { verdict } = staged;
  expect(validateTable('adults', staged, staged.today).errors.map(({ message }) => message)).toEqual([
    '第 2 行“工号”与第 3 行重复，请核对后只保留正确的一行',
    '第 3 行“工号”与第 2 行重复，请核对后只保留正确的一行',
    '第 4 行“性别”不能为空，请填写性别',
  ]);
  const { importid } = staged;
  const one = await server.as('lin')(roster.saveImportEdits, { importid, removed: [3] });
  expect(one.remarks).toEqual([{ row: 2, key: 'appid', kind: 'error', message: '系统中是“高压职业”人员，请核对' }]);
  expect(verdict.effects).toEqual({});
});

test('values of the system that the importer need not read are not shown by the check', async () => {
  const server = await startServer();
  const heads = ['人群', '姓名', '性别', '工号', '居住方式', '慢病'];
  const person = ['中老年', '吴桂芳', '女', 'E01', '独居', '高血压'];
  await server.as('lin')(roster.importZABCUserFromExcel, {}, csv([heads, person]));
  const staged = await server.as('lin')(
    roster.checkZABCUserFromExcel,
    {},
    csv([heads, [...person.slice(0, 4), '与子女同住', '糖尿病']]),
  );
  expect(staged.verdict.remarks.map(({ key, message }) => `${key} ${message}`)).toEqual([
    'livewith 系统中为“独居”，导入后改为“子女”',
    'chronic 与系统中的内容不同，导入后更新',
  ]);
});

import { describe, expect, test } from 'vitest';
import { MESSAGE_HEAD } from '#server/workbook/write.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import * as team from '#features/team/team.contract.ts';
import { aBareExam } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';
import { HEADS, bytesOf, class3, csv, fingerprint } from '#testing/files/classList.ts';

test('a class list is checked and imported, and creates classes with grades, persons and members', async () => {
  const { as } = await startServer();
  const staged = await as('chen')(roster.checkAssessTeamRoster, {}, csv(class3));
  expect(staged.verdict).toMatchObject({
    remarks: [],
    effects: { 2: 'new', 3: 'new' },
    teams: [{ teamname: '初二（3）班', year: '2025-2026', existing: false, count: 2, unlisted: 0 }],
  });
  const result = await as('chen')(roster.commitAssessTeamRoster, { importid: staged.importid });
  expect(result).toMatchObject({
    total: 2,
    success: 2,
    failed: 0,
    created: 2,
    errors: [],
    errorfileurl: '',
    undountil: '2025-10-09 10:00:00',
  });
  expect(result.teams).toMatchObject([{ teamname: '初二（3）班', created: true, count: 2 }]);
  const { rows } = await as('chen')(team.getAssessTeamPageList, {});
  expect(rows).toMatchObject([
    { teamname: '初二（3）班', year: '2025-2026', gradecode: 'J2', gradename: '初二', classname: '3班', membercount: 2 },
  ]);
  const members = await as('chen')(team.getAssessTeamRoster, { teamcode: rows[0]!.teamcode });
  expect(members.rows.map((row) => [row.studentno, row.username, row.belongs, row.phonenumber])).toEqual([
    ['0001', '林小雨', '初二 3班', '138****0001'],
    ['0002', '张小北', '初二 3班', ''],
  ]);
});

test('one wrong row stops the whole import unless only valid rows are asked for; the receipt shows the reasons', async () => {
  const server = await startServer();
  const { as } = server;
  const sheet = [
    ['晨光中学 2025 秋季'],
    [...HEADS, '座右铭'],
    ['初二（3）班', '林小雨', '1.23E+17', '女', '', '好好学习'],
    ['初二（3）班', '张小北', '0002', '男', '138', ''],
    ['初二（3）班', '周宁', '0003', '', '', ''],
    ['初二（3）班', '吴桐', '0004', '男', '', ''],
  ];
  const before = await fingerprint(server);
  const refusedImport = await as('chen')(roster.importAssessTeamRoster, {}, csv(sheet));
  expect(refusedImport).toMatchObject({ total: 4, success: 0, failed: 3, teams: [] });
  expect(refusedImport.errors.map((error) => [error.row, error.field])).toEqual([
    [3, '学号/工号'],
    [4, '联系电话'],
    [5, '性别'],
  ]);
  expect(await fingerprint(server)).toEqual(before);
  await expect(as('chen')(roster.commitAssessTeamRoster, { importid: refusedImport.importid })).rejects.toThrow(
    '有 3 行需要改正，本次没有导入任何数据',
  );

  const receipt = (await as('chen')(roster.exportImportErrors, { importid: refusedImport.importid })) as {
    filename: string;
    body: unknown;
  };
  expect(receipt.filename).toBe('错误回执_名单.xlsx');
  const { rows } = await readWorkbook(await bytesOf(receipt.body), receipt.filename);
  expect(rows[1]).toEqual([...HEADS, '座右铭', MESSAGE_HEAD]);
  expect(rows[2]?.slice(0, 6)).toEqual(sheet[2]);
  expect(rows[2]?.[6]).toContain('科学计数法');
  expect(rows[4]?.[6]).toContain('新增人员需要填写性别');
  expect(rows[5]?.[6] ?? '').toBe('');

  const partialImport = await as('chen')(roster.commitAssessTeamRoster, { importid: refusedImport.importid, skiperror: '1' });
  expect(partialImport).toMatchObject({ total: 4, success: 1, failed: 3, created: 1 });
  expect((await as('chen')(cuser.getCUserPageList, {})).rows.map((row) => row.username)).toEqual(['吴桐']);
});

test('errors can be corrected in the grid, also in a missing column, and corrections survive closing the page', async () => {
  const { as } = await startServer();
  const { importid, verdict } = await as('chen')(
    roster.checkAssessTeamRoster,
    {},
    csv([
      ['团体名称', '姓名', '学号'],
      ['初二3班', '林小雨', '0001'],
      ['初二3班', '', '0002'],
    ]),
  );
  expect(verdict.remarks).toEqual([{ row: 2, key: 'gender', kind: 'error', message: '新增人员需要填写性别' }]);
  const corrected = await as('chen')(roster.saveImportEdits, {
    importid,
    edits: [
      { row: 2, key: 'gender', value: '女' },
      { row: 3, key: 'username', value: '张小北' },
      { row: 3, key: 'gender', value: '男生' },
    ],
  });
  expect(corrected).toMatchObject({ remarks: [], effects: { 2: 'new', 3: 'new' } });
  const again = await as('chen')(roster.getImport, { importid });
  expect(again.rows.slice(1)).toEqual([
    ['初二3班', '林小雨', '0001', '女'],
    ['初二3班', '张小北', '0002', '男生'],
  ]);
  expect(await as('chen')(roster.commitAssessTeamRoster, { importid })).toMatchObject({ success: 2, failed: 0 });
  await expect(as('chen')(roster.saveImportEdits, { importid, edits: [] })).rejects.toThrow('已经导入');
});

test('rows can be excluded, and columns with other names can be matched by hand', async () => {
  const { as } = await startServer();
  const { importid } = await as('chen')(
    roster.checkAssessTeamRoster,
    {},
    csv([
      ['团体名称', '人名', '男女'],
      ['心理社', '林小雨', '女'],
      ['合计', '', '1 人'],
    ]),
  );
  const mapped = await as('chen')(roster.saveImportEdits, { importid, mapping: ['', 'username', 'gender'], removed: [3] });
  expect(mapped.effects).toEqual({ 2: 'new' });
  expect(await as('chen')(roster.commitAssessTeamRoster, { importid })).toMatchObject({ total: 1, success: 1 });
});

describe('an import that meets existing persons', () => {
  test('changes nothing for the same file, moves students of another class, and refuses another name under a known number', async () => {
    const { as } = await startServer();
    await as('chen')(roster.importAssessTeamRoster, {}, csv(class3));
    const repeatedImport = await as('chen')(roster.importAssessTeamRoster, {}, csv(class3));
    expect(repeatedImport).toMatchObject({ success: 2, created: 0, joined: 0, moved: 0, updated: 0, unchanged: 2 });

    const moving = [HEADS, ['初二4班', '林小雨', '0001', '女', ''], ['初二4班', '王五', '0002', '男', '']];
    const staged = await as('chen')(roster.checkAssessTeamRoster, {}, csv(moving));
    expect(staged.verdict.effects).toEqual({ 2: 'move' });
    expect(staged.verdict.remarks).toEqual([
      { row: 2, key: 'classname', kind: 'warning', message: '系统中为“3班”，导入后改为“4班”' },
      { row: 2, key: 'teamname', kind: 'warning', message: '系统中在“初二（3）班”，导入后调整到本班' },
      { row: 3, key: 'username', kind: 'error', message: '系统中 0002 是“张小北”，与“王五”不同，请核对' },
    ]);
    await as('chen')(roster.commitAssessTeamRoster, { importid: staged.importid, skiperror: '1' });
    const { rows } = await as('chen')(team.getAssessTeamPageList, {});
    expect(rows.map((row) => [row.classname, row.membercount])).toEqual([
      ['3班', 1],
      ['4班', 1],
    ]);
    expect((await as('chen')(cuser.getCUserPageList, { keyword: '0001' })).rows[0]?.belongs).toBe('初二 4班');
  });

  test('matches a person by name with telephone or birthday, and points out a namesake', async () => {
    const { as } = await startServer();
    await as('chen')(
      roster.importAssessTeamRoster,
      {},
      csv([
        [...HEADS, '出生日期'],
        ['初二3班', '林小雨', '0001', '女', '13800000001', '2011-07-08'],
      ]),
    );
    const { verdict } = await as('chen')(
      roster.checkAssessTeamRoster,
      {},
      csv([
        [...HEADS, '出生日期', '团体类型'],
        ['合唱团', '林小雨', '', '女', '13800000001', '', '自定义'],
        ['足球队', '林小雨', '', '女', '', '2011-07-08', '自定义'],
        ['棋社', '林小雨', '', '女', '', '', '自定义'],
      ]),
    );
    expect(verdict.effects).toEqual({ 2: 'join', 3: 'join', 4: 'new' });
    expect(verdict.remarks.map((remark) => [remark.row, remark.message])).toEqual([
      [3, '按姓名和出生日期认定为系统中的同一人，请核对'],
      [4, '系统中已有同名人员，未填学号/工号，将作为新人员添加，请核对'],
      [4, '没有学号，也没有出生日期，将不能进入作答；请补填其中一项，或使用测评码'],
    ]);
  });

  test('treats a class name with other brackets as the same class', async () => {
    const { as } = await startServer();
    await as('chen')(roster.importAssessTeamRoster, {}, csv(class3));
    const again = await as('chen')(
      roster.importAssessTeamRoster,
      {},
      csv([HEADS, ['初二(3)班', '林小雨', '0001', '女', ''], ['初二 ( 3 ) 班', '新同学', '0003', '男', '']]),
    );
    expect(again.teams).toMatchObject([{ created: false, count: 1 }]);
    expect((await as('chen')(team.getAssessTeamPageList, {})).rows.map((row) => row.membercount)).toEqual([3]);
  });

  test('points out a student who is marked as having left', async () => {
    const { as } = await startServer();
    await as('chen')(cuser.insertCUser, {
      appid: '000000002',
      username: '林小雨',
      gender: '02',
      archive: { studentno: '0001', status: '04', gradename: '初二', gradecode: 'J2', classname: '3班' },
    });
    const { verdict } = await as('chen')(roster.checkAssessTeamRoster, {}, csv([HEADS, ['初二3班', '林小雨', '0001', '女', '']]));
    expect(verdict.remarks).toEqual([
      { row: 2, key: 'username', kind: 'warning', message: '系统中已标记为“转出”，导入后学籍状态不变，请核对' },
    ]);
  });

  test('refuses one number in two classes or under two names, and accepts one person in a class and a club', async () => {
    const { as } = await startServer();
    const { verdict } = await as('chen')(
      roster.checkAssessTeamRoster,
      {},
      csv([
        [...HEADS, '团体类型'],
        ['初二3班', '林小雨', '0001', '女', '', '班级'],
        ['合唱团', '林小雨', '0001', '女', '', '自定义'],
        ['初二4班', '林小雨', '0001', '女', '', '班级'],
        ['棋社', '李四', '0001', '女', '', '自定义'],
      ]),
    );
    expect(verdict.effects).toEqual({ 2: 'new', 3: 'join' });
    expect(verdict.remarks.map((remark) => [remark.row, remark.message])).toEqual([
      [4, '与第 2 行是同一人，却在两个班级，请核对'],
      [5, '与第 2 行学号/工号相同，姓名却不同，请核对'],
    ]);
  });

  test('reports an unknown team as an error when the import may not create teams', async () => {
    const { as } = await startServer();
    const { verdict } = await as('chen')(roster.checkAssessTeamRoster, { createteam: '0' }, csv(class3));
    expect(verdict.remarks[0]?.message).toBe('团体“初二（3）班”不存在（2025-2026学年），请先新建或改为自动创建');
  });
});

describe('undoing an import', () => {
  const second = [
    [...HEADS, '出生日期'],
    ['初二（4）班', '林小雨', '0001', '女', '13900000009', '2011-07-08'],
    ['初二（3）班', '新同学', '0009', '男', '', ''],
  ];

  test('restores every person, archive, guardian, team and membership', async () => {
    const server = await startServer();
    await server.as('chen')(roster.importAssessTeamRoster, {}, csv(class3));
    const before = await fingerprint(server);
    const result = await server.as('chen')(roster.importAssessTeamRoster, {}, csv(second));
    expect(result).toMatchObject({ success: 2, created: 1, moved: 1 });
    expect(await fingerprint(server)).not.toEqual(before);
    expect(await server.as('chen')(roster.undoImport, { importid: result.importid })).toEqual({
      persons: 1,
      teams: 1,
      restored: 1,
    });
    expect(await fingerprint(server)).toEqual(before);
    await expect(server.as('chen')(roster.undoImport, { importid: result.importid })).rejects.toThrow('该次导入已经撤销');
    expect(
      (await server.as('chen')(roster.getImportList, {})).find((candidate) => candidate.importid === result.importid),
    ).toMatchObject({
      state: 'undone',
      success: 2,
    });
  });

  test('is refused after 24 hours, for another account and before the import is committed', async () => {
    const { as, clock } = await startServer();
    const staged = await as('chen')(roster.checkAssessTeamRoster, {}, csv(class3));
    await expect(as('chen')(roster.undoImport, { importid: staged.importid })).rejects.toThrow('还没有导入');
    await as('chen')(roster.commitAssessTeamRoster, { importid: staged.importid });
    await expect(as('lu')(roster.undoImport, { importid: staged.importid })).rejects.toMatchObject({ code: 130001 });
    clock.now = new Date('2025-10-09T02:00:01Z');
    await expect(as('chen')(roster.undoImport, { importid: staged.importid })).rejects.toThrow('超过 24 小时');
  });

  test('is refused after an imported person was edited or a new team got other members', async () => {
    const { as } = await startServer();
    const first = await as('chen')(roster.importAssessTeamRoster, {}, csv(class3));
    const [lin] = (await as('chen')(cuser.getCUserPageList, { keyword: '0001' })).rows;
    await as('chen')(cuser.updateCUser, { cuserid: lin!.cuserid, version: 1, focus: 1 });
    await expect(as('chen')(roster.undoImport, { importid: first.importid })).rejects.toThrow('之后又被修改');
    const other = await as('chen')(roster.importAssessTeamRoster, {}, csv([HEADS, ['初三1班', '周宁', '0100', '女', '']]));
    await as('chen')(team.insertAssessTeamCUser, { teamcode: other.teams[0]!.teamcode, cuserids: [lin!.cuserid] });
    await expect(as('chen')(roster.undoImport, { importid: other.importid })).rejects.toThrow('团体“初三1班”中已有其他成员');
  });

  test('is refused when an imported person has an exam', async () => {
    const { as, sqlAsOwner } = await startServer();
    const { importid } = await as('chen')(roster.importAssessTeamRoster, {}, csv(class3));
    const [lin] = (await as('chen')(cuser.getCUserPageList, { keyword: '0001' })).rows;
    await aBareExam({ sqlAsOwner }, lin!.cuserid);
    await expect(as('chen')(roster.undoImport, { importid })).rejects.toThrow('本次导入的人员已有 1 份测评记录，不能撤销');
  });
});

test('two concurrent imports of the same file add every person once', async () => {
  const { as, sqlAsOwner } = await startServer();
  const [first, second] = await Promise.all([
    as('chen')(roster.importAssessTeamRoster, {}, csv(class3)),
    as('lu')(roster.importAssessTeamRoster, {}, csv(class3)),
  ]);
  expect([first.created + second.created, first.unchanged + second.unchanged]).toEqual([2, 2]);
  expect(await sqlAsOwner('select count(*) as n from cuser')).toEqual([{ n: 2 }]);
  expect(await sqlAsOwner('select count(*) as n from assessteam')).toEqual([{ n: 1 }]);
});

test('an import committed twice is applied once and gives the same response', async () => {
  const { as, sqlAsOwner } = await startServer();
  const { importid } = await as('chen')(roster.checkAssessTeamRoster, {}, csv(class3));
  const commit = () => as('chen')(roster.commitAssessTeamRoster, { importid });
  const answers = await Promise.all([commit(), commit()]);
  expect(answers[1]).toEqual(answers[0]);
  expect(await commit()).toEqual(answers[0]);
  expect(await sqlAsOwner('select count(*) as n from cuser')).toEqual([{ n: 2 }]);
});

test('an import is refused for a class teacher and hidden from another school and from colleagues', async () => {
  const { as } = await startServer();
  await expect(as('wang')(roster.checkAssessTeamRoster, {}, csv(class3))).rejects.toMatchObject({ code: 110004 });
  await expect(as('nobody')(roster.importAssessTeamRoster, {}, csv(class3))).rejects.toMatchObject({ code: 110004 });
  const { importid } = await as('chen')(roster.importAssessTeamRoster, {}, csv(class3));
  await expect(as('lu')(roster.getImport, { importid })).rejects.toMatchObject({ code: 130001 });
  expect((await as('qiao')(team.getAssessTeamPageList, {})).total).toBe(0);
  expect((await as('qiao')(cuser.getCUserPageList, {})).total).toBe(0);
  const again = await as('qiao')(roster.importAssessTeamRoster, {}, csv(class3));
  expect(again).toMatchObject({ created: 2, unchanged: 0 });
  await expect(as('qiao')(roster.importAssessTeamRoster, { musercode: 'M_CHENGUANG' }, csv(class3))).rejects.toMatchObject({
    code: 130001,
  });
});

test('a provider imports into a school below it, and the school’s staff see the students', async () => {
  const { as } = await startServer();
  expect(await as('fang')(roster.importAssessTeamRoster, { musercode: 'M_CHENGUANG' }, csv(class3))).toMatchObject({
    created: 2,
  });
  expect((await as('chen')(cuser.getCUserPageList, {})).rows.map((row) => row.phonenumber).sort()).toEqual(['', '138****0001']);
});

import { expect, test } from 'vitest';
import * as cuser from '#features/cuser/cuser.contract.ts';
import { expireStepUp } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

const lin = {
  appid: '000000002',
  username: '林小雨',
  gender: '02' as const,
  birthday: '2011-07-08',
  phonenumber: '10000001234',
  archive: { studentno: '20230301', gradename: '初二', classname: '3班' },
  guardian: [{ name: '林建国', relation: '01' as const, phonenumber: '10000005678' }],
};

test('a psychologist adds a student and finds her by name, initials, student number and telephone', async () => {
  const { as } = await startServer();
  const { cuserid, archiveno } = await as('chen')(cuser.insertCUser, lin);
  expect(cuserid).toMatch(/^C\d{10}$/);
  expect(archiveno).toMatch(/^22025\d{6}$/);
  for (const keyword of ['小雨', 'lxy', 'linxiaoyu', '20230301', '10000001234', cuserid]) {
    const { total, rows } = await as('chen')(cuser.getCUserPageList, { keyword });
    expect([keyword, total]).toEqual([keyword, 1]);
    expect(rows[0]).toMatchObject({
      username: '林小雨',
      age: 14,
      phonenumber: '100****1234',
      belongs: '初二 3班',
      studentno: '20230301',
    });
  }
});

test('a student is hidden from other institutions and visible to the own administrator', async () => {
  const { as } = await startServer();
  await as('chen')(cuser.insertCUser, lin);
  for (const person of ['qiao', 'lin'] as const) expect((await as(person)(cuser.getCUserPageList, {})).total).toBe(0);
  await expect(as('zhou')(cuser.getCUserPageList, {})).rejects.toMatchObject({ code: 110004 });
  await expect(as('nobody')(cuser.getCUserPageList, {})).rejects.toMatchObject({ code: 110004 });
  expect((await as('ma')(cuser.getCUserPageList, {})).rows[0]?.username).toBe('林小雨');
});

test('revealing a person shows the whole telephone and is audited; for another school the person does not exist', async () => {
  const { as, sqlAsOwner } = await startServer();
  const { cuserid } = await as('chen')(cuser.insertCUser, lin);
  const person = await as('chen')(cuser.revealCUser, { cuserid });
  expect(person).toMatchObject({
    phonenumber: '10000001234',
    guardian: [{ name: '林建国', phonenumber: '10000005678' }],
    archive: { classname: '3班' },
  });
  await expect(as('qiao')(cuser.revealCUser, { cuserid })).rejects.toMatchObject({
    code: 130001,
    message: '受测者不存在或已删除',
  });
  const auditRows = await sqlAsOwner<{ accountid: string; cuserids: string[] }>(
    "select accountid, cuserids from audit.log where action = 'as.m.cuser.revealCUser'",
  );
  expect(auditRows).toEqual([{ accountid: 'U_CHEN', cuserids: [cuserid] }]);
});

test('telephones are not stored in clear text', async () => {
  const { as, sqlAsOwner } = await startServer();
  await as('chen')(cuser.insertCUser, lin);
  const rows = await sqlAsOwner(
    "select row_to_json(c)::text || coalesce((select string_agg(row_to_json(g)::text, '') from guardian g), '') as all from cuser c",
  );
  expect(JSON.stringify(rows)).not.toMatch(/1000000(1234|5678)/);
});

test('a second concurrent edit of a student is refused as outdated, and nothing is lost', async () => {
  const { as } = await startServer();
  const { cuserid } = await as('chen')(cuser.insertCUser, lin);
  await as('chen')(cuser.updateCUser, { cuserid, version: 1, username: '林晓雨', archive: { dorm: '3-201' } });
  await expect(as('ma')(cuser.updateCUser, { cuserid, version: 1, username: '林小语' })).rejects.toMatchObject({ code: 140002 });
  expect(await as('chen')(cuser.revealCUser, { cuserid })).toMatchObject({
    username: '林晓雨',
    version: 3,
    archive: { dorm: '3-201', studentno: '20230301' },
  });
});

test('changing one field of a person keeps guardians and archive', async () => {
  const { as } = await startServer();
  const { cuserid } = await as('chen')(cuser.insertCUser, lin);
  await as('chen')(cuser.updateCUser, { cuserid, version: 1, focus: 1 });
  expect(await as('chen')(cuser.revealCUser, { cuserid })).toMatchObject({
    focus: 1,
    guardian: [{ name: '林建国' }],
    archive: { studentno: '20230301' },
  });
  expect((await as('chen')(cuser.getCUserPageList, { focus: 1 })).rows).toMatchObject([{ cuserid, version: 2 }]);
});

test('a cleared telephone, birthday and dormitory are deleted, and the telephone finds nobody', async () => {
  const { as } = await startServer();
  const { cuserid } = await as('chen')(cuser.insertCUser, { ...lin, archive: { ...lin.archive, dorm: '3-201' } });
  const { phonenumber } = lin;
  expect((await as('chen')(cuser.getCUserPageList, { keyword: phonenumber })).total).toBe(1);
  await as('chen')(cuser.updateCUser, { cuserid, version: 1, birthday: '', phonenumber: '', archive: { dorm: null } });
  const after = await as('chen')(cuser.revealCUser, { cuserid });
  expect(after).toMatchObject({ birthday: null, phonenumber: '', guardian: [{ name: '林建国' }] });
  expect(after.archive['dorm'] ?? null).toBeNull();
  expect(after.archive['studentno']).toBe('20230301');
  expect((await as('chen')(cuser.getCUserPageList, { keyword: phonenumber })).total).toBe(0);
});

test('a second student with the same student number is refused with a message', async () => {
  const { as } = await startServer();
  await as('chen')(cuser.insertCUser, lin);
  await expect(as('chen')(cuser.insertCUser, { ...lin, username: '林大雨' })).rejects.toThrow('相同学号的学生已存在');
});

test('a validation error names its field', async () => {
  const { as } = await startServer();
  await expect(as('chen')(cuser.insertCUser, { ...lin, phonenumber: '123' })).rejects.toMatchObject({
    code: 120002,
    message: '手机号码应为 11 位数字',
    data: { field: 'phonenumber' },
  });
  await expect(as('chen')(cuser.insertCUser, { ...lin, archive: { enroldate: '去年' } })).rejects.toMatchObject({
    data: { field: 'archive.enroldate' },
  });
});

test('a refused deletion writes no person of another institution into the trail', async () => {
  const { as, sqlAsOwner } = await startServer();
  const { cuserid } = await as('chen')(cuser.insertCUser, lin);
  const { cuserid: own } = await as('lin')(cuser.insertCUser, { ...lin, appid: '000000001', archive: {}, guardian: [] });
  expect(await as('lin')(cuser.deleteCUser, { cuserids: [cuserid] })).toEqual({ deleted: 0 });
  expect(await as('lin')(cuser.deleteCUser, { cuserids: [cuserid, own] })).toEqual({ deleted: 1 });
  const trail = await sqlAsOwner<{ cuserids: string[] }>(
    "select cuserids from audit.log where action = 'as.m.cuser.deleteCUser' order by id",
  );
  expect(trail).toEqual([{ cuserids: [] }, { cuserids: [own] }]);
});

test('an ID number is added and corrected in the form; a masked one changes nothing, and that of another person is refused', async () => {
  const server = await startServer();
  const { as, raw, sqlAsOwner } = server;
  const register = (username: string) =>
    as('lin')(cuser.insertCUser, { appid: '000000001', username, gender: '02', archive: { lmpdate: '2025-03-01' } });
  const [su, wu] = [await register('苏晓'), await register('吴桂芳')];
  const hashOf = async ({ cuserid }: { cuserid: string }) =>
    (await sqlAsOwner<{ idnohash: string | null }>('select idnohash from cuser where cuserid = $1', [cuserid]))[0]?.idnohash;
  const save = (person: { cuserid: string }, idno: string) =>
    raw('as.m.cuser.updateCUser', 'lin', { cuserid: person.cuserid, idno });
  expect(await as('lin')(cuser.revealCUser, { cuserid: su.cuserid })).toMatchObject({ hasidno: 0 });
  expect(await save(su, '110105194912310021')).toMatchObject({ errorCode: 120002, data: { field: 'idno' } });
  expect(await save(su, '110101199503020029')).toMatchObject({ errorCode: 0 });
  expect(await as('lin')(cuser.revealCUser, { cuserid: su.cuserid })).toMatchObject({ hasidno: 1 });
  const first = await hashOf(su);
  for (const unchanged of ['', '1101**********0029', '******************'])
    expect(await save(su, unchanged)).toMatchObject({ errorCode: 0 });
  expect(await hashOf(su)).toBe(first);
  // It was typed wrongly: the right number takes its place.
  expect(await save(su, '11010519491231002x')).toMatchObject({ errorCode: 0 });
  expect(await hashOf(su)).not.toBe(first);
  expect(await save(wu, '11010519491231002X')).toMatchObject({ errorCode: 130002, data: { field: 'idno', cuserid: su.cuserid } });
  expect(await save(wu, '110101199503020029')).toMatchObject({ errorCode: 0 });
  expect(JSON.stringify(await sqlAsOwner('select * from cuser'))).not.toMatch(/11010519491231002|11010119950302002/);
  // Two editors: the second one has not seen the correction.
  const { version } = await as('lin')(cuser.revealCUser, { cuserid: wu.cuserid });
  expect(await save(wu, '110101199003070038')).toMatchObject({ errorCode: 0 });
  await expect(as('lin')(cuser.updateCUser, { cuserid: wu.cuserid, version, idno: '11010119900307002X' })).rejects.toMatchObject({
    code: 140002,
  });
  // It decides who is one person, so it needs a step-up; another field does not.
  await expireStepUp(server, 'U_LIN');
  expect(await save(wu, '11010119900307002X')).toMatchObject({ errorCode: 110007 });
  expect(await save(wu, '')).toMatchObject({ errorCode: 0 });
  const pupil = await as('chen')(cuser.insertCUser, lin);
  await expect(as('chen')(cuser.updateCUser, { cuserid: pupil.cuserid, idno: '11010119900307002X' })).rejects.toThrow('学号');
});

test('a number of another person is refused with that person, so that the form can open the archive', async () => {
  const { as, raw } = await startServer();
  const { cuserid } = await as('chen')(cuser.insertCUser, lin);
  const refused = await raw('as.m.cuser.insertCUser', 'chen', { ...lin, username: '林晓雨' });
  expect(refused).toMatchObject({ errorCode: 130002, data: { field: 'archive.studentno', cuserid, appid: '000000002' } });
  const woman = { appid: '000000001', username: '苏晓', gender: '02' as const, archive: { checkupno: 'RA77001' } };
  const su = await as('lin')(cuser.insertCUser, woman);
  expect(await raw('as.m.cuser.insertCUser', 'lin', { ...woman, username: '苏小小' })).toMatchObject({
    errorCode: 130002,
    data: { field: 'archive.checkupno', cuserid: su.cuserid },
  });
  await as('lin')(cuser.updateCUser, { cuserid: su.cuserid, archive: { checkupno: 'RA77001' } });
});

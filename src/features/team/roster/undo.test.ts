import { expect, test } from 'vitest';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { class3, csv, HEADS } from '#testing/files/classList.ts';
import { startServer } from '#testing/server.ts';

const guardianHeads = ['监护人姓名', '监护人关系', '监护人电话'];

async function withLin() {
  const { as } = await startServer();
  await as('chen')(roster.importAssessTeamRoster, {}, csv(class3));
  const read = async () => (await as('chen')(cuser.getCUserPageList, { keyword: '0001' })).rows[0]!;
  const open = async () => as('chen')(cuser.revealCUser, { cuserid: (await read()).cuserid });
  return { as, open };
}

test('a form that was open while an import was undone does not overwrite what the undo brought back', async () => {
  const { as, open } = await withLin();
  const moving = [
    [...HEADS, ...guardianHeads],
    ['初二（4）班', '林小雨', '0001', '女', '13900000009', '林建国', '父亲', '13900000001'],
  ];
  const { importid } = await as('chen')(roster.importAssessTeamRoster, {}, csv(moving));
  const { cuserid, version } = await open();
  await as('chen')(roster.undoImport, { importid });
  const save = (change: object) => as('chen')(cuser.updateCUser, { cuserid, version, ...change });
  const guardian = [{ name: '林建国', relation: '01', phonenumber: '13900000001' }];
  for (const change of [{ archive: { classname: '4班' } }, { phonenumber: '13900000009' }, { guardian }])
    await expect(save(change)).rejects.toMatchObject({ code: 140002 });
  expect((await open()).version).toBeGreaterThan(version);
  await save({ focus: 1 });
  expect(await open()).toMatchObject({ phonenumber: '13800000001', guardian: [], archive: { classname: '3班' } });
});

test('a form that was open while an import added a guardian does not overwrite the guardian', async () => {
  const { as, open } = await withLin();
  const { cuserid, version } = await open();
  const guardians = [
    [...HEADS, ...guardianHeads],
    ['初二（3）班', '林小雨', '0001', '女', '', '林建国', '父亲', '13900000001'],
  ];
  await as('chen')(roster.importAssessTeamRoster, {}, csv(guardians));
  await expect(as('chen')(cuser.updateCUser, { cuserid, version, guardian: [] })).rejects.toMatchObject({ code: 140002 });
});

test('an undo is refused with the names of the persons edited since the import, and changes nothing', async () => {
  const { as, open } = await withLin();
  const moving = [HEADS, ['初二（4）班', '林小雨', '0001', '女', '13900000009']];
  const { importid } = await as('chen')(roster.importAssessTeamRoster, {}, csv(moving));
  const { cuserid, version } = await open();
  await as('chen')(cuser.updateCUser, { cuserid, version, phonenumber: '13700000007' });
  await expect(as('chen')(roster.undoImport, { importid })).rejects.toThrow(
    '本次导入更新过的“林小雨”之后又被修改，不能撤销；请在个体管理中改正',
  );
  expect(await open()).toMatchObject({ phonenumber: '13700000007', archive: { classname: '4班' } });
});

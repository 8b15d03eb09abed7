import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readWorkbook } from '#server/workbook/read.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import { exportCuserList } from '#features/personsheet/personsheet.contract.ts';
import { startServer } from '#testing/server.ts';

test('the person export follows the list’s filters, names its author and is audited with the persons', async () => {
  const { as, sqlAsOwner } = await startServer();
  const { cuserid } = await as('chen')(cuser.insertCUser, {
    appid: '000000002',
    username: '林小雨',
    gender: '02',
    birthday: '2011-07-08',
    phonenumber: '13800000001',
    archive: { studentno: '0001' },
  });
  await as('chen')(cuser.insertCUser, { appid: '000000002', username: '张小北', gender: '01', archive: { studentno: '0002' } });
  const file = (await as('chen')(exportCuserList, { gender: '02' })) as { filename: string; body: Readable };
  const { rows } = await readWorkbook(await buffer(file.body), file.filename);
  expect(rows[0]?.[0]).toBe('陈静怡 于 2025-10-08 10:00:00 导出，共 1 人。含个人信息，请妥善保管');
  expect(rows.slice(2).map((row) => row.slice(0, 8))).toEqual([
    ['林小雨', '0001', '女', '14', '2011-07-08', '学生', '', '13800000001'],
  ]);
  expect(
    await sqlAsOwner("select cuserids, detail->>'rows' as rows from audit.log where action = 'as.m.cuser.exportCuserList'"),
  ).toEqual([{ cuserids: [cuserid], rows: '1' }]);
  await expect(as('wang')(exportCuserList, {})).rejects.toMatchObject({ code: 110004 });
});

import { expect, test } from 'vitest';
import * as sheet from '#features/org/import/staffImport.contract.ts';
import { csv } from '#testing/files/classList.ts';
import { startServer } from '#testing/server.ts';

const HEADS = ['登录账号', '姓名', '角色'];
const day = 24 * 3600_000;

test('an import deletes the uploaded rows of imports older than a week and keeps their results', async () => {
  const { as, sqlAsOwner, clock } = await startServer();
  const ma = as('ma');
  const upload = (name: string, realname: string) => ma(sheet.checkUserSheet, {}, csv([HEADS, [name, realname, '班主任']]));
  const storedParts = async () =>
    sqlAsOwner(`select request ? 'body' as body, coalesce(result ? 'undo', false) as undo,
        result->'answer'->>'success' as success
      from job
      where kind = 'import.staff'
      order by createtime`);
  const { importid } = await upload('zhaoyi', '赵一');
  await ma(sheet.commitUserImport, { importid });

  clock.now = new Date(clock.now.getTime() + 6 * day);
  const recent = await upload('lisi', '李四');
  expect(await storedParts()).toEqual([
    { body: true, undo: true, success: '1' },
    { body: true, undo: false, success: null },
  ]);

  clock.now = new Date(clock.now.getTime() + 1.5 * day);
  await upload('wangwu', '王五');
  expect(await storedParts()).toEqual([
    { body: false, undo: false, success: '1' },
    { body: true, undo: false, success: null },
    { body: true, undo: false, success: null },
  ]);
  await expect(ma(sheet.getUserImport, { importid })).rejects.toThrow('导入内容已超过保存期限，请重新上传文件');
  await expect(ma(sheet.renewUserPasswords, { importid })).rejects.toThrow('已超过保存期限');
  expect(await ma(sheet.commitUserImport, { importid })).toMatchObject({ success: 1, created: [] });
  expect((await ma(sheet.getUserImport, { importid: recent.importid })).rows).toEqual([HEADS, ['lisi', '李四', '班主任']]);
});

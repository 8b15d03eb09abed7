import { expect, test } from 'vitest';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { getPersonTrail } from '#features/audit/audit.contract.ts';
import { getConsultNote, saveConsultNote } from '#features/consult/note/note.contract.ts';
import { startServer } from '#testing/server.ts';
import { aConsult, aStudent } from '#testing/factories.ts';

/** A finished consultation of 林小雨 with chen. */
async function finished() {
  const server = await startServer();
  const { cuserid } = await aStudent(server);
  const consultid = await aConsult(server, cuserid, { counsellor: 'U_CHEN', status: '03' });
  return { ...server, cuserid, consultid, chen: server.as('chen') };
}

test('a counsellor writes, reads, changes and deletes the private note of a consultation', async () => {
  const { chen, consultid } = await finished();
  expect(await chen(getConsultNote, { consultid })).toEqual({ note: '', isshared: 0, updatetime: null });
  const first = await chen(saveConsultNote, { consultid, note: '梦见了外婆', isshared: 0, updatetime: null });
  expect(await chen(getConsultNote, { consultid })).toEqual({ note: '梦见了外婆', isshared: 0, updatetime: first.updatetime });
  const second = await chen(saveConsultNote, { consultid, note: '梦见了外婆；移情', isshared: 1, updatetime: first.updatetime });
  expect(await chen(getConsultNote, { consultid })).toMatchObject({ note: '梦见了外婆；移情', isshared: 1 });
  expect(await chen(saveConsultNote, { consultid, note: '  ', updatetime: second.updatetime })).toEqual({ updatetime: null });
  expect(await chen(getConsultNote, { consultid })).toEqual({ note: '', isshared: 0, updatetime: null });
});

test('a save from a second device that does not know the latest text is refused, and the stored text stays', async () => {
  const { chen, consultid } = await finished();
  await chen(saveConsultNote, { consultid, note: '电脑上写的', updatetime: null });
  await expect(chen(saveConsultNote, { consultid, note: '手机上写的', updatetime: null })).rejects.toMatchObject({
    code: 140001,
    message: expect.stringContaining('别处修改过'),
  });
  expect((await chen(getConsultNote, { consultid })).note).toBe('电脑上写的');
});

test('a colleague is refused, the attempt stays in the audit log, and the counsellor is told once an hour', async () => {
  const { as, chen, clock, cuserid, consultid, sqlAsOwner } = await finished();
  await chen(saveConsultNote, { consultid, note: '梦见了外婆', updatetime: null });
  for (const action of [getConsultNote, getConsultNote])
    await expect(as('lu')(action, { consultid })).rejects.toMatchObject({ code: 110004 });
  await expect(as('lu')(saveConsultNote, { consultid, note: '改写', updatetime: null })).rejects.toMatchObject({ code: 110004 });
  const attempts = await sqlAsOwner(
    "select action, cuserids, objectid, detail from audit.log where accountid = 'U_LU' order by id",
  );
  expect(attempts).toHaveLength(3);
  expect(attempts[0]).toEqual({
    action: 'as.m.consult.getConsultNote',
    cuserids: [cuserid],
    objectid: String(consultid),
    detail: { refusal: '当前操作没有权限' },
  });
  const findMessages = async () => (await chen(getNoticePageList, {})).rows.filter(({ title }) => title.includes('个别咨询记录'));
  expect(await findMessages()).toMatchObject([{ content: expect.stringContaining('陆远') }]);
  expect((await findMessages())[0]?.content).not.toContain('林小雨');
  clock.now = new Date(clock.now.getTime() + 3_600_000);
  await expect(as('lu')(getConsultNote, { consultid })).rejects.toMatchObject({ code: 110004 });
  expect(await findMessages()).toHaveLength(2);
});

test('before a counsellor is booked nobody writes or reads a private note', async () => {
  const server = await finished();
  const consultid = await aConsult(server, server.cuserid);
  await expect(server.as('chen')(saveConsultNote, { consultid, note: '预谈', updatetime: null })).rejects.toMatchObject({
    code: 110004,
  });
  await expect(server.as('chen')(getConsultNote, { consultid })).rejects.toMatchObject({ code: 110004 });
});

test('谁看过 names the counsellor who opened the note, and the colleague who was refused', async () => {
  const { as, chen, consultid, cuserid } = await finished();
  await chen(saveConsultNote, { consultid, note: '梦见了外婆', updatetime: null });
  await chen(getConsultNote, { consultid });
  await expect(as('lu')(getConsultNote, { consultid })).rejects.toMatchObject({ code: 110004 });
  const { rows, viewers } = await as('ma')(getPersonTrail, { cuserid });
  expect(rows.slice(0, 3).map(({ who, title }) => [who, title])).toEqual([
    ['陆远', '查看个别咨询记录（已拒绝）'],
    ['陈静怡', '查看个别咨询记录'],
    ['陈静怡', '保存个别咨询记录'],
  ]);
  expect(viewers.find(({ who }) => who === '陆远')).toMatchObject({ looked: 0, changed: 0 });
});

import { expect, test } from 'vitest';
import { handOver } from '#features/handover/handOver.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import * as user from '#features/org/user/user.contract.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import { aBooking, ownedBy, theWorkOfChen } from '#testing/handover/leaver.ts';
import { startServer } from '#testing/server.ts';

const nothing = { cases: 0, followups: 0, bookings: 0, persons: 0, teams: 0 };
const reason = '调离咨询岗位';

test('the preview lists everything that is open, and changes nothing', async () => {
  const server = await startServer();
  await theWorkOfChen(server);
  const before = await ownedBy(server, 'U_CHEN');
  const preview = await server.as('ma')(handOver, { fromuserid: 'U_CHEN', touserid: 'U_LU', preview: 1 });
  const numbers = (['cases', 'followups', 'bookings', 'persons', 'teams'] as const).map((kind) => [
    preview[kind].total,
    preview[kind].moved,
    preview[kind].stays,
  ]);
  expect(numbers).toEqual([
    [1, 1, 0],
    [2, 2, 0],
    [2, 2, 0],
    [2, 2, 0],
    [1, 1, 0],
  ]);
  expect(preview.bookings.rows[0]).toMatchObject({ username: '林小雨', slotbegin: '2025-10-10 10:00', toname: '陆远', why: '' });
  expect(preview.colleagues[0]).toMatchObject({ realname: '陆远', able: ['cases', 'followups', 'bookings', 'persons', 'teams'] });
  expect(await ownedBy(server, 'U_CHEN')).toEqual(before);
});

test('everything of a leaving colleague passes in one call, and nothing is left behind', async () => {
  const server = await startServer();
  const { as } = server;
  const { warningcode } = await theWorkOfChen(server);
  await as('chen')(handOver, { touserid: 'U_LU', reason });
  // A psychologist of the whole school hands over persons and classes too.
  expect(await ownedBy(server, 'U_CHEN')).toEqual(nothing);
  expect(await ownedBy(server, 'U_LU')).toEqual({ cases: 1, followups: 2, bookings: 2, persons: 2, teams: 1 });
  const [row] = (await as('fang')(getWarningPageList, { keyword: warningcode })).rows;
  expect(row).toMatchObject({ owneruserid: 'U_LU', pending: 1, due: { kind: 'accept', at: '2025-10-09 10:00:00' } });
  const notices = (await as('lu')(getNoticePageList, {})).rows.filter((note) => note.title === '陈静怡的工作已移交给您');
  expect(notices.map((note) => note.content)).toEqual([
    '1 个在办预警、1 个待随访、2 个咨询预约、2 份档案、1 个团体。原因：陈静怡移交工作：调离咨询岗位。',
  ]);
  await as('ma')(user.enableUser, { userid: 'U_CHEN', enabled: 0 });
});

test('a booking at whose time the receiver is booked stays, with the reason', async () => {
  const server = await startServer();
  const { as } = server;
  const { zhou, bookings } = await theWorkOfChen(server);
  await aBooking(server, { cuserid: zhou.cuserid, counsellor: 'U_LU', at: '2025-10-10 10:30' });
  const answer = await as('chen')(handOver, { touserid: 'U_LU', reason });
  expect(answer.bookings).toMatchObject({ total: 2, moved: 1, stays: 1 });
  expect(answer.bookings.rows[0]).toMatchObject({
    id: bookings[0],
    why: '接收人 2025-10-10 10:30–11:20 已有预约',
  });
  expect(await ownedBy(server, 'U_CHEN')).toEqual({ ...nothing, bookings: 1 });
});

test('single rows go to other colleagues, and a booking without a receiver waits to be booked again', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { warningcode, bookings, followupid } = await theWorkOfChen(server);
  await as('ma')(handOver, {
    fromuserid: 'U_CHEN',
    touserid: 'U_LU',
    items: [
      { kind: 'cases', ids: [warningcode], touserid: 'U_DUTY' },
      { kind: 'followups', ids: [followupid] },
      { kind: 'bookings' },
      { kind: 'bookings', ids: [bookings[1] as string], touserid: null },
      { kind: 'teams', touserid: null },
    ],
    reason,
  });
  expect(await ownedBy(server, 'U_CHEN')).toEqual({ ...nothing, persons: 2 });
  expect(await ownedBy(server, 'U_DUTY')).toMatchObject({ cases: 1, followups: 1 });
  expect(await ownedBy(server, 'U_LU')).toMatchObject({ followups: 1, bookings: 1, teams: 0 });
  const [released] = await sqlAsOwner('select status, counsellor, slotbegin from consult where consultid = $1', [bookings[1]]);
  expect(released).toEqual({ status: '01', counsellor: null, slotbegin: null });
});

test('an account cannot be disabled, deleted or shared while a follow-up or a booking has no receiver', async () => {
  const server = await startServer();
  const { as } = server;
  await theWorkOfChen(server);
  const refusal = {
    code: 130003,
    message: '“陈静怡”还负责 1 个在办预警、1 个待随访、2 个咨询预约，请先移交',
    data: { followups: 1, bookings: 2 },
  };
  await expect(as('ma')(user.enableUser, { userid: 'U_CHEN', enabled: 0 })).rejects.toMatchObject(refusal);
  await expect(as('ma')(user.deleteUserById, { userid: 'U_CHEN' })).rejects.toMatchObject(refusal);
  await expect(as('ma')(user.updateUser, { userid: 'U_CHEN', isshared: 1 })).rejects.toMatchObject(refusal);
  await as('ma')(user.enableUser, { userid: 'U_CHEN', enabled: 0, work: { touserid: 'U_LU' } });
  expect(await ownedBy(server, 'U_CHEN')).toEqual(nothing);
});

test('disabling refuses a receiver whose time is taken, and goes on when the booking is put back', async () => {
  const server = await startServer();
  const { as } = server;
  const { zhou, bookings } = await theWorkOfChen(server);
  await aBooking(server, { cuserid: zhou.cuserid, counsellor: 'U_LU', at: '2025-10-10 10:30' });
  const disable = { userid: 'U_CHEN', enabled: 0 } as const;
  await expect(as('ma')(user.enableUser, { ...disable, work: { touserid: 'U_LU' } })).rejects.toMatchObject({
    code: 130003,
    message: '“陈静怡”有 1 项不能交给所选接收人（接收人 2025-10-10 10:30–11:20 已有预约），请为它们另选',
  });
  const items = [
    ...(['cases', 'followups', 'bookings'] as const).map((kind) => ({ kind })),
    { kind: 'bookings' as const, ids: [bookings[0] as string], touserid: null },
  ];
  await as('ma')(user.enableUser, { ...disable, work: { touserid: 'U_LU', items } });
  expect(await ownedBy(server, 'U_CHEN')).toMatchObject({ cases: 0, followups: 0, bookings: 0, persons: 2, teams: 1 });
});

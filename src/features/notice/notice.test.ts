import { expect, test } from 'vitest';
import * as notice from '#features/notice/notice.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { startServer } from '#testing/server.ts';
import { addStudent, takeExam } from '#testing/exam.ts';

test('the responsible staff are notified of a red answer, and nobody else sees the message', async () => {
  const server = await startServer();
  const { as, sqlAsOwner, clock } = server;
  await takeExam(server, await addStudent(server), { PHQ9: '2 2 2 2 2 2 2 2 3 1' });
  const recipients = await sqlAsOwner<{ userid: string }>(
    "select distinct userid from notification where musercode = 'M_CHENGUANG' and userid in ('U_CHEN', 'U_DUTY', 'U_MA')",
  );
  expect(recipients.map((row) => row.userid)).toContain('U_CHEN');
  const { total, rows } = await as('chen')(notice.getNoticePageList, {});
  expect([total > 0, rows[0]?.readtime, rows[0]?.kind]).toEqual([true, null, 'warning']);
  expect(rows[0]?.link).toMatch(/^\/earlyWarning\/case\//);
  expect((await as('chen')(notice.getUnreadCount, {})).count).toBe(total);
  expect((await as('qiao')(notice.getNoticePageList, {})).total).toBe(0);
  // qiao cannot mark the messages of chen.
  await as('qiao')(notice.readNotice, { ids: rows.map((row) => row.id) });
  expect((await as('chen')(notice.getUnreadCount, {})).count).toBe(total);
  clock.now = new Date('2025-10-08T03:00:00Z');
  await as('chen')(notice.readNotice, { ids: [rows[0]?.id ?? ''] });
  expect((await as('chen')(notice.getUnreadCount, {})).count).toBe(total - 1);
  await as('chen')(notice.readNotice, {});
  expect((await as('chen')(notice.getUnreadCount, {})).count).toBe(0);
  expect((await as('chen')(notice.getNoticePageList, { unread: '1' })).total).toBe(0);
  expect((await as('chen')(notice.getNoticePageList, { unread: '0' })).rows.at(0)?.readtime).toBe('2025-10-08 11:00:00');
});

test('staff do not see the messages to their institution’s own account', async () => {
  const { as, sqlAsOwner } = await startServer();
  await sqlAsOwner("insert into notification (musercode, kind, title) values ('AS000001', 'system', '今晚 22 点维护')");
  expect((await as('super')(notice.getNoticePageList, {})).rows).toMatchObject([{ title: '今晚 22 点维护', link: '' }]);
  expect((await as('chen')(notice.getUnreadCount, {})).count).toBe(0);
});

test('unread messages stand above newer ones that are read, and opening a case marks its messages', async () => {
  const server = await startServer();
  const { as, clock } = server;
  const report = async (username: string) => {
    const { cuserid } = await addStudent(server, { username, studentno: username });
    clock.now = new Date(clock.now.getTime() + 60_000);
    return (await as('chen')(insertWarning, { cuserid, level: 3, content: '同学反映其多次说不想活了' })).warningcode;
  };
  const [first, second] = [await report('林小雨'), await report('周明')];
  await as('lu')(notice.readNotice, { warningcode: second });
  const { rows } = await as('lu')(notice.getNoticePageList, {});
  expect(rows.map((row) => [row.link, row.readtime !== null])).toEqual([
    [`/earlyWarning/case/${first}`, false],
    [`/earlyWarning/case/${second}`, true],
  ]);
  expect(rows[0]).toMatchObject({ username: '林小雨', title: '新预警，一级预警，待受理' });
});

test('the messages about one case are one line with their number and the newest words, and opening it reads them all', async () => {
  const server = await startServer();
  const { as, clock } = server;
  const { cuserid } = await addStudent(server);
  const report = async (level: number, content: string) => {
    clock.now = new Date(clock.now.getTime() + 60_000);
    return (await as('chen')(insertWarning, { cuserid, level, content })).warningcode;
  };
  const warningcode = await report(2, '近来常常独自发呆，不愿说话');
  await report(3, '今早在群里和大家道别');
  await report(3, '又一次和同学说再见，并送出心爱之物');
  const list = await as('lu')(notice.getNoticePageList, {});
  expect(list.total).toBe(1);
  expect(list.rows).toMatchObject([{ warningcode, count: 3, unread: 3, readtime: null, group: 'warning' }]);
  expect(list.rows[0]?.title).toContain('有新情况');
  expect(await as('lu')(notice.getUnreadCount, {})).toMatchObject({ count: 1, groups: { warning: 1, system: 0 } });
  await as('lu')(notice.readNotice, { warningcode });
  expect((await as('lu')(notice.getNoticePageList, {})).rows).toMatchObject([{ count: 3, unread: 0 }]);
  expect((await as('lu')(notice.getUnreadCount, {})).count).toBe(0);
});

test('messages stand in the groups 预警, 任务, 审批 and 系统, and a group is marked as read by itself', async () => {
  const { as, sqlAsOwner } = await startServer();
  for (const kind of ['overdue', 'task', 'followup', 'approval', 'job', 'system'])
    await sqlAsOwner(
      "insert into notification (musercode, userid, kind, title) values ('M_CHENGUANG', 'U_MA', $1, $1), ('M_CHENGUANG', 'U_LU', $1, $1)",
      [kind],
    );
  expect(await as('ma')(notice.getUnreadCount, {})).toEqual({
    count: 6,
    groups: { warning: 1, task: 2, approval: 1, system: 2 },
    waiting: 0,
  });
  const titlesOf = async (group: 'task' | 'system') =>
    (await as('ma')(notice.getNoticePageList, { group })).rows.map((row) => row.title).sort();
  expect(await titlesOf('task')).toEqual(['followup', 'task']);
  expect(await titlesOf('system')).toEqual(['job', 'system']);
  await as('ma')(notice.readNotice, { group: 'task' });
  expect((await as('ma')(notice.getUnreadCount, {})).groups).toEqual({ warning: 1, task: 0, approval: 1, system: 2 });
  expect((await as('lu')(notice.getUnreadCount, {})).count).toBe(6);
});

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
  expect(rows[0]?.title).toBe(`新预警 ${first}：一级预警，待受理`);
});

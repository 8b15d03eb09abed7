import { expect, test } from 'vitest';
import * as notice from '#features/notice/notice.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as board from '#features/task/board/board.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { addClass, screening, type Pupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const clientcode = 'entry_chenguang';

/** 初三(1)班 has two girls called 王芳 and 李明; all of them are asked this week. */
async function startClass() {
  const server = await startServer();
  const { teamcode, pupils } = await addClass(server, { teamname: '初三1班', names: ['王芳', '王芳', '李明'] });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([teamcode]));
  const [wang, otherWang, li] = pupils as [Pupil, Pupil, Pupil];
  const signIn = async ({ username, studentno }: Pupil) => {
    const { token } = await server.nobody(respond.loginRespondent, { clientcode, username, key: studentno });
    return server.withToken(token);
  };
  const chase = async () => (await server.as('chen')(board.getTaskChaseList, { taskcode })).classes[0];
  const notices = async () =>
    (await server.as('chen')(notice.getNoticePageList, {})).rows.filter(({ title }) => title.includes('不参加'));
  return { server, taskcode, wang, otherWang, li, signIn, chase, notices };
}

test('a pupil who declines on the consent page is in no chase list and no reminder, and the psychologist is told', async () => {
  const { server, taskcode, wang, signIn, chase, notices } = await startClass();
  const own = await signIn(wang);
  expect(await own(respond.declineTasks, {})).toEqual({ declined: 1 });
  expect(await chase()).toMatchObject({ unfinished: 2, people: [{ username: '李明' }, { username: '王芳' }] });
  expect(await server.as('chen')(task.remindTask, { taskcode })).toMatchObject({ sent: 2 });
  const { rows } = await server.as('chen')(board.getAssessTaskRoster, { taskcode, reason: '拒绝参加' });
  expect(rows.map((row) => [row.cuserid, row.status])).toEqual([[wang.cuserid, 3]]);
  expect(await notices()).toMatchObject([{ content: expect.stringContaining('不再催测') as string }]);
  expect(await own(respond.declineTasks, {})).toEqual({ declined: 0 });
});

test('a pupil who declined and agrees later can answer', async () => {
  const { server, wang, signIn } = await startClass();
  const own = await signIn(wang);
  await own(respond.declineTasks, {});
  expect(await own(respond.getTasks, {})).toEqual([]);
  const { consent } = await server.nobody(respond.getEntry, { clientcode });
  await own(respond.submitConsent, { consentversion: consent.version, scopes: ['01', '02'], agreed: 1 });
  expect(await own(respond.getTasks, {})).toHaveLength(1);
});

test('staff record that a pupil declines: the psychologist is told, and only staff take it back', async () => {
  const { server, taskcode, li, signIn, notices } = await startClass();
  await server.as('chen')(task.setRosterReason, { taskcode, cuserids: [li.cuserid], reason: '拒绝参加' });
  expect(await notices()).toMatchObject([{ content: expect.stringContaining('李明') as string }]);
  const own = await signIn(li);
  const { consent } = await server.nobody(respond.getEntry, { clientcode });
  await own(respond.submitConsent, { consentversion: consent.version, scopes: ['01', '02'], agreed: 1 });
  expect(await own(respond.getTasks, {})).toEqual([]);
});

test('the text for the class group names nobody; the text with names tells two children of one name apart', async () => {
  const { wang, otherWang, chase } = await startClass();
  const schoolClass = await chase();
  expect(schoolClass?.text).toContain('还有 3 人未完成。');
  expect(schoolClass?.text).not.toMatch(/王芳|李明/);
  for (const { studentno } of [wang, otherWang]) expect(schoolClass?.namedtext).toContain(`王芳（尾号 ${studentno.slice(-4)}）`);
});

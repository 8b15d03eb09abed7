import { expect, test } from 'vitest';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { contractStage } from '#domain/tenant/winddown.ts';
import { activeInstitutions } from '#server/db/systemSession.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { enableMuser } from '#features/muser/muser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { getUserInfo } from '#features/session/session.contract.ts';
import { getAssessTeamPageList } from '#features/team/team.contract.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { handleEndingContracts } from '#features/warning/handover/contractEnd.ts';
import { getWarningDetail, getWarningPageList } from '#features/warning/warning.contract.ts';
import { aStudent } from '#testing/factories.ts';
import type { Person } from '#testing/people.ts';
import { countNotices } from '#testing/sealing.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Three open cases of 晨光中学: levels 2, 3 and 4, the first accepted by 陈静怡. */
async function threeCases(server: TestServer): Promise<string[]> {
  const warningcodes: string[] = [];
  for (const [index, level] of [2, 3, 4].entries()) {
    const { cuserid } = await aStudent(server, { username: `学生${index}`, studentno: `2023030${index}` });
    const content = '同学反映近来常常独自哭泣，不愿说话';
    warningcodes.push((await server.as('chen')(handling.insertWarning, { cuserid, level, content })).warningcode);
  }
  await server.as('chen')(handling.acceptWarning, { warningcode: warningcodes[0] as string, owneruserid: 'U_CHEN' });
  return warningcodes;
}

const noticesOf = async ({ as }: TestServer, who: Person) => (await as(who)(getNoticePageList, { pageSize: 100 })).rows;
const ownersOf = async ({ as }: TestServer) =>
  (await as('fang')(getWarningPageList, {})).rows.map((row) => row.owneruserid).sort();
const endOn = ({ as }: TestServer, expiredate: string) => as('fang')(updateMUser, { musercode: 'M_CHENGUANG', expiredate });

test('L26: a disabled institution leaves its three open cases to the provider, and the jobs go on', async () => {
  const server = await startServer();
  const { as, services, clock, sqlAsOwner } = server;
  const warningcodes = await threeCases(server);
  const answer = await as('fang')(enableMuser, { musercode: 'M_CHENGUANG', enabled: 0, reason: '欠费' });
  expect(answer).toEqual({ handedover: 3 });
  expect(await ownersOf(server)).toEqual(['U_FANG', 'U_FANG', 'U_FANG']);
  const titles = (await noticesOf(server, 'fang')).map((note) => note.title);
  expect(titles).toContain('预警已移交给您，特级预警，待受理');
  expect(titles).toContain('云栖市晨光中学的 3 个在办预警已移交');
  expect((await noticesOf(server, 'zhou')).find((note) => note.title.includes('已移交'))).toMatchObject({
    title: '云栖市晨光中学的 3 个在办预警已移交',
    content: '云栖市晨光中学已停用。接手：方敏（安澜心理）。',
  });

  expect(await activeInstitutions(services.pools)).toContain('M_CHENGUANG');
  clock.now = new Date(clock.now.getTime() + 3 * 3_600_000);
  expect(await escalateOverdue(services, clock.now)).toMatchObject({ overdue: 2, failed: [] });
  const overdue = (
    await sqlAsOwner<{ title: string; warningcode: string }>(
      "select title, warningcode from notification where userid = 'U_FANG' and kind = 'overdue'",
    )
  ).filter((note) => note.warningcode === warningcodes[2]);
  expect(overdue.filter(({ title }) => title.startsWith('受理') && title.endsWith('超时'))).toHaveLength(1);
  await as('fang')(handling.acceptWarning, { warningcode: warningcodes[2] as string });
  for (const warningcode of warningcodes)
    expect((await as('fang')(getWarningDetail, { warningcode })).full?.logs.map((line) => line.action)).toContain('移交');
});

test('a disabled institution without an open case is left out of the jobs', async () => {
  const server = await startServer();
  await server.as('fang')(enableMuser, { musercode: 'M_CHENGUANG', enabled: 0, reason: '欠费' });
  expect(await activeInstitutions(server.services.pools)).toEqual(['M_ANLAN', 'M_DONGSHAN', 'M_RENAI']);
});

test('the end of a contract is announced 30, 7 and 1 days ahead, with its open cases and once each', async () => {
  const server = await startServer();
  const { services, clock } = server;
  await threeCases(server);
  await endOn(server, '2099-11-07');
  const announcements = async (who: Person) =>
    (await noticesOf(server, who)).filter((note) => note.title.includes('到期')).map((note) => note.title);
  const day = (date: string) => new Date(`${date}T02:00:00Z`);
  const title = '服务将于 2099-11-07 到期，在办预警 3 个';
  await handleEndingContracts(services.pools, day('2099-10-07'));
  expect([await announcements('ma'), await announcements('fang')]).toEqual([[], []]);
  for (const date of ['2099-10-08', '2099-10-20', '2099-10-31', '2099-11-05', '2099-11-06', '2099-11-07']) {
    clock.now = day(date);
    await handleEndingContracts(services.pools, clock.now);
    await handleEndingContracts(services.pools, clock.now);
  }
  expect(await announcements('ma')).toEqual(Array(3).fill(`本机构${title}`));
  expect(await announcements('fang')).toEqual(Array(3).fill(`云栖市晨光中学${title}`));
  expect((await noticesOf(server, 'ma')).find((note) => note.title.startsWith('本机构'))?.content).toContain(
    '在办预警 3 个，请尽快处置或安排移交',
  );
  const stored = await countNotices(server);
  expect([stored.texts > 5, stored.readable]).toEqual([true, 0]);
});

test('for 30 days after its contract an institution works on its cases with the provider, who then owns them', async () => {
  const server = await startServer();
  const { services, clock } = server;
  const warningcodes = await threeCases(server);
  await endOn(server, '2025-10-07');
  await handleEndingContracts(services.pools, clock.now);
  await handleEndingContracts(services.pools, clock.now);
  const shared = (await noticesOf(server, 'fang')).filter((note) => note.title.startsWith('收尾模式'));
  expect(shared.map((note) => note.title).sort()).toEqual(warningcodes.map(() => '收尾模式：请您协同处置'));
  expect(shared[0]?.content).toContain('收尾模式至 2025-11-06');
  expect(await ownersOf(server)).not.toContain('U_FANG');

  clock.now = new Date('2025-11-06T02:00:00Z');
  expect((await handleEndingContracts(services.pools, clock.now)).passed).toBe(0);
  clock.now = new Date('2025-11-07T02:00:00Z');
  expect((await handleEndingContracts(services.pools, clock.now)).passed).toBe(3);
  expect((await handleEndingContracts(services.pools, clock.now)).passed).toBe(0);
  expect(await ownersOf(server)).toEqual(['U_FANG', 'U_FANG', 'U_FANG']);
});

test('in 收尾模式 staff sign in, handle crisis warnings and nothing else; after 30 days nobody signs in', async () => {
  const server = await startServer();
  const { as, raw } = server;
  const [warningcode = ''] = await threeCases(server);
  const real = new Date();
  await endOn(server, shanghaiDate(addDays(real, -1)));
  const until = shanghaiDate(addDays(real, 29));
  const record = await as('chen')(getUserInfo, {});
  expect(record).toMatchObject({ winddownuntil: until });
  expect(record.permissions.map(({ component }) => component)).toEqual([
    '00013',
    '00014',
    '00035',
    '00045',
    '00046',
    '00047',
    '00055',
  ]);
  expect((await as('chen')(getWarningPageList, {})).total).toBe(3);
  await as('chen')(handling.verifyWarning, { warningcode, contactresult: '01', content: '已与本人见面，情绪平稳' });
  for (const action of [getAssessTeamPageList, getCUserPageList])
    await expect(as('chen')(action as typeof getCUserPageList, {})).rejects.toMatchObject({
      code: 110014,
      message: `机构服务已到期，收尾模式至 ${until}，期间只能处理危机预警。续期请联系服务商`,
    });
  await expect(as('chen')(updateMUser, { musercode: 'M_CHENGUANG', shortname: '晨光' })).rejects.toMatchObject({ code: 110004 });
  expect((await as('qiao')(getUserInfo, {})).winddownuntil).toBe('');
  await endOn(server, shanghaiDate(addDays(real, -31)));
  expect(await raw('as.m.user.getUserInfo', 'chen')).toMatchObject({ errorCode: 110000 });
});

test('the stages of a contract follow from the days that are left', () => {
  const stages = [31, 30, 8, 7, 2, 1, 0, -1, -30, -31].map(contractStage);
  expect(stages).toEqual([
    { kind: 'running' },
    { kind: 'expiring', step: 30 },
    { kind: 'expiring', step: 30 },
    { kind: 'expiring', step: 7 },
    { kind: 'expiring', step: 7 },
    { kind: 'expiring', step: 1 },
    { kind: 'expiring', step: 1 },
    { kind: 'winddown' },
    { kind: 'winddown' },
    { kind: 'ended' },
  ]);
});

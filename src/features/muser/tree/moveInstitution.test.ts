import { expect, test } from 'vitest';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as muser from '#features/muser/muser.contract.ts';
import * as session from '#features/session/session.contract.ts';
import * as team from '#features/team/team.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { openInstitution, signIn } from '#testing/institution.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const firstPage = { page: 1, pageSize: 50 };

test('a moved school takes its campus, classes, students and cases from the old provider’s view to the new one’s', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { pupil, teamcode } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵'] });
  const { warningcode } = await as('chen')(handling.insertWarning, {
    cuserid: pupil('林小雨').cuserid,
    level: 2,
    content: '同学反映近来常常独自哭泣，不愿和人说话',
  });
  const { musercode: campus } = await openInstitution(server, 'fang', 'campus', { parentmusercode: 'M_CHENGUANG' });
  const { musercode: yuanhang } = await openInstitution(server, 'super', 'yuanhang', { musertype: '002', sector: 'platform' });
  const provider = await signIn(server, 'yuanhang');
  const counts = async (call: typeof provider) => ({
    persons: (await call(cuser.getCUserPageList, {})).total,
    teams: (await call(team.getAssessTeamPageList, {})).rows.map((row) => row.teamcode),
    cases: (await call(warning.getWarningPageList, {})).rows.map((row) => row.warningcode),
    institutions: (await call(muser.getMUserPageList, firstPage)).rows.map((row) => row.musercode).sort(),
  });
  const all = { persons: 2, teams: [teamcode], cases: [warningcode] };
  const others = ['JYJ00001', 'M_DONGSHAN', 'M_RENAI'];
  expect(await counts(as('fang'))).toMatchObject({ ...all, institutions: [campus, 'M_CHENGUANG', ...others].sort() });
  expect(await counts(provider)).toEqual({ persons: 0, teams: [], cases: [], institutions: [] });

  const moveResult = await as('super')(muser.updateMUserCategory, { musercode: 'M_CHENGUANG', parentmusercode: yuanhang });
  expect(moveResult).toEqual({
    categorycode: 'M_CHENGUANG',
    categorylevel: 3,
    categorycode0: 'AS000001',
    categorycode1: yuanhang,
    categorycode2: '',
    categorycode3: 'M_CHENGUANG',
    categorycode4: '',
    categorycode5: '',
    moved: 2,
  });

  expect(await counts(provider)).toMatchObject({ ...all, institutions: [campus, 'M_CHENGUANG'].sort() });
  expect(await counts(as('fang'))).toEqual({ persons: 0, teams: [], cases: [], institutions: others.sort() });
  // Chen's session continues, and Chen still sees the same case.
  expect(await as('chen')(warning.getWarningPageList, {})).toMatchObject({
    total: 1,
    rows: [{ warningcode, insname: '云栖市晨光中学' }],
  });
  expect((await as('chen')(cuser.getCUserPageList, {})).total).toBe(2);
  expect(await as('chen')(session.getUserInfo, {})).toMatchObject({ categorycode1: yuanhang });
  await addClass(server, { teamname: '初二4班', names: ['新同学'] });

  const wrongPaths = await sqlAsOwner<{ name: string; n: number }>(
    `select t.name, (xpath('/row/n/text()', query_to_xml(format(
        'select count(*) as n from public.%I x left join muser m on m.musercode = x.musercode
         where x.orgpath is distinct from m.orgpath', t.name), false, true, '')))[1]::text::int as n
     from (select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'orgpath') t`,
  );
  expect(wrongPaths.filter((row) => row.n > 0)).toEqual([]);
  expect(wrongPaths.length).toBeGreaterThan(40);
  expect(
    await sqlAsOwner(
      'select m.musercode from muser m join auth.tenant t on t.musercode = m.musercode where t.orgpath <> m.orgpath',
    ),
  ).toEqual([]);
  expect(
    await sqlAsOwner('select categorycode1, categorycode3, categorycode4, categorylevel from muser where musercode = $1', [
      campus,
    ]),
  ).toEqual([{ categorycode1: yuanhang, categorycode3: 'M_CHENGUANG', categorycode4: campus, categorylevel: 4 }]);
  expect(server.errors).toEqual([]);
});

test('an institution cannot move below itself, below a type without children, outside the caller’s scope, nor move itself', async () => {
  const server = await startServer();
  const { as } = server;
  const { musercode: campus } = await openInstitution(server, 'fang', 'campus', { parentmusercode: 'M_CHENGUANG' });
  const move = (musercode: string, parentmusercode: string) =>
    as('fang')(muser.updateMUserCategory, { musercode, parentmusercode });
  await expect(move('M_CHENGUANG', campus)).rejects.toMatchObject({ code: 120002, message: '不能移动到自己或自己的下级' });
  await expect(move('M_CHENGUANG', 'M_CHENGUANG')).rejects.toMatchObject({ code: 120002 });
  await expect(move('M_CHENGUANG', 'M_RENAI')).rejects.toMatchObject({ code: 120002 });
  await expect(move('M_CHENGUANG', 'AS000001')).rejects.toMatchObject({ code: 130001 });
  await expect(move('M_ANLAN', 'M_CHENGUANG')).rejects.toMatchObject({ code: 110004 });
  await expect(
    as('qiao')(muser.updateMUserCategory, { musercode: 'M_CHENGUANG', parentmusercode: 'M_DONGSHAN' }),
  ).rejects.toMatchObject({ code: 110004 });
  expect((await move(campus, 'M_DONGSHAN')).moved).toBe(1);
});

test('two concurrent institution moves that would form a circle: one is refused', async () => {
  const server = await startServer();
  const { as } = server;
  const [{ musercode: a }, { musercode: b }] = [
    await openInstitution(server, 'fang', 'aaa'),
    await openInstitution(server, 'fang', 'bbb'),
  ];
  const results = await Promise.allSettled([
    as('fang')(muser.updateMUserCategory, { musercode: a, parentmusercode: b }),
    as('fang')(muser.updateMUserCategory, { musercode: b, parentmusercode: a }),
  ]);
  expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
});

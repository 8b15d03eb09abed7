import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { insertExport } from '#contract/exportJob.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { asRole } from '#server/db/roles.ts';
import { insertRole } from '#features/access/role/role.contract.ts';
import { decideAccessApproval, insertAccessApproval } from '#features/approval/approval.contract.ts';
import { openCaseFile } from '#features/warning/files/casefile.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { exportWarningList, getWarningDetail } from '#features/warning/warning.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { stepUp } from '#features/session/session.contract.ts';
import { expireStepUp, setPermission } from '#testing/factories.ts';
import { addClass } from '#testing/school.ts';
import { startServer, type CallError } from '#testing/server.ts';
import { addColleague } from '#testing/staff.ts';

const reason = '协助核对名册导入的问题';
const errorCodeOf = (work: Promise<unknown>) =>
  work.then(
    () => 0,
    (error: unknown) => (error as CallError).code,
  );

test('a provider that acts for an authority sees no institution of another provider', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  // A school of the same district below another provider.
  await sqlAsOwner(`insert into muser (musercode, orgpath, username, musertype, insname, sector, parentmusercode,
    categorycode, categorylevel, categorycode0, provincecode, citycode, districtcode)
    select 'M_FREMD', o.orgpath || 'M_FREMD.', 'fremd', m.musertype, '云栖市外校', m.sector, o.musercode, 'M_FREMD', 1,
      o.categorycode0, m.provincecode, m.citycode, m.districtcode
    from muser m, muser o where m.musercode = 'M_DONGSHAN' and o.musercode = 'AS000001'`);
  const region = async (token: string) => {
    const client = new pg.Client(asRole(server.target, 'xinli_stats'));
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("select set_config('app.session', $1, false)", [hashToken(token)]);
    return (
      await client.query<{ musercode: string }>('select musercode from muser where musertype = $1 order by 1', ['005'])
    ).rows.map((row) => row.musercode);
  };
  const zhou = { musercode: 'JYJ00001', userid: 'U_ZHOU', reason };
  expect(await region('zhou')).toEqual(['M_CHENGUANG', 'M_DONGSHAN', 'M_FREMD']);
  expect(await region((await as('fang')(loginAs, zhou)).token)).toEqual(['M_CHENGUANG', 'M_DONGSHAN']);
  expect(await region((await as('super')(loginAs, zhou)).token)).toEqual(['M_CHENGUANG', 'M_DONGSHAN', 'M_FREMD']);
});

test('an acting session cannot export, approve, open case files, step up or change roles', async () => {
  const server = await startServer();
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  const { warningcode } = await server.as('lu')(insertWarning, {
    cuserid: pupils[0]!.cuserid,
    level: 2,
    content: '同学反映近来常常独自哭泣',
  });
  const { approvalid } = await server.as('lu')(insertAccessApproval, {
    call: 'as.m.warning.exportWarningList',
    purpose: '向区教研室汇报',
  });
  const { token } = await server.as('fang')(loginAs, { musercode: 'M_CHENGUANG', userid: 'U_CHEN', reason });
  const call = server.withToken(token);
  expect([
    await errorCodeOf(call(exportWarningList, {})),
    await errorCodeOf(call(insertExport, { action: 'as.m.cuser.exportCuserList', request: {} })),
    await errorCodeOf(call(getWarningDetail, { warningcode })),
    await errorCodeOf(call(openCaseFile, { warningcode, fileid: '00000000-0000-4000-8000-000000000000' })),
    await errorCodeOf(call(stepUp, { code: '123456' })),
  ]).toEqual([110011, 110011, 110011, 110011, 110011]);
  expect([110004, 110011]).toContain(await errorCodeOf(call(decideAccessApproval, { approvalid, agreed: 1 })));
  expect([110004, 110011]).toContain(
    await errorCodeOf(call(insertRole, { rolename: '后门', rolekey: 'back', datascope: 1, menuids: [] })),
  );
  expect(await server.sqlAsOwner('select status from accessapproval')).toEqual([{ status: 0 }]);
  expect(await server.sqlAsOwner('select count(*)::int as n from auth.jobqueue')).toEqual([{ n: 0 }]);
});

test('nobody can act for an account that holds a right the caller lacks', async () => {
  const server = await startServer();
  // 赵老师 may act for others and has no other right of a psychologist.
  const zhao = await addColleague(server, { sysusername: 'zhao' });
  await setPermission(server, zhao.userid, '00024', 'grant');
  for (const userid of ['U_MA', 'U_CHEN', zhao.userid, 'U_QIAO', undefined])
    expect([110004, 130001]).toContain(
      await errorCodeOf(zhao.call(loginAs, { musercode: 'M_CHENGUANG', ...(userid && { userid }), reason })),
    );
  expect(await server.sqlAsOwner('select count(*)::int as n from auth.session where loginasby is not null')).toEqual([{ n: 0 }]);
});

test('the second-factor rule of an institution cannot be changed without step-up or while acting', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  await as('fang')(updateMUser, { musercode: 'M_CHENGUANG', mustfactor: 1 });
  const { token } = await as('super')(loginAs, { musercode: 'M_ANLAN', userid: 'U_FANG', reason });
  const acting = server.withToken(token);
  expect(await errorCodeOf(acting(updateMUser, { musercode: 'M_CHENGUANG', mustfactor: 0 }))).toBe(110011);
  expect(await errorCodeOf(acting(updateMUser, { musercode: 'M_CHENGUANG', remark: '已联系' }))).toBe(0);
  await expireStepUp({ sqlAsOwner }, 'U_FANG');
  expect(await errorCodeOf(as('fang')(updateMUser, { musercode: 'M_CHENGUANG', mustfactor: 0 }))).toBe(110007);
  expect(await sqlAsOwner("select mustfactor from muser where musercode = 'M_CHENGUANG'")).toEqual([{ mustfactor: 1 }]);
});

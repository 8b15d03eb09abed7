import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addHours } from '#domain/base/calendar.ts';
import { Problem } from '#contract/problem.ts';
import { handOver, WORK_KINDS } from '#features/handover/handOver.contract.ts';
import { passAllWorkOfUnable } from '#features/handover/passUnable.ts';
import * as user from '#features/org/user/user.contract.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import { setPermission } from '#testing/factories.ts';
import { aBooking, theWorkOfChen } from '#testing/handover/leaver.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** The people who come and go. 马主任 stays and manages the accounts. */
const STAFF = ['U_CHEN', 'U_LU', 'U_DUTY'] as const;
const staff = fc.constantFrom(...STAFF);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), from: staff, to: staff }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('some' as const),
      from: staff,
      to: staff,
      kinds: fc.subarray([...WORK_KINDS], { minLength: 1 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('disable' as const), from: staff, to: staff }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('emergency' as const), from: staff }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('enable' as const), from: staff }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('right' as const),
      from: staff,
      code: fc.constantFrom('00014', '00016', '00017', '00047'),
      effect: fc.constantFrom('deny' as const, 'grant' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Takes a step; a refusal leaves everything as it was. */
async function take(server: TestServer, act: Step): Promise<void> {
  const { as } = server;
  const all = WORK_KINDS.map((kind) => ({ kind }));
  try {
    if (act.kind === 'pass') await as('ma')(handOver, { fromuserid: act.from, touserid: act.to, reason: '轮岗' });
    if (act.kind === 'some') {
      const items = act.kinds.map((kind) => ({ kind }));
      await as('ma')(handOver, { fromuserid: act.from, touserid: act.to, items, reason: '轮岗' });
    }
    if (act.kind === 'disable')
      await as('ma')(user.enableUser, { userid: act.from, enabled: 0, work: { touserid: act.to, items: all } });
    if (act.kind === 'emergency') await as('fang')(user.enableUser, { userid: act.from, enabled: 0 });
    if (act.kind === 'enable') await as('ma')(user.enableUser, { userid: act.from, enabled: 1 });
    if (act.kind === 'right') await setPermission(server, act.from, act.code, act.effect);
  } catch (error) {
    if (!(error instanceof Problem) && !('code' in (error as object))) throw error;
  }
}

/** Open work whose owner is disabled or may not do it. Written apart from the queries of the product. */
const faults = ({ sqlAsOwner }: TestServer) =>
  sqlAsOwner<{ what: string; owner: string }>(`
    with may as (
      select u.userid, array(
        select code from (
          select unnest(r.codes) as code from sysuserrole ur join role r on r.roleid = ur.roleid where ur.userid = u.userid
          union select p.code from sysuserpermission p where p.userid = u.userid and p.effect = 'grant') held
        where code not in (select p.code from sysuserpermission p where p.userid = u.userid and p.effect = 'deny')) as codes
      from sysuser u where u.enabled = 1 and u.isdeleted = 0)
    select 'case' as what, w.owneruserid as owner from warning w
    where w.state not in ('07', '08') and w.owneruserid is not null
      and not exists (select from may m where m.userid = w.owneruserid and '00014' = any (m.codes))
    union all
    select 'followup', f.owneruserid from followup f
    where f.status in ('01', '03') and f.owneruserid is not null
      and not exists (select from may m where m.userid = f.owneruserid and '00047' = any (m.codes) and m.codes && '{00014,00017}')
    union all
    select 'booking', k.counsellor from consult k
    where k.status in ('01', '02', '05') and k.counsellor is not null
      and not exists (select from may m where m.userid = k.counsellor and m.codes @> '{00016,00047}')`);

test('every open thing has an able owner after any hands-over, disablings and changes of rights', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const server = await startServer();
      const { lin, zhou } = await theWorkOfChen(server);
      await aBooking(server, { cuserid: zhou.cuserid, counsellor: 'U_LU', at: '2025-10-10 10:30' });
      await aBooking(server, { cuserid: lin.cuserid, counsellor: 'U_DUTY', at: '2025-10-12 10:00', status: '05' });
      const count = async () =>
        (
          await server.sqlAsOwner(`select
            (select count(*)::int from warning where state not in ('07', '08')) as cases,
            (select count(*)::int from followup where status = '01') as followups,
            (select count(*)::int from consult where status in ('01', '02', '05')) as bookings`)
        )[0];
      const before = await count();
      for (const act of steps) await take(server, act);
      // The jobs of the next minute see rights that were taken without a call of 用户管理.
      const { services, clock } = server;
      clock.now = addHours(clock.now, 0.1);
      await escalateOverdue(services, clock.now);
      expect(await passAllWorkOfUnable(services, clock.now)).toEqual([]);
      expect(await faults(server)).toEqual([]);
      expect(await count()).toEqual(before);
    }),
    { numRuns: 8 },
  );
});

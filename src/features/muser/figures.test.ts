import { expect, test } from 'vitest';
import { open } from '#testing/institution.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';
import { sealAudit } from '#server/audit.ts';
import { grantMUserAssessCount } from '#features/count/wallet.contract.ts';
import { deleteCUser } from '#features/cuser/cuser.contract.ts';
import { deleteMUser, enableMuser, getMUserPageList, updateMUserCategory } from '#features/muser/muser.contract.ts';
import { deleteUserById, insertUser } from '#features/org/user.contract.ts';

/**
 * How many institutions, persons, staff and wallets there are is kept beside them (migration 0029); it is what counting would find, before and
 * after the job has added up.
 */
type Server = Awaited<ReturnType<typeof startServer>>;

const wrong = (server: Server) =>
  server.sqlAsOwner(`
    select 'institutions' as what, coalesce(b.musercode, c.code) as code, coalesce(b.n, 0) as kept, coalesce(c.n, 0)::int as counted
    from (select * from auth.below where n <> 0) b full join (
      select w.code, m.musertype, m.sector, m.enabled, count(*) as n from muser m, auth.way_to(m.orgpath) w where m.isdeleted = 0 and w.code <> m.musercode group by 1, 2, 3, 4) c
      on c.code = b.musercode and c.musertype = b.musertype and c.sector = b.sector and c.enabled = b.enabled
    where coalesce(b.n, 0) <> coalesce(c.n, 0)
    union all
    select k.what, coalesce(k.musercode, c.musercode), coalesce(k.n, 0)::int, coalesce(c.n, 0)::int
    from (select musercode, orgpath, what, sum(n) as n from headcount group by 1, 2, 3 having sum(n) <> 0) k full join (
      select musercode, orgpath, '01' as what, count(*) as n from cuser where isdeleted = 0 group by 1, 2
      union all select musercode, orgpath, '02', count(*) from sysuser where isdeleted = 0 group by 1, 2
      union all select m.musercode, m.orgpath, '03', count(*) from muser m join assesscount w on starts_with(w.orgpath, m.orgpath) group by 1, 2
      union all select 'AS000001', 'AS000001.', '04', count(distinct cuserid) from assesscountlog where kind = '03' having count(cuserid) > 0) c
      on c.musercode = k.musercode and c.orgpath = k.orgpath and c.what = k.what
    where coalesce(k.n, 0) <> coalesce(c.n, 0)`);

async function agree(server: Server) {
  expect(await wrong(server)).toEqual([]);
  await sealAudit(server.services.pools.sealer);
  expect(await wrong(server)).toEqual([]);
}

test('what is kept of institutions, persons, staff and wallets is what there is, whatever happens to them', async () => {
  const server = await startServer();
  const { as } = server;
  await agree(server);
  const far = await open(server, 'super', 'yuanhang', { musertype: '002', sector: 'platform', insname: '远航服务商' });
  const schools = await Promise.all(
    ['yucai', 'mingde', 'bowen'].map((name) =>
      open(server, 'super', name, { parentmusercode: far.musercode, insname: `${name} 中学` }),
    ),
  );
  const [yucai, mingde, bowen] = schools.map((school) => school.musercode) as [string, string, string];
  await Promise.all([yucai, mingde].map((musercode) => as('super')(grantMUserAssessCount, { musercode, qty: 50 })));
  await agree(server);

  const { pupils } = await addClass(server, { teamname: '初二1班', names: ['赵一', '钱二', '孙三'] });
  await as('chen')(deleteCUser, { cuserids: [pupils[0]?.cuserid ?? ''] });
  const staff = await as('ma')(insertUser, { sysusername: 'linfang', realname: '林芳', roleids: [] });
  await agree(server);
  await as('ma')(deleteUserById, { userid: staff.userid });
  await agree(server);

  // Moved with its wallet, closed, opened again, deleted.
  await as('super')(updateMUserCategory, { musercode: yucai, parentmusercode: 'M_ANLAN' });
  await agree(server);
  await as('super')(updateMUserCategory, { musercode: far.musercode, parentmusercode: 'M_ANLAN' });
  await agree(server);
  await as('super')(enableMuser, { musercode: mingde, enabled: 0, reason: '合同到期' });
  await as('super')(deleteMUser, { musercode: bowen });
  await agree(server);
});

test('lists say how many institutions there are by what is kept, and by counting where they are searched', async () => {
  const server = await startServer();
  const { as } = server;
  await Promise.all(['yucai', 'mingde'].map((name) => open(server, 'fang', name, { insname: `${name} 中学` })));
  await open(server, 'fang', 'renhe', { musertype: '004', sector: 'health', insname: '仁和医院' });
  for (const who of ['super', 'fang'] as const)
    for (const filters of [
      {},
      { musertypes: ['005'] },
      { musertype: '004', sector: 'health' },
      { enabled: 1 },
      { musertypes: ['002'] },
    ] as const) {
      const asked = { ...filters, pageSize: 100 } as never;
      const all = await as(who)(getMUserPageList, asked);
      expect([who, filters, all.total]).toEqual([who, filters, all.rows.length]);
      // A name nobody lacks: the same question, counted.
      const searched = await as(who)(getMUserPageList, { ...(asked as object), keyword: '中学' });
      expect([who, filters, searched.total]).toEqual([
        who,
        filters,
        all.rows.filter((row) => row.insname.includes('中学')).length,
      ]);
    }
  expect(await as('fang')(getMUserPageList, { page: 7 })).toMatchObject({
    total: (await as('fang')(getMUserPageList, {})).total,
    rows: [],
  });
});

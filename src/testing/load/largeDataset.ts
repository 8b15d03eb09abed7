import pg from 'pg';
import { asOwner, asRole, type Target } from '#server/db/roles.ts';
import { asPlatformOwner } from '#testing/load/respondents.ts';

/** The numbers of rows that `prepareLargeDataset` creates. */
export interface Size {
  providers: number;
  institutionsEach: number;
  staffEach: number;
  personsEach: number;
}

/**
 * Fills a database with the data of a country: providers under the platform, and institutions under each provider.
 * Each institution has staff, persons, and one year of ledger lines and audit rows (40 each).
 * It writes the rows directly, because the tests measure only reading.
 */
export async function prepareLargeDataset(target: Target, size: Size): Promise<void> {
  const total = size.providers * size.institutionsEach;
  await asPlatformOwner(target, async (owner) => {
    await addInstitutions(owner, size);
    await owner.query(
      `insert into sysuser (userid, musercode, sysusername, realname, phonenumber, duty)
       select 'N' || lpad(n::text, 6, '0') || '_' || k, 'N' || lpad(n::text, 6, '0'), 'n' || n || '_' || k,
         substr('王李张刘陈杨黄赵周吴', (n + k) % 10 + 1, 1) || substr('静怡敏然远洁晨曦宁安', (n * 7 + k) % 10 + 1, 1),
         '138' || lpad((n * 10 + k)::text, 8, '0'), (k = 1)::int
       from generate_series(1, $1::int) n, generate_series(1, $2::int) k`,
      [total, size.staffEach],
    );
    await owner.query(
      `insert into sysuserrole (userid, roleid, musercode)
       select userid, (select roleid from role where rolekey = 'psychologist'), musercode
       from sysuser where userid like 'N%'`,
    );
    await owner.query(
      `insert into cuser (cuserid, musercode, appid, username, gender, birthday)
       select 'NC' || n || '_' || k, 'N' || lpad(n::text, 6, '0'), '000000002', '学生' || n || '_' || k, case k % 2
         when 0 then '01' else '02' end, '2010-01-01'
       from generate_series(1, $1::int) n, generate_series(1, $2::int) k`,
      [total, size.personsEach],
    );
    await addCounts(owner, size);
  });
  // Only a role of the server can add rows to the audit log, not even the owner.
  await withClient(asRole(target, 'xinli_app'), async (client) => {
    await client.query(
      `insert into audit.log (time, musercode, accountid, action, title, kind, ip)
       select now() - random() * interval '1 year' as time, 'N' || lpad(n::text, 6, '0'), 'N' || lpad(n::text, 6,
         '0'), 'as.m.user.login', '登录', 'write', '10.0.0.1'
       from generate_series(1, $1::int) n, generate_series(1, 40) order by time`,
      [total],
    );
  });
  await asPlatformOwner(target, (owner) => owner.query('update auth.account set mustchangepwd = 0'));
  // Autovacuum does this on a real server: it updates the statistics and the visibility map.
  await withClient(asOwner(target), (client) => client.query('vacuum analyze'));
}

async function withClient(config: pg.ClientConfig, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client(config);
  await client.connect();
  await client.query("set statement_timeout = '10min'");
  await work(client);
  await client.end();
}

/** Adds providers `NP0001…` under the platform, and under them institutions `N000001…`, schools and hospitals in turn. */
async function addInstitutions(owner: pg.Client, { providers, institutionsEach }: Size): Promise<void> {
  const columns =
    'musercode, orgpath, username, musertype, insname, shortname, sector, parentmusercode, categorycode, categorylevel,' +
    ' categorycode0, categorycode1, categorycode2, provincecode, citycode, districtcode, codes';
  await owner.query(
    `insert into muser (${columns})
     select 'NP' || lpad(p::text, 4, '0'), m.orgpath || 'NP' || lpad(p::text, 4, '0') || '.', 'np' || p, '002',
       '服务商' || p, '服务商' || p, 'platform', m.musercode, 'NP' || lpad(p::text, 4, '0'), 1,
       m.musercode, 'NP' || lpad(p::text, 4, '0'), '', '330000', '330100', '330106', '{}'
     from generate_series(1, $1::int) p, muser m where m.musertype = '001'`,
    [providers],
  );
  await owner.query(
    `insert into muser (${columns})
     select i.code, p.orgpath || i.code || '.', lower(i.code), case n % 2 when 0 then '005'
       else '004' end, '第' || n || case n % 2 when 0 then '中学' else '医院' end, '机构' || n,
       case n % 2 when 0 then 'edu' else 'health' end, p.musercode, i.code, 2, p.categorycode0, p.musercode, i.code,
       '330000', '330100', '330106', '{}'
     from generate_series(1, $1::int) n, lateral (select 'N' || lpad(n::text, 6, '0') as code) i, muser p
     where p.musercode = 'NP' || lpad(((n - 1) / $2::int + 1)::text, 4, '0')`,
    [providers * institutionsEach, institutionsEach],
  );
}

/** Adds the ledger lines of providers and institutions, forty for each institution in the order of time, and the wallets. */
async function addCounts(owner: pg.Client, { institutionsEach, personsEach }: Size): Promise<void> {
  await owner.query(
    `insert into assesscountlog (musercode, plancode, forplan, cuserid, partycode, operator, kind, qty, balance, time)
     with grants as (
       select m.musercode, substr(m.musercode, 2)::int as n, m.parentmusercode as provider,
         now() - interval '1 year' + random() * interval '8 days' as time
       from muser m where m.musercode ~ '^N[0-9]+$'),
     lines as (
       -- The platform grants counts to the provider, which grants them to its institutions.
       select musercode, null as forplan, null as cuserid, null as partycode, 'AS000001' as operator, '01' as kind,
         2000 * $1::int as qty, now() - interval '366 days' as time
         from muser where musercode like 'NP%'
       union all select provider, null, null, musercode, provider, '01', -1000, time from grants
       union all select musercode, null, null, provider, provider, '01', 1000, time from grants
       -- Twenty counts for each of 22 persons: fifteen use them, two lose them again, five have not started.
       union all select g.musercode, 'P900002', 'NC' || g.n || '_' || (p - 1) % $2::int + 1, null, case kind
       when '04' then null else g.musercode || '_1' end, kind, qty,
           g.time + (l * 8.9 + random() * 8) * interval '1 day'
         from grants g, generate_series(1, 39) l,
           lateral (select case when l <= 34 then (l + 1) / 2 else l - 17 end as p, case when l > 34
           or l % 2 = 1 then '03' when l <= 30 then '04' else '05' end as kind) w,
           lateral (select case kind when '05' then 20 else -20 end as qty) q)
     select musercode, '*', forplan, cuserid, partycode, operator, kind, qty,
       -- Used counts were frozen before, so the free counts do not change.
       coalesce(sum(qty) filter (where kind <> '04') over (partition by musercode order by time), 0), time
     from lines order by time`,
    [institutionsEach, personsEach],
  );
  await owner.query(
    `insert into assesscount (musercode, plancode, granted, used, frozen)
     select musercode, plancode, coalesce(sum(qty) filter (where kind = '01'), 0), coalesce(-sum(qty) filter (where kind = '04'), 0),
       coalesce(-sum(qty) filter (where kind in ('03', '05')), 0) + coalesce(sum(qty) filter (where kind = '04'), 0)
     from assesscountlog where musercode like 'N%' group by 1, 2`,
  );
}

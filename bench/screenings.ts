import { asPlatformOwner } from '#testing/load/respondents.ts';
import type { Target } from '#server/db/roles.ts';

/** The terms in which everybody was screened: the task's window and the year and term that it counts in. */
const TERMS = [
  { no: 1, year: '2025-2026', term: '2', begin: '2026-03-02' },
  { no: 2, year: '2026-2027', term: '1', begin: '2026-09-07' },
] as const;

/**
 * Writes a screening with PHQ-9 and GAD-7 in two terms for every person of 晨光中学 and of the institutions `N…`: twelve classes in three
 * grades, nine persons in ten handed in, one sheet in thirty is invalid. Two results a sheet. It writes rows, because the bench only reads.
 */
export async function prepareScreenings(target: Target): Promise<void> {
  await asPlatformOwner(target, async (owner) => {
    await owner.query("set local statement_timeout = '15min'");
    await owner.query(
      `create temporary table chosen on commit drop as
       select c.cuserid, c.musercode, c.gender, c.musercode || '_B' || class as teamcode, 'J' || grade as gradecode,
         '初' || substr('一二三', grade, 1) as gradename, (class - 1) % 4 + 1 || '班' as classname, n
       from (select *, row_number() over (partition by musercode order by cuserid) as n from cuser
         where musercode = 'M_CHENGUANG' or musercode like 'N0%') c,
         lateral (select (c.n % 12 + 1)::int as class) a, lateral (select (class - 1) / 4 + 1 as grade) b`,
    );
    await owner.query(
      `insert into assessteam (teamcode, musercode, teamname, appid, year, gradecode, gradename, classname)
       select distinct teamcode, musercode, gradename || classname, '000000002', '2026-2027', gradecode, gradename, classname from chosen`,
    );
    for (const { no, year, term, begin } of TERMS) {
      await owner.query(
        `insert into assesstask (taskcode, musercode, taskname, appid, plancode, year, term, begintime, endtime, status)
         select distinct 'TS' || $1 || musercode, musercode, '普测', '000000002', 'P900002', $2, $3, $4::timestamptz,
           $4::timestamptz + interval '14 days', 2 from chosen`,
        [no, year, term, begin],
      );
      await owner.query(
        `insert into taskroster (taskcode, cuserid, teamcode, musercode, status, reason)
         select 'TS' || $1 || musercode, cuserid, teamcode, musercode, case when n % 10 > 0 then 2 when n % 20 = 0 then 3 else 0 end,
           case when n % 20 = 0 then '请假' end from chosen`,
        [no],
      );
      await owner.query(
        `insert into examrecord (examcode, musercode, cuserid, appid, plancode, taskcode, teamcode, status, starttime, submittime,
           duration, valid, overalllevel, mentalstate, hasalert, alertlevel, isabnormal, age, gender, gradecode, gradename, classname)
         select 'EB' || $1 || cuserid, musercode, cuserid, '000000002', 'P900002', 'TS' || $1 || musercode, teamcode, 2,
           time - interval '6 minutes', time, 360, (n % 30 > 0)::int, level, 0, (n % 40 = 1)::int, case when n % 40 = 1 then 3 else 0 end,
           (level >= 2 or n % 40 = 1)::int, 14, gender, gradecode, gradename, classname
         from chosen, lateral (select case when random() < 0.6 then 0 else (random() * 4)::int end as level,
           $2::timestamptz + random() * interval '14 days' + n * interval '0' as time) made
         where n % 10 > 0`,
        [no, begin],
      );
      await owner.query(
        `insert into examform (examcode, musercode, cuserid, formcode, formversion, ordernum, status, submittime, valid, overalllevel, raw)
         select e.examcode, e.musercode, e.cuserid, f.formcode, f.currentversion, row_number() over (partition by e.examcode), 2,
           e.submittime, 1, e.overalllevel, '{}'
         from examrecord e, form f where e.examcode like 'EB' || $1 || '%' and f.formcode in ('PHQ9', 'GAD7')`,
        [no],
      );
    }
    await owner.query(
      `insert into examresult (examformid, quotacode, examcode, musercode, cuserid, score, level, levelname, missing, domain, isprimary,
         submittime)
       select x.examformid, q.quotacode, x.examcode, x.musercode, x.cuserid, 9, x.overalllevel, '', 0, q.domain, 1, x.submittime
       from examform x join lateral (
         select quotacode, domain from quota where formcode = x.formcode and domain in ('01', '02') order by quotacode limit 1) q on true
       where x.examcode like 'EB%'`,
    );
  });
}

import { asPlatformOwner } from '#testing/load/respondents.ts';
import type { Target } from '#server/db/roles.ts';

/**
 * Writes exams and cases as rows for the list bench. One in `every` persons has an exam with PHQ-9 and a report.
 * One in `casesIn` exams has a case; two thirds of the cases are closed. `persons` is a condition on `cuser c`.
 */
export async function prepareCaseload(target: Target, persons: string, every: number, casesIn: number): Promise<void> {
  await asPlatformOwner(target, async (owner) => {
    await owner.query("set local statement_timeout = '15min'");
    await owner.query(
      `create temporary table chosen on commit drop as
       select c.cuserid, c.musercode, c.appid, c.gender, row_number() over (order by c.cuserid) as n,
         now() - random() * interval '90 days' as time
       from cuser c
       where ${persons} and abs(hashtext(c.cuserid)) % $1 = 0`,
      [every],
    );
    await owner.query(
      `insert into examrecord (musercode, cuserid, appid, plancode, status, starttime, submittime, duration, valid,
         overalllevel, mentalstate, hasalert, alertlevel, isabnormal, age, gender)
       select musercode, cuserid, appid, 'P900002', 2, time - interval '6 minutes', time, 360, 1, n % 5, n % 3,
         (n % 40 = 0)::int, case when n % 40 = 0 then 3 else 0 end, (n % 5 > 2)::int, 14, gender
       from chosen`,
    );
    await owner.query(
      `insert into examform (examcode, musercode, cuserid, formcode, formversion, ordernum, status, submittime,
         valid, overalllevel, raw)
       select e.examcode, e.musercode, e.cuserid, 'PHQ9',
         (select currentversion from form where formcode = 'PHQ9'), 1, 2, e.submittime,
         1, e.overalllevel, '{"scores": {"total": 9}, "levels": {"total": 2}, "labels": {"total": "轻度"}, "itemscores": {"q9": 1}}'
       from examrecord e join chosen using (cuserid)`,
    );
    await owner.query(
      `insert into examresult (examformid, quotacode, examcode, musercode, cuserid, score, level, levelname, missing,
         domain, isprimary, submittime)
       select f.examformid, (select quotacode from quota where formcode = 'PHQ9' order by quotacode limit 1),
         f.examcode, f.musercode, f.cuserid, 9, f.overalllevel, '轻度', 0, '01', 1, f.submittime
       from examform f join chosen using (cuserid)`,
    );
    await owner.query(
      `insert into report (examcode, cuserid, musercode, appid, title, content, selfcontent, overalllevel, isshow,
         createtime, updatetime)
       select e.examcode, e.cuserid, e.musercode, e.appid, '测评报告', '{}', '{}', e.overalllevel, 0,
         e.submittime, e.submittime
       from examrecord e join chosen using (cuserid)`,
    );
    await owner.query(
      `insert into warning (musercode, cuserid, appid, examcode, level, initiallevel, peaklevel,
         state, stateat, raisedtime, accepttime,
         acceptduetime, assessduetime, newstime, nextdue, nextduekind, createtime, updatetime)
       select e.musercode, e.cuserid, e.appid, e.examcode, 1 + n % 4, 1 + n % 4, 1 + n % 4,
         (array['01', '03', '05', '07', '07', '07', '08', '07', '07'])[1 + n % 9],
         e.submittime, e.submittime, case when n % 9 > 0 then e.submittime + interval '1 hour' end,
         e.submittime + interval '1 day', e.submittime + interval '2 days', e.submittime,
         case when n % 9 < 3 then e.submittime + interval '1 day' * (1 + n % 14) end,
         case when n % 9 < 3 then (array['accept', 'assess', 'follow'])[1 + n % 9] end,
         e.submittime, e.submittime
       from examrecord e join chosen using (cuserid)
       where n % $1 = 0`,
      [casesIn],
    );
  });
}

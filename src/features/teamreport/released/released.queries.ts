import { sql } from 'kysely';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { periodOf, STUDENTS, type Period } from '#domain/release/period.ts';
import type { Scope, StatsScope } from '#server/db/scope.ts';

/** A report that an institution shows to the authority: which institution, and which period it is about. */
export interface ShownReport extends Period {
  teamreportcode: string;
  musercode: string;
  insname: string;
}

/** The reports of a population that institutions of the region show, the latest of each institution and period. */
export async function findShownReports({ db }: StatsScope, appid: string): Promise<ShownReport[]> {
  const { rows } = await sql<{
    teamreportcode: string;
    musercode: string;
    insname: string;
    year: string;
    term: string;
    day: Date;
  }>`
    select r.teamreportcode, r.musercode, m.insname, coalesce(nullif(r.scope ->> 'year', ''), t.year, '') as year,
      coalesce(nullif(r.scope ->> 'term', ''), t.term, '') as term,
      coalesce((r.scope ->> 'enddate')::date::timestamptz, t.begintime, r.datatime) as day
    from teamreport r join muser m using (musercode) left join assesstask t on t.taskcode = r.scope ->> 'taskcode'
    where r.appid = ${appid} and r.isshow = 1 and r.isdeleted = 0
    order by r.updatetime desc, r.teamreportcode desc`.execute(db);
  const found = new Map<string, ShownReport>();
  for (const { teamreportcode, musercode, insname, day, ...named } of rows) {
    const isTerm = appid === STUDENTS && named.year !== '' && named.term !== '';
    const period = isTerm ? { year: named.year, term: named.term } : periodOf(appid, shanghaiDate(day));
    const key = `${musercode} ${period.year} ${period.term}`;
    if (!found.has(key)) found.set(key, { ...period, teamreportcode, musercode, insname });
  }
  return [...found.values()];
}

/** The name of the authority. */
export const findOwnName = async (scope: Scope, musercode: string): Promise<string> =>
  (await scope.db.selectFrom('muser').select('insname').where('musercode', '=', musercode).executeTakeFirst())?.insname ?? '';

import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import type { DutyPerson } from '#features/consent/guardian/guardianFacts.ts';

/** The persons who can take part in a new or a running task. */

export interface Candidate extends DutyPerson {
  cuserid: string;
  username: string;
  enabled: number;
  musercode: string;
  teamcode: string | null;
  teamname: string;
  consented: boolean;
  /** the guardian's answer: 1 agreed, 2 refused; null without one */
  guardianstatus: number | null;
}

/**
 * Finds the persons of these teams and these single persons, each of them once. A member of a team comes with the first of these
 * teams; a single person comes with the latest team.
 */
export const findCandidates = async (
  scope: Scope,
  teamcodes: readonly string[],
  cuserids: readonly string[],
): Promise<Candidate[]> =>
  (
    await sql<Candidate>`
      with chosen as (
        select r.cuserid, r.teamcode, array_position(${[...teamcodes]}::text[], r.teamcode) as rank
        from teamroster r
        where r.teamcode = any(${[...teamcodes]}::text[]) and r.status = 1
        union all
        select p.cuserid,
          (select r.teamcode
            from teamroster r join assessteam t on t.teamcode = r.teamcode
            where r.cuserid = p.cuserid and r.status = 1 and t.isdeleted = 0
            order by t.year desc nulls last, t.teamtype, t.teamcode limit 1),
          100000
        from unnest(${[...cuserids]}::text[]) p(cuserid)),
      once as (select distinct on (cuserid) cuserid, teamcode, rank from chosen order by cuserid, rank)
      select c.cuserid, c.username, c.birthday, c.enabled, c.musercode, o.teamcode, coalesce(t.teamname, '') as teamname,
        exists (select from consent k
          where k.cuserid = c.cuserid and k.scope = '01' and k.agreed = 1 and k.withdrawtime is null) as consented,
        c.appid, c.source, a.eduphase, g.status as guardianstatus
      from once o
        join cuser c on c.cuserid = o.cuserid and c.isdeleted = 0
        left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
        left join guardianconsent g on g.cuserid = c.cuserid
        left join assessteam t on t.teamcode = o.teamcode
      order by o.rank, c.pinyin, c.cuserid`.execute(scope.db)
  ).rows;

import { sql } from 'kysely';

/**
 * SQL: the last service of a person `c`: the last sheet, consultation, follow-up, intervention, closing of a case or of the archive. Null
 * for a person without any.
 */
export const lastService = sql<Date | null>`greatest(
  (select max(coalesce(e.submittime, e.starttime)) from examrecord e where e.cuserid = c.cuserid),
  (select max(k.updatetime) from consult k where k.cuserid = c.cuserid and k.isdeleted = 0),
  (select max(f.donetime) from followup f where f.cuserid = c.cuserid and f.isdeleted = 0),
  (select max(i.begintime) from interfere i where i.cuserid = c.cuserid and i.isdeleted = 0),
  (select max(w.closetime) from warning w where w.cuserid = c.cuserid and w.isdeleted = 0),
  (select max(a.closedate) from cuserarchive a where a.cuserid = c.cuserid and a.isdeleted = 0)::timestamp at time zone 'Asia/Shanghai')`;

import { sql } from 'kysely';
import type { ChainLine, WitnessLine } from '#domain/reconcile/compareCase.ts';
import type { Scope } from '#server/db/scope.ts';
import { PAGE_SIZE } from '#features/warning/reconcile/sheets.queries.ts';

/** A case with its row, its log and the copies of its log, read in one statement. */
export interface CaseRow {
  warningcode: string;
  cuserid: string;
  exists: boolean;
  state: string | null;
  level: number | null;
  owneruserid: string | null;
  isdeleted: number | null;
  witness: WitnessLine[];
  /** each line with the bytes of its columns as they are stored, in base64 */
  lines: (Omit<ChainLine, 'isGenuine' | 'time'> & { text: string; time: string })[] | null;
  lastnotice: Date | null;
}

/**
 * A page of the cases of an institution after `cursor`: all cases that are open by their log, and those whose log ended at `since` or
 * later. `withLines` also reads the log of cases without a change since then. One statement sees one moment.
 */
export async function findCases(
  scope: Scope,
  musercode: string,
  { since, withLines }: { since: Date; withLines: boolean },
  cursor: string,
): Promise<CaseRow[]> {
  const { rows } = await sql<CaseRow>`
    with page as (
      select s.warningcode, (array_agg(s.cuserid order by s.seq))[1] as cuserid, max(s.time) as time,
        jsonb_agg(jsonb_build_object('seq', s.seq, 'hash', s.hash, 'state', s.state, 'level', s.level,
          'owneruserid', s.owneruserid) order by s.seq) as witness
      from casewitness s
      where s.musercode = ${musercode} and s.warningcode > ${cursor}
      group by s.warningcode
      having coalesce((array_agg(s.state order by s.seq desc) filter (where s.state is not null))[1], '') not in ('07', '08')
        or max(s.time) >= ${since}
      order by s.warningcode
      limit ${PAGE_SIZE})
    select p.warningcode, coalesce(w.cuserid, c.mergedinto, p.cuserid) as cuserid, p.witness,
      w.warningcode is not null as exists, w.state, w.level, w.owneruserid, w.isdeleted,
      case when ${withLines} or p.time >= ${since} then coalesce((
        select jsonb_agg(jsonb_build_object(
          'seq', l.seq, 'prevhash', l.prevhash, 'hash', l.hash, 'fromstate', l.fromstate, 'tostate', l.tostate,
          'fromlevel', l.fromlevel, 'tolevel', l.tolevel, 'owneruserid', l.owneruserid, 'time', l.time,
          'trigger', case when l.detail ? 'trigger' then jsonb_build_object(
            'level', l.detail->'trigger'->'level', 'alerts', coalesce(l.detail->'trigger'->'alerts', '[]')) end,
          -- As access.caselog_hash, with the sealed texts.
          'text', encode(convert_to(jsonb_build_array(
            l.prevhash, l.warningcode, l.seq, l.cuserid, l.musercode, l.action, l.fromstate, l.tostate, l.fromlevel, l.tolevel,
            l.content, l.attach, l.contactresult, l.detail, l.operator, l.operatorname, l.owneruserid,
            (extract(epoch from l.time) * 1000000)::bigint)::text, 'UTF8'), 'base64')) order by l.seq)
        from warninglog l
        where l.warningcode = p.warningcode), '[]') end as lines,
      greatest(n.time, g.time) as lastnotice
    from page p
      left join warning w on w.warningcode = p.warningcode
      -- The log keeps the code of a record that was merged into another one.
      left join cuser c on c.cuserid = p.cuserid
      left join (
        select x.link, max(x.createtime) as time
        from notification x
        where x.musercode = ${musercode} and x.createtime >= ${since} and x.link like '/earlyWarning/case/%'
        group by x.link) n on n.link = '/earlyWarning/case/' || p.warningcode
      left join (
        select d.raisedcode, max(d.foundtime) as time
        from reconcilediff d
        where d.musercode = ${musercode} and d.foundtime >= ${since} and exists (
          select from notification x
          where x.musercode = ${musercode} and x.createtime = d.foundtime and x.dedupekey like 'reconcile:gap:%')
        group by d.raisedcode) g on g.raisedcode = p.warningcode
    order by p.warningcode`.execute(scope.db);
  return rows;
}

/** Cases without any copy of their log, and notices of new cases whose case and log are gone. Both mean that rows were removed. */
export async function findUnloggedCases(
  scope: Scope,
  musercode: string,
  since: Date,
): Promise<{ warningcode: string; cuserid: string | null; level: number | null; exists: boolean }[]> {
  const { rows } = await sql<{ warningcode: string; cuserid: string | null; level: number | null; exists: boolean }>`
    select w.warningcode, w.cuserid, w.level::int as level, true as exists
    from warning w
    where w.musercode = ${musercode} and (w.state not in ('07', '08') or w.createtime >= ${since})
      and not exists (select from casewitness s where s.warningcode = w.warningcode)
    union all
    select o.refcode, null, max((o.payload->>'level')::int), false
    from outbox o
    where o.musercode = ${musercode} and o.kind = 'warning' and o.createtime >= ${since}
      and not exists (select from warning w where w.warningcode = o.refcode)
      and not exists (select from casewitness s where s.warningcode = o.refcode)
    group by o.refcode
    order by 1`.execute(scope.db);
  return rows;
}

/** A person as opening a case needs it; undefined when the person is gone. */
export const findPerson = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('cuser as c')
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .select(['c.cuserid', 'c.username', 'c.musercode', 'c.appid', 'c.birthday', 'm.sector'])
    .where('c.cuserid', '=', cuserid)
    .executeTakeFirst();

/** The open case of a person, when its level is at least `level`; undefined without one. */
export const findOpenCase = (scope: Scope, cuserid: string, level: number) =>
  scope.db
    .selectFrom('warning')
    .select(['warningcode', 'owneruserid'])
    .where('cuserid', '=', cuserid)
    .where('state', 'not in', ['07', '08'])
    .where('isdeleted', '=', 0)
    .where('level', '>=', level)
    .executeTakeFirst();

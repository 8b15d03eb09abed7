import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { versionsOf } from '#features/plan/lineage/planRoot.queries.ts';

/** A version of a plan with the content that never changes once it was used. */
export interface StoredVersion {
  plancode: string;
  lineageno: number;
  supersededby: string | null;
  authorname: string | null;
  createtime: Date;
  retestdays: number | null;
  reportmode: string;
  templatename: string | null;
  usedcount: number;
  forms: { formcode: string; formname: string; required: number; stagecode: string; stagename: string | null }[];
  stages: { stagecode: string; stagename: string }[];
}

/** Returns the versions of a plan, the first one first. */
export const findVersions = async (scope: Scope, plancode: string): Promise<StoredVersion[]> =>
  (
    await sql<StoredVersion>`
      with s as (select appid, stagecode, min(stagename) as stagename from examstage group by 1, 2)
      select p.plancode, p.lineageno, p.supersededby, p.authorname, p.createtime, p.retestdays, p.reportmode, t.templatename,
        (select count(*) from cuserplan x where x.plancode = p.plancode)::int as usedcount,
        coalesce((
          select jsonb_agg(jsonb_build_object('formcode', f.formcode, 'formname', f.formname, 'required', pf.required,
            'stagecode', pf.stagecode, 'stagename', s.stagename) order by pf.ordernum)
          from planform pf
            join form f on f.formcode = pf.formcode
            left join s on s.appid = p.appid and s.stagecode = pf.stagecode
          where pf.plancode = p.plancode), '[]') as forms,
        coalesce((
          select jsonb_agg(jsonb_build_object('stagecode', ps.stagecode, 'stagename', coalesce(s.stagename, ps.stagecode))
            order by ps.ordernum)
          from planstage ps
            left join s on s.appid = p.appid and s.stagecode = ps.stagecode
          where ps.plancode = p.plancode), '[]') as stages
      from plan p
        left join reporttemplate t on t.templatecode = p.reporttemplatecode
      where p.plancode in ${versionsOf(plancode)} and p.isdeleted = 0
      order by p.lineageno`.execute(scope.db)
  ).rows;

/** SQL: an authorization `g` outside tasks that nobody has used or begun. */
const isUnused = sql`g.taskcode is null and g.status = 1 and g.used = 0
  and not exists (select from examrecord e where e.cuserplanid = g.cuserplanid)`;

/** Counts what a new version leaves behind: unused authorizations and codes, and tasks that are planned or running. */
export const countOpenUses = async (scope: Scope, plancode: string): Promise<{ movable: number; tasks: number }> => {
  const { rows } = await sql<{ movable: number; tasks: number }>`
    select ((select count(*) from cuserplan g where g.plancode in ${versionsOf(plancode)} and ${isUnused})
        + (select count(*) from assesscode c where c.plancode in ${versionsOf(plancode)} and c.status = 0))::int as movable,
      (select count(*) from assesstask t
        where t.plancode in ${versionsOf(plancode)} and t.status in (0, 1) and t.isdeleted = 0)::int as tasks`.execute(scope.db);
  return rows[0] ?? { movable: 0, tasks: 0 };
};

/** Moves the unused authorizations and codes of a lineage to its newest version, and returns their number. Their wallet stays. */
export async function moveGrants(scope: Scope, from: string, to: string): Promise<number> {
  const grants = await sql`
    with moved as (
      select distinct on (g.cuserid, g.stagecode) g.cuserplanid from cuserplan g
      where g.plancode in ${versionsOf(from)} and ${isUnused}
      order by g.cuserid, g.stagecode, g.cuserplanid)
    update cuserplan g set plancode = ${to} from moved m where g.cuserplanid = m.cuserplanid returning g.cuserplanid`.execute(
    scope.db,
  );
  const codes = await sql`
    update assesscode c set plancode = ${to} where c.plancode in ${versionsOf(from)} and c.status = 0 returning c.code`.execute(
    scope.db,
  );
  return grants.rows.length + codes.rows.length;
}

/** Marks a version as replaced. Returns undefined when another version has replaced it already. */
export const supersede = (scope: Scope, plancode: string, next: string) =>
  scope.db
    .updateTable('plan')
    .set({ supersededby: next, updatetime: sql<Date>`now()` })
    .where('plancode', '=', plancode)
    .where('supersededby', 'is', null)
    .where('isdeleted', '=', 0)
    .returning('plancode')
    .executeTakeFirst();

/** Makes the version before a deleted one the newest again. */
export const restoreVersionBefore = (scope: Scope, plancode: string) =>
  scope.db.updateTable('plan').set({ supersededby: null }).where('supersededby', '=', plancode).execute();

/** Returns the newest version of a plan; the code itself when the caller sees none. */
export const findNewestVersion = async (scope: Scope, plancode: string): Promise<string> => {
  const { rows } = await sql<{ plancode: string }>`
    select p.plancode from plan p
    where p.plancode in ${versionsOf(plancode)} and p.isdeleted = 0
    order by p.lineageno desc limit 1`.execute(scope.db);
  return rows[0]?.plancode ?? plancode;
};

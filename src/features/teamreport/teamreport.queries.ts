import { sql, type SqlBool } from 'kysely';
import type { AiText } from '#domain/report/ai/checkAiText.ts';
import type { TeamAiFacts } from '#domain/teamreport/ai/teamAiFacts.ts';
import type { TeamReportContent } from '#domain/teamreport/teamreport.content.ts';
import type { ScopeKind } from '#domain/teamreport/teamreport.facts.ts';
import { paginate, toLikePattern, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { TeamScope } from '#features/teamreport/teamreport.contract.ts';

export const findTask = (scope: Scope, taskcode: string) =>
  scope.db
    .selectFrom('assesstask')
    .select(['musercode', 'appid', 'taskname'])
    .where('taskcode', '=', taskcode)
    .where('isdeleted', '=', 0)
    .where('status', 'in', [1, 2])
    .executeTakeFirst();

/** The teams with these codes, in school order, with their owners. */
export const findTeams = (scope: Scope, teamcodes: readonly string[]) =>
  scope.db
    .selectFrom('assessteam as g')
    .leftJoin('sysuser as u', 'u.userid', 'g.owneruserid')
    .select(['g.teamcode', 'g.teamname', 'g.musercode', 'g.appid', 'g.showreport', 'u.realname as ownername'])
    .where(sql<SqlBool>`g.teamcode = any(${[...teamcodes]}::text[])`)
    .where('g.isdeleted', '=', 0)
    .orderBy('g.sortname')
    .execute();

export const findInstitution = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muser')
    .select(['insname', 'sector', 'abnormalminlevel'])
    .where('musercode', '=', musercode)
    .where('musertype', 'in', ['004', '005'])
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/** The populations of an institution. */
export const findAppids = async (scope: Scope, musercode: string): Promise<string[]> =>
  (
    await scope.db
      .selectFrom('muserapp')
      .select('appid')
      .where('musercode', '=', musercode)
      .where('enabled', '=', 1)
      .where('appid', '<>', '000000005')
      .execute()
  ).map(({ appid }) => appid);

interface Snapshot {
  content: TeamReportContent;
  /** for the AI provider; undefined with few results */
  aifacts: TeamAiFacts | undefined;
  fingerprint: string;
  teamcodes: readonly string[];
  title: string;
  datatime: Date;
  createby: string;
  createname: string;
}

/** Adds a report. Returns its code. */
export async function addReport(
  scope: Scope,
  { content, aifacts, teamcodes, ...row }: Snapshot & { musercode: string; appid: string; scope: TeamScope },
): Promise<string> {
  const { teamreportcode } = await scope.db
    .insertInto('teamreport')
    .values({
      ...row,
      scope: JSON.stringify(row.scope),
      content: JSON.stringify(content),
      aifacts: aifacts ? JSON.stringify(aifacts) : null,
      teamcodes: [...teamcodes],
      createtime: row.datatime,
      updatetime: row.datatime,
    })
    .returning('teamreportcode')
    .executeTakeFirstOrThrow();
  return teamreportcode;
}

/**
 * Stores the present snapshot of a report as a version and puts a new one in its place. Returns the number of the new version. The text
 * of the AI provider stays with its snapshot if it was reviewed.
 */
export async function renewReport(
  scope: Scope,
  teamreportcode: string,
  { content, aifacts, teamcodes, ...row }: Snapshot,
): Promise<number> {
  await sql`insert into teamreportversion (teamreportcode, version, musercode, content, datatime, createby, createname, time, aicontent)
    select teamreportcode, version, musercode, content, datatime, createby, createname, ${row.datatime},
      case when aistatus = 3 then aicontent end
    from teamreport where teamreportcode = ${teamreportcode}`.execute(scope.db);
  const { version } = await scope.db
    .updateTable('teamreport')
    .set({
      ...row,
      content: JSON.stringify(content),
      aifacts: aifacts ? JSON.stringify(aifacts) : null,
      ...{ aistatus: 0, aicontent: null, aimodel: null, aitime: null, aireviewby: null, aireviewname: null, aireviewtime: null },
      teamcodes: [...teamcodes],
      updatetime: row.datatime,
      version: sql<number>`version + 1`,
    })
    .where('teamreportcode', '=', teamreportcode)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Who reads: staff with the rights of reports, of these populations; others only what their institution has released. */
export interface Reader {
  appids: readonly string[] | null;
  isOwner: boolean;
}

/** The reports that the caller may read. Row-level security already limits class owners to released reports on their classes. */
const readable = ({ db }: Scope, { appids, isOwner }: Reader) => {
  let query = db.selectFrom('teamreport as r').innerJoin('muser as m', 'm.musercode', 'r.musercode').where('r.isdeleted', '=', 0);
  if (appids) query = query.where(sql<SqlBool>`r.appid = any(${[...appids]}::text[])`);
  if (isOwner)
    query = query
      .where(sql<SqlBool>`r.scope ->> 'kind' in ('task', 'teams', 'grade')`)
      .where(
        sql<SqlBool>`exists (select from assessteam g where g.teamcode = any(r.teamcodes) and g.showreport = 1 and g.isdeleted = 0)`,
      );
  return query;
};

const head = [
  'r.teamreportcode',
  'r.version',
  'r.title',
  'r.scope',
  'r.appid',
  'r.musercode',
  'm.insname',
  'r.datatime',
  'r.isshow',
  'r.createname',
  'r.createtime',
  'r.teamcodes',
  'r.aistatus',
  'r.aitime',
] as const;

/** The report with this code, or undefined. With `lock` a second handler waits until the transaction of the first has ended. */
export async function findReport(scope: Scope, teamreportcode: string, reader: Reader, lock = false) {
  const query = readable(scope, reader)
    .select([...head, 'r.content', 'r.fingerprint', 'r.aicontent', 'r.aireviewname'])
    .where('r.teamreportcode', '=', teamreportcode);
  const row = await (lock ? query.forUpdate('r') : query).executeTakeFirst();
  return (
    row && {
      ...row,
      scope: row.scope as unknown as TeamScope,
      content: row.content as unknown as TeamReportContent,
      aicontent: row.aicontent as AiText | null,
    }
  );
}

/** The earlier snapshots of a report, the newest first, without their content. */
export const findVersions = (scope: Scope, teamreportcode: string) =>
  scope.db
    .selectFrom('teamreportversion')
    .select(['version', 'datatime', 'createname'])
    .where('teamreportcode', '=', teamreportcode)
    .orderBy('version', 'desc')
    .execute();

export async function findVersion(scope: Scope, teamreportcode: string, version: number) {
  const row = await scope.db
    .selectFrom('teamreportversion')
    .select(['version', 'datatime', 'createname', 'content', 'aicontent'])
    .where('teamreportcode', '=', teamreportcode)
    .where('version', '=', version)
    .executeTakeFirst();
  return row && { ...row, content: row.content as unknown as TeamReportContent, aicontent: row.aicontent as AiText | null };
}

export interface ReportFilters extends Page {
  keyword?: string | undefined;
  kind?: ScopeKind | undefined;
  appid?: string | undefined;
  musercode?: string | undefined;
  taskcode?: string | undefined;
  teamcode?: string | undefined;
  aistatus?: number | undefined;
  orderby?: 'datatime' | 'createtime' | 'title' | undefined;
  isasc?: '0' | '1' | undefined;
}

/** A page of the reports that the caller may read. */
export async function findReports(scope: Scope, filters: ReportFilters, reader: Reader) {
  let query = readable(scope, reader);
  if (filters.keyword) query = query.where('r.title', 'like', toLikePattern(filters.keyword));
  if (filters.kind) query = query.where(sql<SqlBool>`r.scope ->> 'kind' = ${filters.kind}`);
  if (filters.appid) query = query.where('r.appid', '=', filters.appid);
  if (filters.musercode) query = query.where('r.musercode', '=', filters.musercode);
  if (filters.taskcode) query = query.where(sql<SqlBool>`r.scope ->> 'taskcode' = ${filters.taskcode}`);
  if (filters.teamcode) query = query.where(sql<SqlBool>`${filters.teamcode} = any(r.teamcodes)`);
  if (filters.aistatus !== undefined) query = query.where('r.aistatus', '=', filters.aistatus);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(head)
    .select(
      sql<number>`(select count(*)::int from assessteam g
        where g.teamcode = any(r.teamcodes) and g.showreport = 1 and g.isdeleted = 0)`.as('shown'),
    )
    .orderBy(`r.${filters.orderby ?? 'datatime'}`, filters.isasc === '1' ? 'asc' : 'desc')
    .orderBy('r.teamreportcode', 'desc')
    .$call(paginate(filters))
    .execute();
  return { total: Number(total), rows: rows.map((row) => ({ ...row, scope: row.scope as unknown as TeamScope })) };
}

/** Marks a report as deleted. Returns whether it existed. */
export const removeReport = async (scope: Scope, teamreportcode: string, now: Date): Promise<boolean> =>
  (
    await scope.db
      .updateTable('teamreport')
      .set({ isdeleted: 1, updatetime: now })
      .where('teamreportcode', '=', teamreportcode)
      .where('isdeleted', '=', 0)
      .returning('teamreportcode')
      .execute()
  ).length > 0;

/** Releases a report to the authority of the region, or takes it back. Returns whether the report exists. */
export const setShown = async (scope: Scope, teamreportcode: string, isshow: number, now: Date): Promise<boolean> =>
  (
    await scope.db
      .updateTable('teamreport')
      .set({ isshow, updatetime: now })
      .where('teamreportcode', '=', teamreportcode)
      .where('isdeleted', '=', 0)
      .returning('teamreportcode')
      .execute()
  ).length > 0;

import { sql } from 'kysely';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';
import { filterReports, type ReportFilters } from '#features/report/report.queries.ts';

/** A report to print with the facts of its file name. */
export interface PrintRow {
  reportcode: string;
  version: number;
  cuserid: string;
  username: string;
  /** student, staff or check-up number; '' without one */
  personno: string;
  appid: string;
  musercode: string;
  age: number | null;
  /** class, unit or community at the time of the test; '' without one */
  belongs: string;
  stagename: string;
}

/** The codes and persons of the reports that the filters find, the oldest first: new reports do not move the parts. */
export async function findReportKeys(
  scope: Scope,
  { reportcodes, ...filters }: ReportFilters & { reportcodes?: readonly string[] | undefined },
): Promise<{ reportcode: string; cuserid: string }[]> {
  let query = filterReports(scope, filters);
  if (reportcodes) query = query.where(sql<boolean>`r.reportcode = any(${[...reportcodes]}::text[])`);
  return query.select(['r.reportcode', 'r.cuserid']).orderBy('r.reportcode').execute();
}

/** The reports with these codes. */
export async function findPrintRows(scope: Scope, reportcodes: readonly string[]): Promise<PrintRow[]> {
  const { rows } = await sql<PrintRow>`
    select r.reportcode, r.version, r.cuserid, c.username, coalesce(a.studentno, a.employeeno, a.checkupno, '') as personno,
      r.appid, r.musercode, e.age, coalesce(nullif(concat_ws(' ', e.gradename, e.classname), ''), e.unitname, '') as belongs,
      coalesce((select s.stagename from examstage s where s.appid = e.appid and s.stagecode = e.stagecode
        order by s.isplatform limit 1), '') as stagename
    from report r join examrecord e on e.examcode = r.examcode join cuser c on c.cuserid = r.cuserid
      left join cuserarchive a on a.cuserid = e.cuserid and a.appid = e.appid and a.iscurrent = 1
    where r.reportcode = any(${[...reportcodes]}::text[])`.execute(scope.db);
  return rows;
}

/** The name, colour and logo of institutions. */
export async function findLetterheads(
  scope: Scope,
  musercodes: readonly string[],
): Promise<{ musercode: string; insname: string; themecolor: string | null; logopath: string | null }[]> {
  const { rows } = await sql<{ musercode: string; insname: string; themecolor: string | null; logopath: string | null }>`
    select m.musercode, m.insname, (select k.themecolor from muserclient k where k.musercode = m.musercode limit 1) as themecolor,
      (select f.path from fileobj f
        where f.refcode = 'logo:' || m.musercode and f.isdeleted = 0 limit 1) as logopath
    from muser m where m.musercode = any(${[...musercodes]}::text[])`.execute(scope.db);
  return rows;
}

/** The place of a picture in the storage; null when the caller has no such picture. */
export const findPicturePath = async (scope: Scope, fileid: string): Promise<string | null> =>
  (
    await scope.db
      .selectFrom('fileobj')
      .select('path')
      .where('fileid', '=', fileid)
      .where('biztype', '=', 'logo')
      .where('isdeleted', '=', 0)
      .executeTakeFirst()
  )?.path ?? null;

/** What a stranger may learn of a report: its institution, day and present version. */
export async function findGenuineReport(
  scope: Scope,
  reportcode: string,
): Promise<{ insname: string; createtime: Date; updatetime: Date; version: number; isdeleted: number } | undefined> {
  return scope.db
    .selectFrom('report as r')
    .innerJoin('muser as m', 'm.musercode', 'r.musercode')
    .select(['m.insname', 'r.createtime', 'r.updatetime', 'r.version', 'r.isdeleted'])
    .where('r.reportcode', '=', reportcode)
    .executeTakeFirst();
}

/** What a stranger may learn of a group report; it does not say what the report is about. */
export const findGenuineTeamReport = (scope: Scope, teamreportcode: string) =>
  scope.db
    .selectFrom('teamreport as r')
    .innerJoin('muser as m', 'm.musercode', 'r.musercode')
    .select(['m.insname', 'r.createtime', 'r.updatetime', 'r.version', 'r.isdeleted'])
    .where('r.teamreportcode', '=', teamreportcode)
    .executeTakeFirst();

/** The name with which an account signs in: of a member of staff, or of the institution's own account. */
export async function findLoginName(scope: Scope, { accountid, userid, musercode }: Staff): Promise<string> {
  const row = userid
    ? await scope.db.selectFrom('sysuser').select('sysusername as loginname').where('userid', '=', userid).executeTakeFirst()
    : await scope.db.selectFrom('muser').select('username as loginname').where('musercode', '=', musercode).executeTakeFirst();
  return row?.loginname ?? accountid;
}

import { problems } from '#contract/problem.ts';
import { exportSubject } from '#features/approval/exportSubjects.ts';
import { findActor, type StaffContext } from '#features/warning/handling/transition.ts';
import { exportCUserWarningDetailData, exportWarningList } from '#features/warning/warning.contract.ts';
import { findFlaggedReports } from '#features/warning/flaggedreports.queries.ts';
import { findWarnings } from '#features/warning/warninglist.queries.ts';
import { canReadCases } from '#features/warning/warningrow.ts';

/**
 * Rows that an export reads at once. It reads all pages in the transaction of the request: the server sends nothing before every row
 * is allowed.
 */
export const EXPORT_PAGE_SIZE = 200;
export type WarningFilters = Omit<Parameters<typeof findWarnings>[1], 'page' | 'pageSize'>;
export type ReportFilters = Omit<Parameters<typeof findFlaggedReports>[1], 'page' | 'pageSize'>;

/** Yields every warning that the filters find, in the order of the list. */
export async function* warningRows(filters: WarningFilters, { scope, now, caller }: StaffContext) {
  for (let page = 1; ; page += 1) {
    const reader = { now, userid: caller.userid, human: await findActor({ scope, caller }), plain: false };
    const { rows } = await findWarnings(scope, { ...filters, page, pageSize: EXPORT_PAGE_SIZE }, reader);
    yield* rows;
    if (rows.length < EXPORT_PAGE_SIZE) return;
  }
}

/** The persons in an export of warnings. Refuses callers who may not read cases. */
async function findPersonsOfWarnings(filters: WarningFilters, ctx: StaffContext): Promise<string[]> {
  if (!canReadCases(ctx.caller)) throw problems.notAllowed();
  const cuserids: string[] = [];
  for await (const row of warningRows(filters, ctx)) cuserids.push(row.cuserid);
  return cuserids;
}

/** The persons in an export of flagged reports. Refuses callers who may not read cases. */
async function findPersonsOfReports(filters: ReportFilters, ctx: StaffContext): Promise<string[]> {
  if (!canReadCases(ctx.caller)) throw problems.notAllowed();
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { rows } = await findFlaggedReports(ctx.scope, { ...filters, page, pageSize: EXPORT_PAGE_SIZE }, ctx.now);
    ids.push(...rows.map((row) => row.cuserid));
    if (rows.length < EXPORT_PAGE_SIZE) return ids;
  }
}

/** The exports of this feature that need an approval when their rows contain minors. */
export const warningExportSubjects = {
  'as.m.warning.exportWarningList': exportSubject(exportWarningList, findPersonsOfWarnings),
  'as.m.exam.exportCUserWarningDetailData': exportSubject(exportCUserWarningDetailData, findPersonsOfReports),
};

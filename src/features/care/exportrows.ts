import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { exportSubject } from '#features/approval/exportSubjects.ts';
import { exportFollowUpList } from '#features/care/care.contract.ts';
import { findFollowUps } from '#features/care/care.queries.ts';

const EXPORT_PAGE_SIZE = 200;
export type ExportFilters = Omit<Parameters<typeof findFollowUps>[1], 'page' | 'pageSize'>;

/** Yields every follow-up that the filters find, in the order of the list. It reads a page at a time. */
export async function* followUpRows(filters: ExportFilters, { scope, now, caller }: Context<'staff'>) {
  for (let page = 1; ; page += 1) {
    const { rows } = await findFollowUps(scope, { ...filters, page, pageSize: EXPORT_PAGE_SIZE }, now, caller.userid);
    yield* rows;
    if (rows.length < EXPORT_PAGE_SIZE) return;
  }
}

/** The persons in an export of follow-ups. Refuses staff who see only their own teams. */
async function findPersonsOfFollowUps(filters: ExportFilters, ctx: Context<'staff'>): Promise<string[]> {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const cuserids: string[] = [];
  for await (const row of followUpRows(filters, ctx)) cuserids.push(row.cuserid);
  return cuserids;
}

/** The exports of this feature that need an approval when their rows contain minors. */
export const careExportSubjects = {
  'as.m.followup.exportFollowUpList': exportSubject(exportFollowUpList, findPersonsOfFollowUps),
};

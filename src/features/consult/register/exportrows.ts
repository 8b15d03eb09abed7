import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { exportSubject } from '#features/approval/exportSubjects.ts';
import { readerOf } from '#features/consult/register/consultRow.ts';
import { exportConsultList } from '#features/consult/register/register.contract.ts';
import { findConsults } from '#features/consult/register/register.queries.ts';

const EXPORT_PAGE_SIZE = 200;
export type ExportFilters = Omit<Parameters<typeof findConsults>[1], 'page' | 'pageSize'>;

/** Yields every registration that the filters find, in the order of the list. It reads a page at a time. */
export async function* consultRows(filters: ExportFilters, ctx: Context<'staff'>) {
  for (let page = 1; ; page += 1) {
    const { rows } = await findConsults(ctx.scope, { ...filters, page, pageSize: EXPORT_PAGE_SIZE }, readerOf(ctx));
    yield* rows;
    if (rows.length < EXPORT_PAGE_SIZE) return;
  }
}

/** The persons in an export of registrations. Refuses staff who see only their own teams. */
async function findPersonsOfConsults(filters: ExportFilters, ctx: Context<'staff'>): Promise<string[]> {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const cuserids: string[] = [];
  for await (const row of consultRows(filters, ctx)) cuserids.push(row.cuserid);
  return cuserids;
}

/** The export of this feature that needs an approval when its rows contain minors. */
export const consultExportSubjects = {
  'as.m.consult.exportConsultList': exportSubject(exportConsultList, findPersonsOfConsults),
};

import { problems } from '#contract/problem.ts';
import type { Ctx } from '#server/handle.ts';
import { findFollowUps } from '#features/care/care.queries.ts';

const exportPage = 200;
export type ExportFilters = Omit<Parameters<typeof findFollowUps>[1], 'page' | 'pageSize'>;

/** Every follow-up the filters find, in the order of the list, a page at a time. */
export async function* followUpRows(filters: ExportFilters, { scope, now, caller }: Ctx<'staff'>) {
  for (let page = 1; ; page += 1) {
    const { rows } = await findFollowUps(scope, { ...filters, page, pageSize: exportPage }, now, caller.userid);
    yield* rows;
    if (rows.length < exportPage) return;
  }
}

/** Whom the export would contain: what an approval is asked for. Refuses callers narrowed to their teams. */
export async function personsOfFollowUps(filters: ExportFilters, ctx: Ctx<'staff'>): Promise<string[]> {
  if (ctx.caller.narrowed) throw problems.notAllowed();
  const ids: string[] = [];
  for await (const row of followUpRows(filters, ctx)) ids.push(row.cuserid);
  return ids;
}

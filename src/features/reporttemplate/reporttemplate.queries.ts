import { sql } from 'kysely';
import type { ReportTemplate } from '#domain/report/template/template.ts';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

/** The templates that the caller sees: own ones, and those of institutions above that are switched on. */
const selectTemplates = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('reporttemplate as t')
    .innerJoin('muser as m', 'm.musercode', 't.musercode')
    .where('t.isdeleted', '=', 0)
    .where((eb) => eb.or([eb('t.musercode', '=', musercode), eb('t.enabled', '=', 1)]));

interface TemplateFilters {
  page: number;
  pageSize: number;
  keyword?: string | undefined;
  enabled?: number | undefined;
  templatecode?: string | undefined;
}

/** A page of templates with the number of plans that name each. */
export async function findTemplates(scope: Scope, musercode: string, filters: TemplateFilters) {
  let query = selectTemplates(scope, musercode);
  if (filters.keyword) query = query.where('t.templatename', 'like', `%${filters.keyword.replace(/[\\%_]/g, '\\$&')}%`);
  if (filters.enabled !== undefined) query = query.where('t.enabled', '=', filters.enabled);
  if (filters.templatecode) query = query.where('t.templatecode', '=', filters.templatecode);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select([
      't.templatecode',
      't.templatename',
      't.sections',
      't.musercode',
      'm.insname',
      't.enabled',
      't.updatetime',
      't.version',
    ])
    .select(
      sql<number>`(select count(*)::int from plan p where p.reporttemplatecode = t.templatecode and p.isdeleted = 0)`.as('plans'),
    )
    .orderBy('t.updatetime', 'desc')
    .orderBy('t.templatecode', 'desc')
    .$call(paginate(filters))
    .execute();
  return { total, rows };
}

/** The public addresses of pictures: the file of each id. */
export const findPictures = (scope: Scope, fileids: readonly string[]) =>
  scope.db
    .selectFrom('fileobj')
    .select(['fileid', 'filename', 'mime', 'size', 'path', 'ispublic'])
    .where('fileid', 'in', fileids.length ? fileids : ['00000000-0000-0000-0000-000000000000'])
    .where('isdeleted', '=', 0)
    .execute();

/** Adds a template and returns its code. */
export async function addTemplate(
  scope: Scope,
  row: {
    musercode: string;
    templatename: string;
    sections: ReportTemplate;
    updateby: string;
    createtime: Date;
    updatetime: Date;
  },
): Promise<string> {
  const { templatecode } = await scope.db
    .insertInto('reporttemplate')
    .values({ ...row, sections: JSON.stringify(row.sections) })
    .returning('templatecode')
    .executeTakeFirstOrThrow();
  return templatecode;
}

/** Changes a template of the institution. Returns undefined when it has no such template. */
export const changeTemplate = (
  scope: Scope,
  musercode: string,
  templatecode: string,
  { sections, ...changes }: { sections?: ReportTemplate | undefined; [column: string]: unknown },
) =>
  scope.db
    .updateTable('reporttemplate')
    .set({ ...changes, ...(sections && { sections: JSON.stringify(sections) }) })
    .where('templatecode', '=', templatecode)
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .returning(['templatecode', 'sections'])
    .executeTakeFirst();

/** A template of the institution; undefined when it has no such template. */
export const findOwnTemplate = (scope: Scope, musercode: string, templatecode: string) =>
  scope.db
    .selectFrom('reporttemplate')
    .select(['templatecode', 'templatename', 'sections'])
    .where('templatecode', '=', templatecode)
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/** How many plans in reach name the template. */
export const countPlans = async (scope: Scope, templatecode: string): Promise<number> =>
  (
    await scope.db
      .selectFrom('plan')
      .select(sql<number>`count(*)::int`.as('plans'))
      .where('reporttemplatecode', '=', templatecode)
      .where('isdeleted', '=', 0)
      .executeTakeFirstOrThrow()
  ).plans;

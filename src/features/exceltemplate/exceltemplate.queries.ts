import type { Mapping } from '#domain/exceltemplate/mapping.ts';
import type { Scope } from '#server/db/scope.ts';

const selectTemplates = ({ db }: Scope, musercode: string) =>
  db
    .selectFrom('exceltemplate as t')
    .innerJoin('fileobj as f', 'f.fileid', 't.fileid')
    .select(['t.templateid', 't.version', 't.title', 't.appid', 't.createtime', 't.fileid', 'f.filename', 'f.size', 'f.path'])
    .where('t.musercode', '=', musercode);

/** The forms of an institution with the number of their cells, the newest first. */
export const findTemplates = (scope: Scope, musercode: string) =>
  selectTemplates(scope, musercode)
    .select((eb) =>
      eb
        .selectFrom('exceltemplatecell as c')
        .whereRef('c.templateid', '=', 't.templateid')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('cells'),
    )
    .orderBy('t.templateid', 'desc')
    .execute();

/** A form of an institution; undefined without one. */
export const findTemplate = (scope: Scope, musercode: string, templateid: number) =>
  selectTemplates(scope, musercode).where('t.templateid', '=', templateid).executeTakeFirst();
export type TemplateFile = NonNullable<Awaited<ReturnType<typeof findTemplate>>>;

/** Counts the forms of an institution. */
export const countTemplates = async ({ db }: Scope, musercode: string): Promise<number> =>
  (
    await db
      .selectFrom('exceltemplate')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('musercode', '=', musercode)
      .executeTakeFirstOrThrow()
  ).n;

/** Adds a form and returns its number. */
export const addTemplate = async (
  { db }: Scope,
  row: { musercode: string; appid: string; title: string; fileid: string; createby: string; createtime: Date },
): Promise<number> =>
  Number((await db.insertInto('exceltemplate').values(row).returning('templateid').executeTakeFirstOrThrow()).templateid);

/** Renames a form. */
export const renameTemplate = ({ db }: Scope, templateid: number, title: string) =>
  db.updateTable('exceltemplate').set({ title }).where('templateid', '=', templateid).execute();

/** Deletes a form with its cells. */
export const removeTemplate = ({ db }: Scope, templateid: number) =>
  db.deleteFrom('exceltemplate').where('templateid', '=', templateid).execute();

const cellColumns = [
  'cellid',
  'version',
  'sheetname',
  'ref',
  'indicator',
  'place',
  'placecolumn',
  'people',
  'peoplecolumn',
] as const;

/** The chosen cells of a form, in the order in which they were chosen. */
export const findCells = ({ db }: Scope, templateid: number) =>
  db.selectFrom('exceltemplatecell').select(cellColumns).where('templateid', '=', templateid).orderBy('cellid').execute();
export type CellRow = Awaited<ReturnType<typeof findCells>>[number];

/** A chosen cell of an institution's form; undefined without one. */
export const findCell = ({ db }: Scope, musercode: string, cellid: number) =>
  db
    .selectFrom('exceltemplatecell')
    .select([...cellColumns, 'templateid'])
    .where('musercode', '=', musercode)
    .where('cellid', '=', cellid)
    .executeTakeFirst();

/** A new choice for a cell. */
export type NewCell = Mapping & { templateid: number; musercode: string; sheetname: string; ref: string };

/** Adds choices for cells that have none. Returns the numbers of the added ones. */
export const addCells = async ({ db }: Scope, rows: readonly NewCell[]): Promise<number[]> =>
  (
    await db
      .insertInto('exceltemplatecell')
      .values([...rows])
      .onConflict((conflict) => conflict.columns(['orgpath', 'templateid', 'sheetname', 'ref']).doNothing())
      .returning('cellid')
      .execute()
  ).map(({ cellid }) => Number(cellid));

/** Changes what fills a cell. */
export const changeCell = ({ db }: Scope, cellid: number, changes: Partial<Mapping>) =>
  db.updateTable('exceltemplatecell').set(changes).where('cellid', '=', cellid).execute();

/** Deletes the choice for a cell. */
export const removeCell = ({ db }: Scope, cellid: number) =>
  db.deleteFrom('exceltemplatecell').where('cellid', '=', cellid).execute();

/** The name of an institution. */
export const findInstitutionName = async ({ db }: Scope, musercode: string): Promise<string> =>
  (await db.selectFrom('muser').select('insname').where('musercode', '=', musercode).executeTakeFirst())?.insname ?? '';

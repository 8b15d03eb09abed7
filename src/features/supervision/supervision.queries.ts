import { sql } from 'kysely';
import { SupervisionState } from '#domain/supervision/supervision.ts';
import { limitOffset, type Page } from '#server/db/pagination.ts';
import type { Scope, StatsScope } from '#server/db/scope.ts';
import { toSeal } from '#server/sealing/textSealer.ts';

const { waiting, closed } = SupervisionState;

/** A 督办 as it is stored, with the name of its institution's first words. */
export interface SupervisionRecord {
  supervisionid: number;
  musercode: string;
  authoritycode: string;
  authorityname: string;
  content: string;
  state: '01' | '02' | '03';
  duedate: string;
  createtime: Date;
  replytime: Date | null;
  closetime: Date | null;
  islate: number;
}

export interface SupervisionFilters {
  supervisionid?: number | undefined;
  state?: string | undefined;
  musercode?: string | undefined;
  /** opened in [from, until) */
  from?: Date | undefined;
  until?: Date | undefined;
}

const matching = ({ supervisionid, state, musercode, from, until }: SupervisionFilters) => sql`
  (${supervisionid ?? null}::bigint is null or s.supervisionid = ${supervisionid ?? null})
  and (${state ?? null}::text is null or s.state = ${state ?? null})
  and (${musercode ?? null}::text is null or s.musercode = ${musercode ?? null})
  and (${from ?? null}::timestamptz is null or s.createtime >= ${from ?? null})
  and (${until ?? null}::timestamptz is null or s.createtime < ${until ?? null})`;

const columns = sql`s.supervisionid::int, s.musercode, s.authoritycode, s.authorityname, s.state, s.duedate, s.createtime, s.replytime,
  s.closetime, s.islate,
  (select t.content from supervisionstep t where t.supervisionid = s.supervisionid and t.kind = 'open') as content`;

/** The order of a page: as asked, else those that wait for an answer first, then the newest. */
function orderOf(orderby: string | undefined, isasc: '0' | '1' | undefined) {
  const direction = isasc === '1' ? sql`asc` : sql`desc`;
  if (orderby === 'createtime') return sql`s.createtime ${direction}, s.supervisionid`;
  if (orderby === 'duedate') return sql`s.duedate ${direction}, s.supervisionid`;
  return sql`s.state = ${closed}, s.createtime desc, s.supervisionid desc`;
}

/** A page of the 督办 of one side: of the authority `authoritycode`, or of the institution `musercode`. */
export async function findSupervisions(
  { db }: Scope,
  {
    orderby,
    isasc,
    page,
    pageSize,
    authoritycode,
    ...filters
  }: SupervisionFilters & Page & { authoritycode?: string; orderby?: string | undefined; isasc?: '0' | '1' | undefined },
): Promise<{ total: number; rows: SupervisionRecord[] }> {
  const where = sql`${matching(filters)} and (${authoritycode ?? null}::text is null or s.authoritycode = ${authoritycode ?? null})`;
  const { rows: totals } = await sql<{ total: number }>`select count(*)::int as total from supervision s where ${where}`.execute(
    db,
  );
  const { rows } = await sql<SupervisionRecord>`
    select ${columns} from supervision s where ${where}
    order by ${orderOf(orderby, isasc)} ${limitOffset({ page, pageSize })}`.execute(db);
  return { total: totals[0]?.total ?? 0, rows };
}

/** One 督办, locked until the transaction ends; undefined when the caller does not see it. */
export const lockSupervision = async ({ db }: Scope, supervisionid: number) =>
  (
    await sql<SupervisionRecord>`select ${columns} from supervision s where s.supervisionid = ${supervisionid} for update of s`.execute(
      db,
    )
  ).rows[0];

/** The open 督办 of an authority for an institution, locked; undefined without one. */
export const lockOpenSupervision = async ({ db }: Scope, authoritycode: string, musercode: string) =>
  (
    await sql<SupervisionRecord>`
      select ${columns} from supervision s
      where s.authoritycode = ${authoritycode} and s.musercode = ${musercode} and s.state <> ${closed} for update of s`.execute(
      db,
    )
  ).rows[0];

/** The steps of a 督办 in their order. */
export const findSteps = ({ db }: Scope, supervisionid: number) =>
  db
    .selectFrom('supervisionstep')
    .select(['stepid', 'kind', 'content', 'duedate', 'islate', 'insname', 'operatorname', 'time'])
    .where('supervisionid', '=', supervisionid)
    .orderBy('stepid')
    .execute();

/** Adds a 督办 that waits for its first answer, and returns its number. */
export const addSupervision = async (
  { db }: Scope,
  row: { musercode: string; authoritycode: string; authorityname: string; duedate: string; createtime: Date },
): Promise<number> =>
  (
    await db
      .insertInto('supervision')
      .values({ ...row, state: waiting, authoritypath: sql<string>`access.path_from()` })
      .returning('supervisionid')
      .executeTakeFirstOrThrow()
  ).supervisionid;

/** Changes a 督办. */
export const saveSupervision = (
  { db }: Scope,
  supervisionid: number,
  changes: Partial<Pick<SupervisionRecord, 'state' | 'duedate' | 'replytime' | 'closetime' | 'islate'>>,
) => db.updateTable('supervision').set(changes).where('supervisionid', '=', supervisionid).execute();

/** Adds a step to a 督办. */
export const addStep = async (
  { db }: Scope,
  supervisionid: number,
  step: {
    kind: 'open' | 'join' | 'reply' | 'return' | 'close';
    content: string;
    duedate?: string;
    islate?: number;
    insname: string;
    operatorname: string;
    time: Date;
  },
): Promise<void> => {
  await sql`
    insert into supervisionstep (supervisionid, musercode, orgpath, authoritycode, authoritypath, kind, content, duedate, islate, insname,
      operatorname, time)
    select s.supervisionid, s.musercode, s.orgpath, s.authoritycode, s.authoritypath, ${step.kind}, ${toSeal(step.content)},
      ${step.duedate ?? null}::date, ${step.islate ?? 0}, ${step.insname}, ${step.operatorname}, ${step.time}
    from supervision s where s.supervisionid = ${supervisionid}`.execute(db);
};

/** Stores the number of overdue cases for the institution. The authority that adds it cannot read it. */
export const addOverdueCount = ({ db }: Scope, row: { supervisionid: number; musercode: string; overdue: number }) =>
  db.insertInto('supervisioncount').values(row).execute();

/** The number of overdue cases when a 督办 was opened; 0 for callers who do not see it. */
export const findOverdueCount = async ({ db }: Scope, supervisionid: number): Promise<number> =>
  (await db.selectFrom('supervisioncount').select('overdue').where('supervisionid', '=', supervisionid).executeTakeFirst())
    ?.overdue ?? 0;

/** The open cases of an institution whose next duty is overdue. */
export const countOverdueCases = async ({ db }: Scope | StatsScope, musercode: string, now: Date): Promise<number> =>
  (
    await sql<{ n: number }>`
      select count(*)::int as n from warning w
      where w.musercode = ${musercode} and w.state not in ('07', '08') and w.isdeleted = 0 and w.nextdue < ${now}`.execute(db)
  ).rows[0]?.n ?? 0;

/** Names and numbers of persons of the caller's institution that a text contains. */
export const findNamedPersons = async ({ db }: Scope, words: string): Promise<string[]> =>
  (
    await sql<{ name: string }>`select name from access.persons_named(${words}) as named (name) order by name`.execute(db)
  ).rows.map(({ name }) => name);

interface Notice {
  title: string;
  content: string;
  link: string;
  /** the database stores one notice for each key and account */
  key: string;
  time: Date;
}
/** Notifies the staff of a supervised institution. A database function does it: the authority cannot see them. */
export const notifySupervised = ({ db }: Scope, musercode: string, { title, content, link, key, time }: Notice) =>
  sql`select access.notify_supervised(${musercode}, ${title}, ${toSeal(content)}, ${link}, ${key}, ${time})`.execute(db);

/** Notifies the authority of a 督办. */
export const notifySupervisor = ({ db }: Scope, authoritycode: string, { title, content, link, key, time }: Notice) =>
  sql`select access.notify_supervisor(${authoritycode}, ${title}, ${toSeal(content)}, ${link}, ${key}, ${time})`.execute(db);

/** An institution of the region with the flag of the nightly count. */
export interface FlaggedSchool {
  musercode: string;
  insname: string;
  hasoverdue: boolean;
  datatime: Date;
}

/** The institutions that the nightly count knows, with the flag 有超时, in the order of their names. */
export const findFlags = async ({ db }: StatsScope, musercode: string | undefined): Promise<FlaggedSchool[]> =>
  (
    await sql<FlaggedSchool>`
      select m.musercode, m.insname, bool_or(p.hasoverdue) as hasoverdue, max(p.datatime) as datatime
      from publishedunit p join muser m using (musercode)
      where (${musercode ?? null}::text is null or p.musercode = ${musercode ?? null})
      group by m.musercode, m.insname, m.sortname
      order by m.sortname, m.musercode`.execute(db)
  ).rows;

/** The names of institutions. */
export const findNames = async ({ db }: StatsScope, musercodes: readonly string[]): Promise<Map<string, string>> => {
  if (musercodes.length === 0) return new Map();
  const rows = await db.selectFrom('muser').select(['musercode', 'insname']).where('musercode', 'in', musercodes).execute();
  return new Map(rows.map(({ musercode, insname }) => [musercode, insname]));
};

/** The name of the caller's institution. */
export const findOwnName = async ({ db }: Scope, musercode: string): Promise<string> =>
  (await db.selectFrom('muser').select('insname').where('musercode', '=', musercode).executeTakeFirstOrThrow()).insname;

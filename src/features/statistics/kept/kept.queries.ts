import { sql } from 'kysely';
import { addHours } from '#domain/base/calendar.ts';
import type { Scope, StatsScope } from '#server/db/scope.ts';
import { institutionConditions, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { ALL_PARTS, CELL_COLUMNS, withCells, withSheets } from '#features/statistics/cells.queries.ts';
import type { Choice } from '#features/statistics/kept/choice.ts';

/** Up to when the kept figures are complete; null before the first count. */
export const findKeptTime = async ({ db }: StatsScope): Promise<Date | null> =>
  (await sql<{ statistics: Date | null }>`select statistics from rollup.watermark`.execute(db)).rows[0]?.statistics ?? null;

/** What the tables had been changed by the last count, and how long it took. */
interface KeptState {
  statistics: Date | null;
  statchanges: string;
  statmilliseconds: number;
}

export const findKept = async ({ db }: Scope): Promise<KeptState> =>
  (await sql<KeptState>`select statistics, statchanges::text, statmilliseconds from rollup.watermark`.execute(db))
    .rows[0] as KeptState;

/** The number of institutions of the filters within the caller's range. */
export const countChosenInstitutions = async ({ db }: StatsScope, filters: StatisticFilters): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from muser m where ${institutionConditions(filters)}`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Counts the rows that were ever written to the tables behind the figures. It grows with every change, seconds later. */
export const countChanges = async ({ db }: Scope): Promise<string> => {
  const { rows } = await sql<{ changes: string }>`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text as changes from pg_stat_user_tables
    where schemaname = 'public'
      and relname in ('examrecord', 'examresult', 'taskroster', 'assesstask', 'assessteam', 'cuser', 'muser')`.execute(db);
  return rows[0]?.changes ?? '0';
};

/** Takes the lock of the count for this transaction; false while another node counts. */
export const lockKept = async ({ db }: Scope): Promise<boolean> =>
  (await sql<{ isfree: boolean }>`select pg_try_advisory_xact_lock(hashtext('xinli statistics')) as isfree`.execute(db)).rows[0]
    ?.isfree ?? false;

/** The populations, plans, years and terms of the tasks that count and of the submitted sheets; '' for none. */
export const findUsed = async ({ db }: Scope): Promise<Choice[]> => {
  const { rows } = await sql<Choice>`
    select appid, plancode, coalesce(year, '') as year, coalesce(term, '') as term
    from assesstask where status in (1, 2) and isdeleted = 0
    union
    select x.appid, x.plancode, coalesce(t.year, ''), coalesce(t.term, '')
    from examrecord x left join assesstask t on t.taskcode = x.taskcode and t.status in (1, 2) and t.isdeleted = 0
    where x.status = 2`.execute(db);
  return rows;
};

/**
 * Joins all rows of the base sets in this transaction. PostgreSQL cannot know how many rows they have, and would search each row of one
 * set in the other.
 */
export const joinWholeSets = ({ db }: Pick<StatsScope, 'db'>) => sql`set local enable_nestloop = off`.execute(db);

/** Deletes all kept figures. The statements of a count may take longer than those of a call. */
export async function deleteKept({ db }: Scope): Promise<void> {
  await sql`set local statement_timeout = '4min'`.execute(db);
  await sql`delete from statcell`.execute(db);
  await sql`delete from statday`.execute(db);
}

const KEYS = sql`appid, plancode, year, term`;
const CELL_COUNTS = sql`persons, rosterrows, sheets`;
const DAY_COLUMNS = sql`musercode, day, scenecode`;
const DAY_COUNTS = sql`sheets, abnormal`;
const keysOf = ({ appid, plancode, year, term }: Choice) => sql`${appid}::text, ${plancode}::text, ${year}::text, ${term}::text`;

/** Counts the figures of one choice over all institutions. Across institutions 需关注 is level 2 or an alert (`withBaseSets`). */
export async function insertKept({ db }: Scope, choice: Choice): Promise<void> {
  const { appid, plancode, year, term } = choice;
  const filters: StatisticFilters = {
    appids: appid === '*' ? null : [appid],
    ...(plancode === '*' ? {} : { plancode }),
    ...(year === '' ? {} : { year }),
    ...(term === '' ? {} : { term }),
  };
  await sql`insert into statcell (${CELL_COLUMNS}, ${CELL_COUNTS}, ${KEYS})
    ${withCells(filters, 'rows', ALL_PARTS)}
    select ${CELL_COLUMNS}, sum(persons), sum(rosterrows), sum(sheets), ${keysOf(choice)} from cell group by ${CELL_COLUMNS}`.execute(
    db,
  );
  await sql`insert into statday (${DAY_COLUMNS}, ${DAY_COUNTS}, ${KEYS})
    ${withSheets(filters, 'rows')}
    select ${DAY_COLUMNS}, sum(sheets), sum(abnormal), ${keysOf(choice)} from sheet group by ${DAY_COLUMNS}`.execute(db);
}

/** Copies the figures of one choice to another that has the same rows. */
export async function copyKept({ db }: Scope, from: Choice, to: Choice): Promise<void> {
  const isFrom = sql`(${KEYS}) = (${keysOf(from)})`;
  await sql`insert into statcell (${CELL_COLUMNS}, ${CELL_COUNTS}, ${KEYS})
    select ${CELL_COLUMNS}, ${CELL_COUNTS}, ${keysOf(to)} from statcell where ${isFrom}`.execute(db);
  await sql`insert into statday (${DAY_COLUMNS}, ${DAY_COUNTS}, ${KEYS})
    select ${DAY_COLUMNS}, ${DAY_COUNTS}, ${keysOf(to)} from statday where ${isFrom}`.execute(db);
}

export const saveKept = ({ db }: Scope, { statistics, statchanges, statmilliseconds }: KeptState) =>
  sql`update rollup.watermark set statistics = ${statistics}, statchanges = ${statchanges}::bigint,
    statmilliseconds = ${statmilliseconds}`.execute(db);

/** Whether kept figures may still be read. Without a change the job moves their time on each minute. */
export const isFresh = (datatime: Date, now: Date): boolean => addHours(datatime, 1) > now;

import { addDays, fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { periodOf, STUDENTS } from '#domain/release/period.ts';
import { SupervisionState } from '#domain/supervision/supervision.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import { findEffort, findSchools } from '#features/release/release.queries.ts';
import { findFlags, findNames, findSupervisions, type SupervisionRecord } from '#features/supervision/supervision.queries.ts';
import type { DayBlock } from '#features/workbench/workbench.contract.ts';

/** Rows of a block. */
const ROWS = 5;
const PAGE = '/statistics/supervision';
const OWN_PAGE = '/earlyWarning/supervision';

const row = (title: string, detail: string, path: string, time: Date | null = null, late = false): DayBlock['rows'][number] => ({
  title,
  detail,
  time: time && shanghaiTime(time),
  late,
  level: null,
  levelname: '',
  path,
});
/** The end of the last day for an answer. */
const endOf = ({ duedate }: SupervisionRecord) => addDays(fromShanghai(duedate), 1);

/**
 * The day of an authority, from the nightly release and its own 督办 (supplement 9): schools that have not begun, schools with the flag
 * 有超时, and answers to accept. It counts institutions and no persons.
 */
export async function createAuthorityBlocks({ scope, stats, caller, now }: ReadContext<'staff'>): Promise<DayBlock[]> {
  const day = shanghaiTime(now).slice(0, 10);
  const filters = { appid: STUDENTS, ...periodOf(STUDENTS, day) };
  const { schools, effort, flags } = await stats(async (statsScope) => ({
    schools: await findSchools(statsScope, filters),
    effort: await findEffort(statsScope, filters),
    flags: await findFlags(statsScope, undefined),
  }));
  const tested = new Set(effort.filter((grade) => grade.tested > 0).map((grade) => grade.musercode));
  const notBegun = schools.filter(({ musercode }) => !tested.has(musercode));
  const flagged = flags.filter(({ hasoverdue }) => hasoverdue);
  const answered = await findSupervisions(scope, {
    authoritycode: caller.musercode,
    state: SupervisionState.answered,
    page: 1,
    pageSize: ROWS,
  });
  const names = await stats((statsScope) => findNames(statsScope, [...new Set(answered.rows.map((one) => one.musercode))]));
  return [
    {
      key: 'answered',
      title: '督办待办结',
      count: answered.total,
      note: '',
      path: `${PAGE}?state=${SupervisionState.answered}`,
      rows: answered.rows.map((one) =>
        row(names.get(one.musercode) ?? '', one.content, `${PAGE}?supervisionid=${one.supervisionid}`, one.replytime),
      ),
    },
    {
      key: 'flagged',
      title: '有超时的机构',
      count: flagged.length,
      note: '',
      path: PAGE,
      rows: flagged.slice(0, ROWS).map(({ musercode, insname }) => row(insname, '有超时', `${PAGE}?musercode=${musercode}`)),
    },
    {
      key: 'notbegun',
      title: '尚未开始的机构',
      count: notBegun.length,
      note: '本学期，夜间统计',
      path: '',
      rows: notBegun
        .slice(0, ROWS)
        .map(({ insname, lasttaskend }) => row(insname, lasttaskend ? '未开始或少于 5 人' : '没有任务', '')),
    },
  ];
}

/** The 督办 that the institution has to answer. */
export async function createSupervisionBlock({ scope, caller, now }: ReadContext<'staff'>): Promise<DayBlock> {
  const { total, rows } = await findSupervisions(scope, {
    musercode: caller.musercode,
    state: SupervisionState.waiting,
    page: 1,
    pageSize: ROWS,
  });
  return {
    key: 'supervisions',
    title: '待回复督办',
    count: total,
    note: '',
    path: `${OWN_PAGE}?state=${SupervisionState.waiting}`,
    rows: rows.map((one) =>
      row(one.authorityname, one.content, `${OWN_PAGE}?supervisionid=${one.supervisionid}`, endOf(one), endOf(one) < now),
    ),
  };
}

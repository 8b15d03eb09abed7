import { formatNumber } from '#domain/base/number.ts';
import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { Appid, FollowMethod, WarningState } from '#domain/base/enums.ts';
import { DueState } from '#domain/person/archiveStates.ts';
import { levelName } from '#domain/warning/levels.ts';
import { describeProgress } from '#domain/task/taskprogress.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import { codeOf, menu, pathOf, type Directory, type Guard, type ScreenKey } from '#contract/menu.ts';
import { archivePathOf } from '#contract/population.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { countDue, judgeDue } from '#features/archive/judgeDue.ts';
import { findActor } from '#features/warning/handling/transition.ts';
import { findAsked } from '#features/warning/second/waiting.queries.ts';
import { createAuthorityBlocks, createSupervisionBlock } from '#features/workbench/authorityBlocks.ts';
import { createOperatorBlocks } from '#features/workbench/operatorBlocks.ts';
import { createConsultBlocks } from '#features/workbench/consultBlocks.ts';
import { placeOf } from '#features/workbench/placeOf.ts';
import type { DayBlock } from '#features/workbench/workbench.contract.ts';
import * as contract from '#features/workbench/workbench.contract.ts';
import * as queries from '#features/workbench/workbench.queries.ts';

type Row = DayBlock['rows'][number];

/** Days before the end of a grant in which the workbench shows it. */
const GRANT_NOTICE_DAYS = 30;
/** Rows of 待我复核. */
const SECOND_ROWS = 5;
/** Rows of a block of persons who are due. */
const DUE_ROWS = 5;

const hasCode = (caller: Staff, ...guards: Guard[]) => guards.some((guard) => caller.codes.has(codeOf(guard)));
/** The path of a screen that the caller may open, else ''. A screen needs the code of its directory too. */
const openPath = (caller: Staff, screen: ScreenKey, query = ''): string => {
  const directory = (Object.values(menu) as Directory[]).find((candidate) => screen in candidate.screens);
  const isOpen = hasCode(caller, screen) && (!directory?.code || caller.codes.has(directory.code));
  return isOpen ? `${pathOf(screen)}${query}` : '';
};
const joinParts = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' · ');
const casePath = (warningcode: string) => `/earlyWarning/case/${warningcode}`;

const toRow =
  ({ caller, now }: ReadContext<'staff'>) =>
  (row: queries.WarningDue): Row => ({
    title: displayName(caller, row.username),
    detail: joinParts(WarningState.label(row.state), placeOf(row, now) || row.insname),
    ...(canReadField(caller, 'cases')
      ? {
          time: row.due && shanghaiTime(row.due),
          late: row.due !== null && row.due < now,
          level: row.level,
          levelname: levelName(row.level, row.sector),
        }
      : { time: null, late: false, level: null, levelname: '' }),
    path: casePath(row.warningcode),
  });

async function warningBlocks(ctx: ReadContext<'staff'>): Promise<DayBlock[]> {
  const list = openPath(ctx.caller, 'warning.crisis');
  const block = (key: 'overdue' | 'waiting', count: number, rows: Row[]): DayBlock =>
    key === 'overdue'
      ? { key, title: '超时预警', count, note: '', path: list && `${list}?overdue=1`, rows }
      : { key, title: '待受理预警', count, note: '', path: list && `${list}?pending=1`, rows };
  const waiting = await queries.findWaiting(ctx.scope);
  // The platform runs institutions and treats nobody: its workbench names no person.
  const toRows = (rows: queries.WarningDue[]) => (ctx.caller.musertype === '001' ? [] : rows.map(toRow(ctx)));
  if (!canReadField(ctx.caller, 'cases')) return [block('waiting', waiting.total, toRows(waiting.rows))];
  const overdue = await queries.findOverdue(ctx.scope, ctx.now);
  return [block('overdue', overdue.total, toRows(overdue.rows)), block('waiting', waiting.total, toRows(waiting.rows))];
}

/** The requests to a second person that wait for the caller. */
async function secondBlock({ scope, caller, now }: ReadContext<'staff'>): Promise<DayBlock> {
  const human = await findActor({ scope, caller });
  const { total, rows } = await findAsked(scope, caller.userid, human, SECOND_ROWS);
  return {
    key: 'second',
    title: '待我复核',
    count: total,
    note: '',
    path: `${pathOf('warning.crisis')}?second=1`,
    rows: rows.map((row) => ({
      title: displayName(caller, row.username),
      detail: joinParts(row.what, row.belongs),
      time: shanghaiTime(row.due),
      late: row.due < now,
      level: row.level,
      levelname: levelName(row.level, row.sector),
      path: casePath(row.warningcode),
    })),
  };
}

async function followupBlock({ scope, caller, now }: ReadContext<'staff'>): Promise<DayBlock> {
  const today = fromShanghai(shanghaiDate(now));
  const { total, more, rows } = await queries.findFollowups(scope, today, addDays(today, 1));
  return {
    key: 'followups',
    title: '今日到期随访',
    count: total,
    note: more ? `其中逾期 ${formatNumber(more)} 项` : '',
    path: openPath(caller, 'consult.followups', '?view=today'),
    rows: rows.map((row) => ({
      title: displayName(caller, row.username),
      detail: joinParts(`第 ${row.seq} 次`, FollowMethod.label(row.method), placeOf(row, now)),
      time: shanghaiTime(row.duetime),
      late: row.latefrom < today,
      level: null,
      levelname: '',
      path: row.warningcode ? casePath(row.warningcode) : openPath(caller, 'consult.followups', '?view=today'),
    })),
  };
}

async function taskBlock({ scope, caller, now }: ReadContext<'staff'>): Promise<DayBlock> {
  const { total, more, rows } = await queries.findTasks(scope, now);
  return {
    key: 'tasks',
    title: '进行中任务',
    count: total,
    note: total ? `未完成 ${formatNumber(more)} 人` : '',
    path: openPath(caller, 'group.tasks', '?status=1'),
    rows: rows.map((row) => ({
      title: row.taskname,
      detail: describeProgress({ ...row, total: row.expected }),
      time: shanghaiTime(row.endtime),
      late: row.endtime < now,
      level: null,
      levelname: '',
      path: `${pathOf('group.tasks')}/${row.taskcode}`,
    })),
  };
}

async function reportBlock({ scope, caller, now }: ReadContext<'staff'>): Promise<DayBlock> {
  const { total, more, rows } = await queries.findReports(scope);
  return {
    key: 'reports',
    title: '待审核报告',
    count: total,
    note: more ? `其中中度及以上 ${formatNumber(more)} 份` : '',
    path: '/reports?status=1&orderby=overalllevel',
    rows: rows.map((row) => ({
      title: displayName(caller, row.username),
      detail: joinParts(placeOf(row, now), row.title),
      time: shanghaiTime(row.createtime),
      late: false,
      level: row.overalllevel,
      levelname: '',
      path: `/report/${row.reportcode}`,
    })),
  };
}

async function grantBlock(ctx: ReadContext<'staff'>): Promise<DayBlock> {
  const [from, to] = [shanghaiDate(ctx.now), shanghaiDate(addDays(ctx.now, GRANT_NOTICE_DAYS))];
  const path = openPath(ctx.caller, 'data.counts') || openPath(ctx.caller, 'data.details');
  const { total, more, rows } = await queries.findGrants(ctx.scope, from, to);
  return {
    key: 'grants',
    title: '即将到期授权',
    count: total,
    note: total ? `剩余 ${formatNumber(more)} 次` : '',
    path,
    rows: rows.map((row) => ({
      title: row.insname,
      detail: joinParts(row.planname ?? '通用次数', `剩余 ${formatNumber(row.free)} 次`),
      time: row.enddate,
      late: false,
      level: null,
      levelname: '',
      path: path && `${path}?musercode=${row.musercode}`,
    })),
  };
}

/** The screens of 个体测评 whose populations come to be tested one by one. Pupils are tested in tasks. */
const DUE_SCREENS = { [Appid.maternity]: 'individual.maternity', [Appid.elders]: 'individual.elders' } as const;

/** Who is due today in each population whose screen the caller may open; no block for a population in which nobody is. */
async function dueBlocks({ scope, caller, now }: ReadContext<'staff'>): Promise<DayBlock[]> {
  const blocks: DayBlock[] = [];
  for (const [appid, screen] of Object.entries(DUE_SCREENS)) {
    const path = openPath(caller, screen);
    if (!path) continue;
    const judged = await judgeDue(scope, { musercode: caller.musercode, appid, now });
    const { overdue, retest, due } = countDue(judged);
    if (overdue + retest + due === 0) continue;
    blocks.push({
      key: 'due',
      title: `待测${Appid.label(appid)}`,
      count: overdue + retest + due,
      note: joinParts(overdue ? `逾期 ${formatNumber(overdue)} 人` : '', retest ? `复测 ${formatNumber(retest)} 人` : ''),
      path,
      rows: judged.slice(0, DUE_ROWS).map(({ row, state, until }) => ({
        title: displayName(caller, row.username),
        detail: joinParts(DueState.label(state), placeOf(row, now)),
        time: until,
        late: state === DueState.overdue,
        level: null,
        levelname: '',
        path: archivePathOf(row.appid, row.cuserid),
      })),
    });
  }
  return blocks;
}

const getMyDay = handle(contract.getMyDay, async (_, ctx) => {
  const { caller, now } = ctx;
  const blocks: DayBlock[] = [];
  const isCare = ['002', '004', '005'].includes(caller.musertype);
  // An authority reads the nightly release only (supplement-people-statistics.md 9).
  if (caller.musertype === '003') {
    const authorityBlocks = hasCode(caller, 'statistics.school', 'warning.crisis') ? await createAuthorityBlocks(ctx) : [];
    return { asof: shanghaiTime(now), blocks: authorityBlocks };
  }
  if (['004', '005'].includes(caller.musertype) && hasCode(caller, 'warning.handle')) {
    const supervisions = await createSupervisionBlock(ctx);
    if (supervisions.count > 0) blocks.push(supervisions);
  }
  // A colleague waits for this answer, so it stands first.
  if (isCare && hasCode(caller, 'warning.handle') && !caller.ownTeamsOnly) blocks.push(await secondBlock(ctx));
  if (hasCode(caller, 'warning.crisis')) blocks.push(...(await warningBlocks(ctx)));
  const isPlatform = caller.musertype === '001';
  if (isPlatform || caller.musertype === '002') blocks.push(...(await createOperatorBlocks(ctx)));
  if (!isPlatform) {
    if (isCare && hasCode(caller, 'consult.forms') && !caller.ownTeamsOnly) blocks.push(...(await createConsultBlocks(ctx)));
    if (hasCode(caller, 'consult.followups')) blocks.push(await followupBlock(ctx));
    if (isCare && !caller.ownTeamsOnly && caller.musertype !== '002') blocks.push(...(await dueBlocks(ctx)));
    if (hasCode(caller, 'group.tasks')) blocks.push(await taskBlock(ctx));
    if (hasCode(caller, 'report.edit') && !caller.ownTeamsOnly) blocks.push(await reportBlock(ctx));
  }
  if (hasCode(caller, 'data.counts', 'data.details')) blocks.push(await grantBlock(ctx));
  return { asof: shanghaiTime(now), blocks };
});

export const workbenchHandlers = [getMyDay];

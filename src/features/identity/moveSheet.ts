import { shanghaiDate } from '#domain/base/calendar.ts';
import type { WarningTrigger } from '#domain/warning/warningtrigger.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { planRetest } from '#features/respond/exam/plannedRetest.ts';
import { raiseAlert } from '#features/respond/exam/raiseAlert.ts';
import { findUnfollowedExams } from '#features/respond/review/review.queries.ts';
import { unfollowedTrigger } from '#features/respond/review/judgeOpenSheets.ts';
import { findReportTexts } from '#features/report/renderReport.ts';
import { saveReportTexts } from '#features/report/renderReport.queries.ts';
import { markCases } from '#features/identity/moveCases.queries.ts';
import * as units from '#features/identity/moveUnit.queries.ts';
import { joinTriggers, rescore } from '#features/identity/rescore.ts';
import * as queries from '#features/identity/sheet.queries.ts';

/** Who moves a sheet, when, and the record of the move. */
export interface MoveContext {
  scope: Scope;
  moveid: number;
  operator: string;
  operatorname: string;
  now: Date;
}

/** Moves one sheet, or swaps two, in one transaction: rows, scores, report, counts, roster and warnings. */
export async function moveSheets(ctx: MoveContext, sheet: queries.SheetRow, to: string | queries.SheetRow): Promise<void> {
  const { scope, now } = ctx;
  const swapped = typeof to === 'string' ? undefined : to;
  const newOwner = typeof to === 'string' ? to : to.cuserid;
  const persons = [sheet.cuserid, newOwner];
  const moving = swapped ? [sheet.examcode, swapped.examcode] : [sheet.examcode];
  const since = new Date(Math.min(...[sheet, swapped].map((one) => one?.submittime?.getTime() ?? Infinity)));
  const before = await judgeLaterSheets(scope, persons, since, moving);
  for (const examcode of moving) await keepReportText(scope, examcode);
  const loaded = await queries.loadSheet(scope, sheet.examcode, newOwner, moving);
  const other = swapped && (await queries.loadSheet(scope, swapped.examcode, sheet.cuserid, moving));

  if (swapped && other) {
    await units.swapRosterRows(scope, sheet, swapped);
    await giveSheet(ctx, sheet, loaded, { ...swapped, cuserid: newOwner });
    await giveSheet(ctx, swapped, other, { ...sheet, cuserid: sheet.cuserid });
  } else {
    const info = { operator: ctx.operator, remark: '更正答卷归属', now, today: shanghaiDate(now) };
    const roster = await units.findRosterRow(scope, sheet, newOwner);
    const isRetest = await units.canAnswerAgain(scope, sheet, info);
    const { cuserplanid, canRetest } = await units.moveUnit(scope, sheet, newOwner, isRetest, info);
    const placement = { cuserid: newOwner, cuserplanid, teamcode: roster?.teamcode ?? null };
    await units.moveRosterRow(scope, sheet, placement, canRetest, '答卷已更正归属');
    await giveSheet(ctx, sheet, loaded, placement);
  }
  await queries.recountPersons(scope, persons, now);
  await raiseLaterSheets(scope, persons, since, moving, before, now);
}

/** Stores one sheet as its new person's, marks the old person's cases and raises the alarms of the sheet anew. */
async function giveSheet(ctx: MoveContext, sheet: queries.SheetRow, loaded: queries.LoadedSheet, to: queries.Placement) {
  const { scope, now } = ctx;
  const { submission, result, trigger } = await rescore(scope, loaded);
  await queries.reopenRetests(scope, sheet, '触发答卷已更正归属');
  await queries.saveMovedSheet(scope, loaded, to, submission, ctx);
  await planRetest(scope, loaded, result, loaded.submittime);
  await markCases(ctx, sheet);
  const unfollowed = (await findUnfollowedExams(scope, sheet.musercode, now)).some(({ examcode }) => examcode === sheet.examcode);
  const joined = joinTriggers([trigger, unfollowed ? unfollowedTrigger : null]);
  // The clocks of the new person begin now.
  await raiseAlert(scope, loaded, joined && { ...joined, alertmsgs: [...joined.alertmsgs, '由答卷归属更正产生'] }, now, true);
}

/** Renders the report before its sheet moves, so that the correction keeps the text that staff have read. */
async function keepReportText(scope: Scope, examcode: string): Promise<void> {
  const report = await scope.db
    .selectFrom('report')
    .select(['reportcode', 'content'])
    .where('examcode', '=', examcode)
    .executeTakeFirst();
  if (!report || report.content) return;
  const { staff, self } = await findReportTexts(scope, report.reportcode);
  await saveReportTexts(scope, [{ reportcode: report.reportcode, content: staff, selfcontent: self }]);
}

/** What sheets call for: the trigger of each, null without one. */
export type Triggers = ReadonlyMap<string, WarningTrigger | null>;

/** The triggers of sheets with the age, sex and earlier sheets of these persons. */
export async function judgeSheets(
  scope: Scope,
  sheets: readonly { examcode: string; cuserid: string }[],
): Promise<Map<string, WarningTrigger | null>> {
  const triggers = new Map<string, WarningTrigger | null>();
  for (const { examcode, cuserid } of sheets)
    triggers.set(examcode, (await rescore(scope, await queries.loadSheet(scope, examcode, cuserid))).trigger);
  return triggers;
}

/** Raises what sheets call for only since a change: a higher level, or a rule that did not judge them before. */
export async function raiseNewTriggers(scope: Scope, before: Triggers, after: Triggers, now: Date): Promise<void> {
  for (const [examcode, trigger] of after) {
    const old = before.get(examcode);
    const isNew =
      trigger && (!old || trigger.level > old.level || trigger.rulecodes.some((code) => !old.rulecodes.includes(code)));
    if (!isNew) continue;
    const [sheet] = await queries.lockSheets(scope, [examcode]);
    await raiseAlert(scope, await queries.loadSheet(scope, examcode, (sheet as queries.SheetRow).cuserid), trigger, now);
  }
}

/** The triggers of later sheets: rules compare them with earlier ones, and those change. */
export async function judgeLaterSheets(
  scope: Scope,
  persons: readonly string[],
  since: Date,
  moving: readonly string[],
): Promise<Triggers> {
  const sheets: { examcode: string; cuserid: string }[] = [];
  for (const cuserid of persons)
    for (const examcode of await queries.findLaterSheets(scope, cuserid, since, moving)) sheets.push({ examcode, cuserid });
  return judgeSheets(scope, sheets);
}

/** Raises what later sheets call for only since an earlier sheet came, went or moved. */
export async function raiseLaterSheets(
  scope: Scope,
  persons: readonly string[],
  since: Date,
  moving: readonly string[],
  before: Triggers,
  now: Date,
): Promise<void> {
  await raiseNewTriggers(scope, before, await judgeLaterSheets(scope, persons, since, moving), now);
}

/** Why a sheet may not move to a person; throws 140001 or 130001. */
export async function assertMovable(
  scope: Scope,
  sheet: queries.SheetRow | undefined,
  cuserid: string,
): Promise<queries.SheetRow> {
  if (!sheet) throw problems.notFound({ what: '答卷' });
  const { musercode, appid } = sheet;
  if (sheet.status !== 2) throw problems.wrongState({ why: '只能更正已提交的答卷' });
  if (sheet.cuserid === cuserid) throw problems.wrongState({ why: '这份答卷已在该受测者名下' });
  const person = await queries.findTarget(scope, cuserid, appid);
  if (!person) throw problems.notFound({ what: '受测者' });
  if (person.musercode !== musercode) throw problems.wrongState({ why: '只能在同一机构内更正答卷归属' });
  if (person.anonymizedtime) throw problems.wrongState({ why: '该受测者已匿名化，不能接收答卷' });
  if (person.deathtime) throw problems.wrongState({ why: '该受测者已登记死亡，请先核对登记' });
  if (!person.hasarchive) throw problems.wrongState({ why: '该受测者没有这份答卷所属人群的档案，请先建档' });
  if (await queries.isWithdrawn(scope, [sheet.cuserid, cuserid]))
    throw problems.wrongState({ why: '本人或监护人已撤回同意，相关答卷正在删除，不能更正归属' });
  return sheet;
}

import { shanghaiTime } from '#domain/base/calendar.ts';
import { isSameHuman } from '#domain/warning/decision/secondPerson.ts';
import { archivePathOf } from '#contract/population.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName } from '#server/security/privacy.ts';
import * as contract from '#features/identity/identity.contract.ts';
import * as moves from '#features/identity/move.queries.ts';
import { notifyOfMove } from '#features/identity/moveCases.queries.ts';
import { assertMovable, moveSheets } from '#features/identity/moveSheet.ts';
import { findRosterRow } from '#features/identity/moveUnit.queries.ts';
import { lockSheets, type SheetRow } from '#features/identity/sheet.queries.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';
import { actorId, assertSecondHuman, findActor, operatorOf, type StaffContext } from '#features/warning/handling/transition.ts';
import { findAbleStaff } from '#features/warning/handover/handover.queries.ts';
import { findHumanKeys } from '#features/warning/humans.queries.ts';

const getExamMoveList = handle(contract.getExamMoveList, async ({ cuserid }, ctx) => {
  const { scope, caller } = ctx;
  const human = await findActor(ctx);
  const rows = await moves.findMoves(scope, cuserid);
  return {
    exams: (await moves.findSheets(scope, cuserid)).map(({ submittime, taskname, ...row }) => ({
      ...row,
      taskname: taskname ?? '',
      submittime: submittime ? shanghaiTime(submittime) : '',
    })),
    moves: rows.map(({ askkeys, submittime, asktime, fromname, toname, ...row }) => ({
      ...row,
      fromname: displayName(caller, fromname),
      toname: displayName(caller, toname),
      submittime: shanghaiTime(submittime),
      asktime: shanghaiTime(asktime),
      cananswer: row.status === '01' && human.length > 0 && !isSameHuman(human, askkeys) ? 1 : 0,
    })),
  };
});

/** A correction: the sheet and its new person, or another sheet to swap with. */
interface Correction {
  sheet: SheetRow;
  to: string | SheetRow;
}
const targetOf = ({ to }: Correction): string => (typeof to === 'string' ? to : to.cuserid);
const sheetsOf = ({ sheet, to }: Correction): SheetRow[] => (typeof to === 'string' ? [sheet] : [sheet, to]);

/** Locks the sheet and checks that it may move to the person. */
async function findMove(ctx: StaffContext, examcode: string, cuserid: string): Promise<Correction> {
  const [row] = await lockSheets(ctx.scope, [examcode]);
  const sheet = await assertMovable(ctx.scope, row, cuserid);
  permittedPopulations(ctx.caller, sheet.appid);
  const roster = await findRosterRow(ctx.scope, sheet, cuserid);
  if (roster?.status === 1) throw problems.wrongState({ why: '该受测者正在作答这个任务，请等其提交后再用“互换两份答卷”' });
  if (roster && (roster.status === 2 || roster.status === 4))
    throw problems.wrongState({ why: '该受测者在这个任务中已有答卷，请改用“互换两份答卷”' });
  return { sheet, to: cuserid };
}

/** Locks both sheets and checks that they may change places. */
async function findSwap(ctx: StaffContext, examcode: string, otherexamcode: string): Promise<Correction> {
  const rows = await lockSheets(ctx.scope, [examcode, otherexamcode]);
  const sheet = rows.find((row) => row.examcode === examcode);
  const other = rows.find((row) => row.examcode === otherexamcode);
  if (!sheet || !other) throw problems.notFound({ what: '答卷' });
  await assertMovable(ctx.scope, sheet, other.cuserid);
  await assertMovable(ctx.scope, other, sheet.cuserid);
  permittedPopulations(ctx.caller, sheet.appid);
  if (sheet.plancode !== other.plancode || sheet.taskcode !== other.taskcode || sheet.stagecode !== other.stagecode)
    throw problems.wrongState({ why: '只能互换同一任务、同一方案的两份答卷' });
  return { sheet, to: other };
}

/** Whether another human must agree: the sheet has an alert or a level of 3 or above. */
const isGrave = ({ hasalert, overalllevel }: SheetRow): boolean => hasalert === 1 || (overalllevel ?? 0) >= 3;

/** Does a correction, or asks a second person for a grave one. */
async function correctOrAsk(ctx: StaffContext, correction: Correction, reason: string) {
  const { scope, now, caller } = ctx;
  const { sheet, to } = correction;
  const codes = sheetsOf(correction).map(({ examcode }) => examcode);
  const waiting = await moves.findWaitingMove(scope, codes);
  if (waiting) throw problems.wrongState({ why: `${waiting.askname} 已申请更正这份答卷，正在等待第二人复核` });
  const askkeys = await findActor(ctx);
  const waits = sheetsOf(correction).some(isGrave);
  if (waits && askkeys.length === 0)
    throw problems.wrongState({ why: '这份答卷有预警或属于重度，须由具名人员申请、第二人复核；机构主账号和共用账号不能申请' });
  const moveid = await moves.addMove(scope, {
    musercode: sheet.musercode,
    kind: typeof to === 'string' ? '01' : '02',
    examcode: sheet.examcode,
    otherexamcode: typeof to === 'string' ? null : to.examcode,
    cuserid: sheet.cuserid,
    tocuserid: targetOf(correction),
    status: waits ? '01' : '02',
    reason,
    askuserid: actorId(caller),
    askname: caller.name,
    askkeys,
    asktime: now,
  });
  ctx.audit({ cuserids: [sheet.cuserid, targetOf(correction)], objectid: sheet.examcode, detail: { moveid, codes, waits } });
  if (waits) await askSecondPersons(ctx, correction, { moveid, askkeys });
  else await correct(ctx, correction, moveid);
  return { moveid, waits: waits ? 1 : 0 };
}

/** Tells the other able staff that a correction waits for one of them. */
async function askSecondPersons(
  ctx: StaffContext,
  { sheet }: Correction,
  { moveid, askkeys }: { moveid: number; askkeys: readonly string[] },
): Promise<void> {
  const { scope, now, caller } = ctx;
  const userids: string[] = [];
  for (const { userid, musercode } of await findAbleStaff(scope, sheet.musercode, now))
    if (musercode === sheet.musercode && !isSameHuman(await findHumanKeys(scope, userid), askkeys)) userids.push(userid);
  await addNotices(
    scope,
    userids.map((userid) => ({
      musercode: sheet.musercode,
      userid,
      kind: 'warning' as const,
      title: '请您复核：更正答卷归属',
      content: `${caller.name} 申请更正一份有预警的答卷的归属。请打开档案核对后同意或退回；在此之前答卷和个案都不变。`,
      link: archivePathOf(sheet.appid, sheet.cuserid),
      dedupekey: `sheetmove:ask:${moveid}:${userid}`,
      createtime: now,
    })),
  );
}

/** Does a correction and tells the owners and the readers of the wrong report. */
async function correct(ctx: StaffContext, correction: Correction, moveid: number): Promise<void> {
  const { scope, now, caller } = ctx;
  const { sheet, to } = correction;
  await moveSheets({ scope, now, moveid, ...operatorOf(caller) }, sheet, to);
  const persons = [sheet.cuserid, targetOf(correction)];
  const link = archivePathOf(sheet.appid, targetOf(correction));
  for (const one of sheetsOf(correction)) await notifyOfMove(scope, one, persons, { moveid, link, now, except: actorId(caller) });
}

const moveExam = handle(contract.moveExam, async ({ examcode, cuserid, reason }, ctx) =>
  correctOrAsk(ctx, await findMove(ctx, examcode, cuserid), reason),
);

const swapExam = handle(contract.swapExam, async ({ examcode, otherexamcode, reason }, ctx) =>
  correctOrAsk(ctx, await findSwap(ctx, examcode, otherexamcode), reason),
);

const answerExamMove = handle(contract.answerExamMove, async ({ moveid, agreed, content }, ctx) => {
  const { scope, now, caller } = ctx;
  const move = await moves.lockMove(scope, moveid);
  if (!move) throw problems.notFound({ what: '更正申请' });
  if (move.status !== '01') throw problems.wrongState({ why: '该申请已有结果，请刷新' });
  await assertSecondHuman(ctx, move.askkeys);
  const status = agreed === 1 ? ('02' as const) : ('03' as const);
  const [{ appid } = { appid: '' }] = await lockSheets(scope, [move.examcode]);
  await moves.answerMove(scope, moveid, {
    status,
    answerby: actorId(caller),
    answername: caller.name,
    answer: content,
    answertime: now,
  });
  ctx.audit({ cuserids: [move.cuserid, move.tocuserid], objectid: move.examcode, detail: { moveid, status } });
  if (agreed === 1) {
    const correction =
      move.otherexamcode === null
        ? await findMove(ctx, move.examcode, move.tocuserid)
        : await findSwap(ctx, move.examcode, move.otherexamcode);
    if (correction.sheet.cuserid !== move.cuserid || targetOf(correction) !== move.tocuserid)
      throw problems.wrongState({ why: '申请之后答卷的归属已改变，请退回后重新申请' });
    await correct(ctx, correction, moveid);
  }
  await addNotices(scope, [
    {
      musercode: move.musercode,
      userid: move.askuserid,
      kind: 'warning',
      title: `答卷更正${agreed === 1 ? '已完成' : '被退回'}`,
      content: `${caller.name}${agreed === 1 ? '同意了您的更正申请，答卷已归还作答者' : `退回了您的更正申请：${content}`}`,
      link: archivePathOf(appid, agreed === 1 ? move.tocuserid : move.cuserid),
      dedupekey: `sheetmove:answer:${moveid}:${move.askuserid}`,
      createtime: now,
    },
  ]);
  return { status };
});

export const identityHandlers = [getExamMoveList, moveExam, swapExam, answerExamMove];

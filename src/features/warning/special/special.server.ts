import type { z } from 'zod';
import { fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { withContact } from '#domain/warning/clock/clocks.ts';
import { CONTACT_DUTIES, dischargeOf, formatCompanion } from '#domain/warning/clock/caseduty.ts';
import { CONFIRM_SUBJECTS } from '#domain/warning/decision/secondPerson.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { actOrAsk } from '#features/warning/second/askSecond.ts';
import { saveConfirmation } from '#features/warning/second/saveConfirmation.ts';
import { cancelFollowUps } from '#features/warning/cases/caseDetail.queries.ts';
import * as contract from '#features/warning/special/special.contract.ts';
import * as queries from '#features/warning/special/special.queries.ts';
import { findTarget } from '#features/warning/transfer/sendTransfer.ts';
import {
  applyTransition,
  assertKnownPerson,
  assertNotActing,
  assertVersion,
  lockCase,
  operatorOf,
  saveTransition,
  type StaffContext,
} from '#features/warning/handling/transition.ts';

const getColleagueList = handle(contract.getColleagueList, (_, { scope, caller }) =>
  queries.findColleagues(scope, caller.musercode),
);

const confirmWarning = handle(contract.confirmWarning, async ({ subject, objectid, content, ...target }, ctx) => {
  assertNotActing(ctx);
  // A case of another institution does not exist, also for a request without a version.
  await lockCase(ctx, target.warningcode);
  // A confirmation without the version that it confirms would not prove that the second person has opened the case.
  if (target.version === undefined) throw problems.invalid({ message: '请先打开个案再复核' }, { field: 'version' });
  const after = await applyTransition(
    ctx,
    target,
    { kind: 'confirm', subject, content },
    { action: '复核', content: `${CONFIRM_SUBJECTS[subject]}：${content}`, detail: { subject, objectid } },
  );
  await saveConfirmation(ctx, target.warningcode, { subject, content, objectid });
  return after;
});

const transferWarning = handle(
  contract.transferWarning,
  async ({ receiver, person, phone, content, seconds, ...target }, ctx) => {
    assertNotActing(ctx);
    const islinked = (await findTarget(ctx, receiver)) !== undefined;
    const to = `${receiver} · ${person} · ${phone}`;
    const log = { action: '移交', content: `${to}：${content}` };
    return actOrAsk(ctx, target, { kind: 'transfer', to, islinked }, log, seconds);
  },
);
const receiveWarning = handle(contract.receiveWarning, ({ content, ...target }, ctx) =>
  applyTransition(ctx, target, { kind: 'receive' }, { action: '移交回执', content }),
);

/** A time that a form may leave open; refuses (120002) a time in the future. */
function pastTime(ctx: StaffContext, time: string | undefined): Date {
  const at = time ? fromShanghai(time) : ctx.now;
  if (at > ctx.now) throw problems.invalid({ message: '时间不能晚于现在' }, { field: 'time' });
  return at;
}

const dischargeWarning = handle(contract.dischargeWarning, async ({ hospital, time, afterattempt, content, ...target }, ctx) => {
  const discharged = pastTime(ctx, time);
  await assertKnownPerson(ctx, (await lockCase(ctx, target.warningcode)).row);
  return applyTransition(
    ctx,
    target,
    { kind: 'discharge', time: discharged, afterattempt: afterattempt === 1 },
    { action: '出院', content: `${hospital} · ${shanghaiTime(discharged).slice(0, 16)}：${content}` },
  );
});

/** Who accompanied the person in danger; refuses a record without a name or role, or with impossible times. */
function findCompanion(
  ctx: StaffContext,
  { companion, companionrole, ...times }: Pick<RequestOfDuty, 'companion' | 'companionrole' | 'companionfrom' | 'companionuntil'>,
): queries.Companion {
  if (!companion && !companionrole) throw problems.invalid({ message: '请填写陪伴人的姓名或身份' }, { field: 'companion' });
  const companionfrom = times.companionfrom ? fromShanghai(times.companionfrom) : ctx.now;
  const companionuntil = times.companionuntil ? fromShanghai(times.companionuntil) : null;
  if (companionfrom > ctx.now) throw problems.invalid({ message: '陪伴开始时间不能晚于现在' }, { field: 'companionfrom' });
  if (companionuntil && companionuntil > ctx.now)
    throw problems.invalid({ message: '陪伴尚未结束的，请不填结束时间' }, { field: 'companionuntil' });
  if (companionuntil && companionuntil <= companionfrom)
    throw problems.invalid({ message: '陪伴结束时间须晚于开始时间' }, { field: 'companionuntil' });
  return { companion, companionrole, companionfrom, companionuntil };
}
type RequestOfDuty = z.output<(typeof contract.finishDuty)['request']>;

const finishDuty = handle(contract.finishDuty, async ({ dutyid, unit, time, receipt, content, ...request }, ctx) => {
  const lockedCase = await lockCase(ctx, request.warningcode);
  await assertVersion(ctx, lockedCase, request.version);
  const { facts } = lockedCase;
  const duty = facts.duties.find((item) => item.dutyid === dutyid);
  if (!duty) throw problems.notFound({ what: '专项职责' });
  if (duty.donetime) throw problems.wrongState({ why: '该项已经登记，不能重复登记' });
  const companion = duty.kind === 'danger' ? findCompanion(ctx, request) : undefined;
  if (!companion && !unit) throw problems.invalid({ message: '请填写接报单位或联系人' }, { field: 'unit' });
  const donetime = companion?.companionfrom ?? pastTime(ctx, time);
  if (CONTACT_DUTIES.includes(duty.kind) && donetime < dischargeOf(duty))
    throw problems.invalid({ message: '联系时间早于出院时间，请登记出院后的联系' }, { field: 'time' });
  await queries.saveDutyRecord(ctx.scope, dutyid, { unit, receipt, content, ...companion, ...operatorOf(ctx.caller) });
  const duties = facts.duties.map((item) => (item === duty ? { ...item, donetime } : item));
  const isContact = CONTACT_DUTIES.includes(duty.kind) && isOpen(facts) && !facts.death;
  const after = isContact ? { ...withContact(facts, donetime), duties } : { ...facts, duties };
  const record = companion
    ? [formatCompanion(companion)]
    : [unit, shanghaiTime(donetime).slice(0, 16), receipt && `回执 ${receipt}`];
  return saveTransition(ctx, lockedCase, after, {
    action: duty.title,
    content: [...record, content].filter(Boolean).join(' · '),
    detail: { dutyid, kind: duty.kind },
  });
});

const reportDeath = handle(contract.reportDeath, async ({ source, ...target }, ctx) => {
  assertNotActing(ctx);
  const after = await applyTransition(ctx, target, { kind: 'reportdeath', source }, { action: '登记死亡', content: source });
  const { cuserid } = await queries.findCaseKeys(ctx.scope, target.warningcode);
  await queries.takeOffLists(ctx.scope, cuserid, ctx.now);
  await cancelFollowUps(ctx.scope, target.warningcode);
  return after;
});
const correctDeath = handle(contract.correctDeath, async ({ reason, seconds, ...target }, ctx) => {
  assertNotActing(ctx);
  const log = { action: '更正死亡登记', content: reason };
  const after = await actOrAsk(ctx, target, { kind: 'correctdeath', reason }, log, seconds);
  if (after.waits === 1) return after;
  const { cuserid } = await queries.findCaseKeys(ctx.scope, target.warningcode);
  await queries.putBackOnLists(ctx.scope, cuserid, ctx.now);
  return after;
});

/** The handlers of the rarer steps of a case. */
export const specialHandlers = [
  getColleagueList,
  confirmWarning,
  transferWarning,
  receiveWarning,
  dischargeWarning,
  finishDuty,
  reportDeath,
  correctDeath,
];

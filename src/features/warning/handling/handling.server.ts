import { fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { followSchedule } from '#domain/warning/deadline.ts';
import { CloseReason, ContactResult, ReferralStatus } from '#domain/base/enums.ts';
import { levelName, transition } from '#domain/warning/warning.ts';
import { isOpen, type WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import { attachCaseFiles } from '#features/warning/files/casefile.server.ts';
import { findStaff } from '#features/warning/duty/duty.queries.ts';
import * as contract from '#features/warning/handling/handling.contract.ts';
import {
  addFollowUps,
  addReferral,
  changeReferral,
  dropFollowUps,
  findGuardians,
  markGuardianTime,
  markReferred,
} from '#features/warning/cases/caseDetail.queries.ts';
import { openCase } from '#features/warning/alerts/openCase.queries.ts';
import {
  actorId,
  applyRules,
  lockCase,
  applyTransition,
  saveTransition,
  assertVersion,
} from '#features/warning/handling/transition.ts';
import { isMinor, sectorOf } from '#features/warning/warning.queries.ts';

const insertWarning = handle(
  contract.insertWarning,
  async ({ cuserid, level, source, content }, { scope, caller, now, audit }) => {
    const person = await findCUser(scope, cuserid);
    if (!person) throw problems.notFound({ what: '受测者' });
    const { warningcode, joined } = await openCase(scope, {
      cuserid,
      musercode: person.musercode,
      appid: person.appid,
      trigger: { source, level: level as WarningLevelCode, itemtrigger: false, rulecodes: [], alerts: [], alertmsgs: [content] },
      at: now,
      minor: isMinor(person, now),
      sector: await sectorOf(scope, person.musercode),
      operator: caller,
    });
    audit({ objectid: warningcode });
    return { warningcode, joined };
  },
);

/** The person who is to own a case must be able to take one in that institution. */
async function ownerFor(ctx: Parameters<typeof lockCase>[0], musercode: string, userid: string): Promise<string> {
  const staff = await findStaff(ctx.scope, musercode, {}, ctx.now);
  const person = staff.find(
    (candidate) =>
      candidate.userid === userid && candidate.roles.some((role) => ['psychologist', 'warningduty', 'insadmin'].includes(role)),
  );
  if (!person && userid !== actorId(ctx.caller)) throw problems.notFound({ what: '可分派的责任人' });
  return person?.realname ?? ctx.caller.name;
}

const acceptWarning = handle(contract.acceptWarning, async ({ owneruserid, ...at }, ctx) => {
  const heldCase = await lockCase(ctx, at.warningcode);
  const userid = owneruserid ?? actorId(ctx.caller);
  const after = await applyRules(ctx, heldCase, { kind: 'accept', owneruserid: userid });
  const name = owneruserid ? await ownerFor(ctx, heldCase.row.musercode, owneruserid) : ctx.caller.name;
  // Taking over needs no fresh view: who comes second is told who came first.
  return saveTransition(ctx, heldCase, after, { action: '受理', content: `责任人：${name}` });
});

const assignWarning = handle(contract.assignWarning, async ({ owneruserid, content, ...at }, ctx) => {
  const { row } = await lockCase(ctx, at.warningcode);
  const name = await ownerFor(ctx, row.musercode, owneruserid);
  return applyTransition(
    ctx,
    at,
    { kind: 'assign', owneruserid },
    { action: '分派', content: [`责任人：${name}`, content].filter(Boolean).join('。') },
  );
});

const verifyWarning = handle(contract.verifyWarning, ({ contactresult, content, falsealarm, ...at }, ctx) => {
  const log = {
    action: falsealarm ? '排除' : '核实',
    content: `${ContactResult.label(contactresult)}：${content}`,
    contactresult,
  };
  return applyTransition(ctx, at, falsealarm ? { kind: 'exclude', content } : { kind: 'verify', contactresult, content }, log);
});

const updateWarningLevel = handle(contract.updateWarningLevel, async ({ level, reason, ...at }, ctx) => {
  const heldCase = await lockCase(ctx, at.warningcode);
  const to = level as WarningLevelCode;
  const up = to > heldCase.facts.level;
  const name = (each: WarningLevelCode) => levelName(each, heldCase.facts.sector);
  return applyTransition(
    ctx,
    at,
    { kind: up ? 'raise' : 'lower', level: to, reason },
    { action: up ? '升级' : '降级', content: `${name(heldCase.facts.level)} → ${name(to)}：${reason}` },
  );
});

const insertWarningLog = handle(contract.insertWarningLog, async ({ action, content, warningcode }, ctx) => {
  const heldCase = await lockCase(ctx, warningcode);
  const { facts } = heldCase;
  const after =
    action === '访谈'
      ? { ...facts, interviewtime: ctx.now }
      : action === '联系尝试'
        ? { ...facts, contactattempts: [...facts.contactattempts, ctx.now] }
        : facts;
  return saveTransition(ctx, heldCase, after, { action, content });
});

const notifyGuardian = handle(
  contract.notifyGuardian,
  async ({ guardianid, guardianname, method, time, content, fileids, ...at }, ctx) => {
    const { row } = await lockCase(ctx, at.warningcode);
    const known =
      guardianid === undefined
        ? undefined
        : (await findGuardians(ctx.scope, row.cuserid)).find((candidate) => candidate.guardianid === guardianid);
    if (guardianid !== undefined && !known) throw problems.notFound({ what: '监护人' });
    const guardian = known?.name ?? guardianname;
    if (!guardian) throw problems.invalid({ message: '请填写被告知人' }, { field: 'guardianname' });
    const notifiedAt = time ? fromShanghai(time) : ctx.now;
    if (notifiedAt > ctx.now) throw problems.invalid({ message: '告知时间不能晚于现在' }, { field: 'time' });
    const log = {
      action: '告知监护人',
      content: `${guardian} · ${contract.guardianMethods[method]} · ${shanghaiTime(notifiedAt).slice(0, 16)}：${content}`,
      detail: { guardianid: guardianid ?? null, method },
      attach: fileids,
    };
    const after = await applyTransition(ctx, at, { kind: 'notifyguardian' }, log);
    await attachCaseFiles(ctx, { row }, fileids, '01');
    await markGuardianTime(ctx.scope, row.warningcode, notifiedAt);
    return after;
  },
);
const exemptGuardian = handle(contract.exemptGuardian, ({ reason, ...at }, ctx) =>
  applyTransition(ctx, at, { kind: 'exemptguardian', reason }, { action: '不告知监护人', content: reason }),
);

const insertReferral = handle(
  contract.insertReferral,
  async ({ tohospital, todept, reason, urgent, fileids, version, warningcode }, ctx) => {
    const heldCase = await lockCase(ctx, warningcode);
    await assertVersion(ctx, heldCase, version);
    const { row, facts, settings } = heldCase;
    if (!isOpen(facts)) throw problems.wrongState({ why: '预警已结束，请先重开' });
    const { referralid } = await addReferral(ctx.scope, {
      warningcode,
      cuserid: row.cuserid,
      musercode: row.musercode,
      tohospital,
      todept,
      reason,
      urgent,
      operator: ctx.caller.accountid,
      time: ctx.now,
      updatetime: ctx.now,
    });
    await markReferred(ctx.scope, warningcode);
    await attachCaseFiles(ctx, heldCase, fileids, '02');
    const withReferral = { ...facts, referrals: [...facts.referrals, { time: ctx.now, status: '01' as const }] };
    // In treatment or observation the letter is the step; earlier it only lies ready.
    const moved = transition(withReferral, { kind: 'refer' }, { now: ctx.now, userid: actorId(ctx.caller), ...settings.trigger });
    const log = {
      action: '转介',
      content: `${urgent ? '【紧急】' : ''}${[tohospital, todept].filter(Boolean).join(' ')}：${reason}`,
      detail: { referralid },
      attach: fileids,
    };
    return { ...(await saveTransition(ctx, heldCase, moved.ok ? moved.after : withReferral, log)), referralid };
  },
);
const updateReferral = handle(
  contract.updateReferral,
  async ({ referralid, status, visitdate, feedback, fileids, version, warningcode }, ctx) => {
    const heldCase = await lockCase(ctx, warningcode);
    await assertVersion(ctx, heldCase, version);
    const known = await changeReferral(ctx.scope, warningcode, referralid, {
      status,
      visitdate: visitdate || null,
      feedback,
      updatetime: ctx.now,
    });
    if (!known) throw problems.notFound({ what: '转介单' });
    await attachCaseFiles(ctx, heldCase, fileids, '03');
    return saveTransition(ctx, heldCase, heldCase.facts, {
      action: '转介回执',
      content: [ReferralStatus.label(status), visitdate, feedback].filter(Boolean).join(' · '),
      detail: { referralid },
      attach: fileids,
    });
  },
);

const startIntervene = handle(contract.startIntervene, ({ plantext, ...at }, ctx) =>
  applyTransition(
    ctx,
    at,
    { kind: 'intervene' },
    { action: '干预', content: plantext ? `开始干预。安全计划：${plantext}` : '开始干预' },
    (facts) => (plantext ? { ...facts, plantext } : facts),
  ),
);

const observe = handle(contract.observe, async ({ begindate, method, ...at }, ctx) => {
  const heldCase = await lockCase(ctx, at.warningcode);
  const { row, facts } = heldCase;
  const pending = facts.followups.some(({ status }) => status === '01' || status === '03');
  // Appointments stand at the end of a working day: nobody is expected at the minute somebody pressed a button.
  const from = fromShanghai(`${begindate ?? shanghaiDate(ctx.now)} 17:00`);
  const dues = pending ? [] : followSchedule(facts.level, from).filter((due) => due > ctx.now);
  const added = dues.length
    ? await addFollowUps(
        ctx.scope,
        dues.map((duetime, index) => ({
          cuserid: row.cuserid,
          musercode: row.musercode,
          warningcode: row.warningcode,
          planname: '预警随访',
          seq: index + 1,
          duetime,
          method,
          operator: ctx.caller.accountid,
          createtime: ctx.now,
        })),
      )
    : [];
  const followups = [...facts.followups, ...added.map(({ duetime }) => ({ duetime, status: '01' as const, donetime: null }))];
  const all = followups.filter(({ status }) => status === '01').map(({ duetime }) => duetime);
  const content = added.length ? `随访计划 ${added.length} 次，首次 ${shanghaiDate(added[0]!.duetime)}` : '沿用已有随访计划';
  return {
    ...(await applyTransition(ctx, at, { kind: 'observe' }, { action: '随访观察', content }, (now) => ({ ...now, followups }))),
    duetimes: all.map(shanghaiTime),
  };
});

const closeWarning = handle(contract.closeWarning, async ({ closereason, closenote, ...at }, ctx) => {
  const after = await applyTransition(
    ctx,
    at,
    { kind: 'close', closereason, closenote },
    { action: '结案', content: `${CloseReason.label(closereason)}：${closenote}` },
  );
  await dropFollowUps(ctx.scope, at.warningcode);
  return after;
});
const reopenWarning = handle(contract.reopenWarning, ({ reason, ...at }, ctx) =>
  applyTransition(ctx, at, { kind: 'reopen', reason }, { action: '重开', content: reason }),
);
const confirmWarning = handle(contract.confirmWarning, ({ content, ...at }, ctx) =>
  applyTransition(ctx, at, { kind: 'confirm', content }, { action: '复核', content }),
);

export const handlingHandlers = [
  insertWarning,
  acceptWarning,
  assignWarning,
  verifyWarning,
  updateWarningLevel,
  insertWarningLog,
  notifyGuardian,
  exemptGuardian,
  insertReferral,
  updateReferral,
  startIntervene,
  observe,
  closeWarning,
  reopenWarning,
  confirmWarning,
];

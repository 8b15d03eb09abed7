import { addHours, ageOn, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { levelName } from '#domain/warning/levels.ts';
import { DEFAULT_LOCAL_DUTIES, dutiesOfSigns, findSigns, withDuties } from '#domain/warning/clock/caseduty.ts';
import { earlier, VISIT_HOURS, withContact, withFailedContact, withVisit } from '#domain/warning/clock/clocks.ts';
import { EXEMPT_GROUNDS, type ExemptGround } from '#domain/warning/decision/exemption.ts';
import { followSchedule } from '#domain/warning/deadline.ts';
import type { CodeOf } from '#domain/base/enum.ts';
import { CloseReason, ContactResult, ReferralStatus } from '#domain/base/enums.ts';
import { transition } from '#domain/warning/warning.ts';
import { isSuspectedGuardian } from '#domain/warning/suspect.ts';
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
  saveReferralFeedback,
  cancelFollowUps,
  findGuardians,
  findReferrals,
  markReferred,
} from '#features/warning/cases/caseDetail.queries.ts';
import { findMember } from '#features/warning/handover/handover.queries.ts';
import { openCase } from '#features/warning/alerts/openCase.queries.ts';
import { actOrAsk, askToConfirm } from '#features/warning/second/askSecond.ts';
import {
  actorId,
  applyRules,
  lockCase,
  applyTransition,
  assertNotActing,
  assertKnownPerson,
  assertVersion,
  DEAD,
  findActor,
  saveTransition,
  type StaffContext,
} from '#features/warning/handling/transition.ts';
import { assertMentions, notifyMentioned } from '#features/warning/note/mentions.ts';
import { findLastHandler, isMinor, isTransferred, findSector, type WarningRecord } from '#features/warning/warning.queries.ts';

const insertWarning = handle(
  contract.insertWarning,
  async ({ cuserid, level, source, content, signs, suspectuserid, suspectname }, { scope, caller, now, audit }) => {
    const person = await findCUser(scope, cuserid);
    if (!person) throw problems.notFound({ what: '受测者' });
    if (suspectuserid && !(await findMember(scope, suspectuserid))) throw problems.notFound({ what: '工作人员' });
    const { warningcode, joined } = await openCase(scope, {
      cuserid,
      musercode: person.musercode,
      appid: person.appid,
      trigger: {
        source,
        level: level as WarningLevelCode,
        itemtrigger: false,
        rulecodes: [],
        alerts: [],
        alertmsgs: [content],
        // Naming a suspect says that harm is suspected, in whatever words.
        signs: findSigns(content, suspectuserid || suspectname ? [...signs, 'abuse'] : signs),
      },
      time: now,
      isMinor: isMinor(person, now),
      sector: await findSector(scope, person.musercode),
      ...((suspectuserid || suspectname) && {
        suspect: { suspectuserids: suspectuserid ? [suspectuserid] : [], suspectname },
      }),
      operator: caller,
    });
    audit({ objectid: warningcode });
    return { warningcode, joined };
  },
);

/** The name of a new owner. Refuses (130001) staff who cannot own the case: also a suspected source of harm, a main or shared account. */
async function findOwnerName(
  ctx: Parameters<typeof lockCase>[0],
  { musercode, suspectuserids }: Pick<WarningRecord, 'musercode' | 'suspectuserids'>,
  userid: string,
): Promise<string> {
  const staff = await findStaff(ctx.scope, musercode, {}, ctx.now);
  const person = staff.find(
    (candidate) =>
      candidate.userid === userid &&
      candidate.isAble &&
      !suspectuserids.includes(candidate.userid) &&
      candidate.roles.some((role) => ['psychologist', 'warningduty', 'insadmin'].includes(role)),
  );
  const isSelf = userid === ctx.caller.userid && ctx.caller.loginasby === null && (await findActor(ctx)).length > 0;
  if (!person && !isSelf) throw problems.notFound({ what: '可分派的责任人' });
  return person?.realname ?? ctx.caller.name;
}

const acceptWarning = handle(contract.acceptWarning, async ({ owneruserid, ...target }, ctx) => {
  const lockedCase = await lockCase(ctx, target.warningcode);
  const userid = owneruserid ?? actorId(ctx.caller);
  // Nobody stands behind a main or shared account, and an acting account leaves again: neither owns a case.
  if (owneruserid === undefined && (ctx.caller.loginasby !== null || (await findActor(ctx)).length === 0))
    throw problems.invalid({ message: '机构主账号和共用账号不能作为责任人，请选择责任人' }, { field: 'owneruserid' });
  const after = await applyRules(ctx, lockedCase, { kind: 'accept', owneruserid: userid });
  const name = owneruserid ? await findOwnerName(ctx, lockedCase.row, owneruserid) : ctx.caller.name;
  // Accepting needs no version check: `applyRules` refuses a second acceptance and names the first.
  return saveTransition(ctx, lockedCase, after, { action: '受理', content: `责任人：${name}` });
});

const withdrawAcceptance = handle(contract.withdrawAcceptance, async ({ owneruserid, ...target }, ctx) => {
  const { row } = await lockCase(ctx, target.warningcode);
  if (await isTransferred(ctx.scope, target.warningcode))
    throw problems.wrongState({ why: '个案由其他机构转入，受理时已给对方回执，不能撤回' });
  const last = await findLastHandler(ctx.scope, target.warningcode);
  if (last?.action !== '受理' || last.operator !== ctx.caller.accountid)
    throw problems.wrongState({ why: '受理之后已有新的处理，或受理人不是您，不能撤回' });
  const name = owneruserid ? await findOwnerName(ctx, row, owneruserid) : '无';
  return applyTransition(ctx, target, { kind: 'unaccept', owneruserid }, { action: '撤回受理', content: `责任人：${name}` });
});

const assignWarning = handle(contract.assignWarning, async ({ owneruserid, content, ...target }, ctx) => {
  const { row } = await lockCase(ctx, target.warningcode);
  const name = await findOwnerName(ctx, row, owneruserid);
  return applyTransition(
    ctx,
    target,
    { kind: 'assign', owneruserid },
    { action: '分派', content: [`责任人：${name}`, content].filter(Boolean).join('。') },
  );
});

const verifyWarning = handle(contract.verifyWarning, async (input, ctx) => {
  const { contactresult, content, falsealarm, channel, seconds, ...target } = input;
  if (falsealarm) assertNotActing(ctx);
  const log = {
    action: falsealarm ? '排除' : '核实',
    content: `${ContactResult.label(contactresult)}：${content}`,
    contactresult,
  };
  if (falsealarm) return actOrAsk(ctx, target, { kind: 'exclude', content }, log, seconds);
  return { ...(await applyTransition(ctx, target, { kind: 'verify', contactresult, content, channel }, log)), waits: 0 };
});

const updateWarningLevel = handle(contract.updateWarningLevel, async ({ level, reason, ...target }, ctx) => {
  const lockedCase = await lockCase(ctx, target.warningcode);
  const newLevel = level as WarningLevelCode;
  const isRaise = newLevel > lockedCase.facts.level;
  if (!isRaise) assertNotActing(ctx);
  const nameOfLevel = (code: WarningLevelCode) => levelName(code, lockedCase.facts.sector);
  return applyTransition(
    ctx,
    target,
    { kind: isRaise ? 'raise' : 'lower', level: newLevel, reason },
    {
      action: isRaise ? '升级' : '降级',
      content: `${nameOfLevel(lockedCase.facts.level)} → ${nameOfLevel(newLevel)}：${reason}`,
    },
  );
});

const insertWarningLog = handle(contract.insertWarningLog, async ({ action, content, channel, warningcode, mentions }, ctx) => {
  const lockedCase = await lockCase(ctx, warningcode);
  const { facts } = lockedCase;
  await assertMentions(ctx, lockedCase, content, mentions);
  if (facts.death && (action === '访谈' || action === '联系尝试')) throw problems.wrongState({ why: DEAD });
  const after =
    action === '访谈'
      ? { ...withContact(facts, ctx.now), interviewtime: ctx.now }
      : action === '联系尝试'
        ? withFailedContact(facts, ctx.now, channel)
        : facts;
  // A failed attempt may be taken back: the line says when U was due before.
  const detail = action === '联系尝试' && { detail: { contactduebefore: facts.contactduetime } };
  const saved = await saveTransition(ctx, lockedCase, after, { action, content, ...detail });
  await notifyMentioned(ctx, lockedCase, saved.version, mentions);
  return saved;
});

/** An institution above tells the guardian only of a case that it owns: the school may have nobody left who could. */
function assertTellsGuardian({ caller }: StaffContext, { owneruserid }: WarningRecord): void {
  if (caller.musertype === '002' && owneruserid !== caller.userid) throw problems.notAllowed();
}

const notifyGuardian = handle(
  contract.notifyGuardian,
  async ({ guardianid, guardianname, method, time, content, fileids, ...target }, ctx) => {
    const { row } = await lockCase(ctx, target.warningcode);
    assertTellsGuardian(ctx, row);
    const guardianRow =
      guardianid === undefined
        ? undefined
        : (await findGuardians(ctx.scope, row.cuserid)).find((candidate) => candidate.guardianid === guardianid);
    if (guardianid !== undefined && !guardianRow) throw problems.notFound({ what: '监护人' });
    const guardian = guardianRow?.name ?? guardianname;
    if (!guardian) throw problems.invalid({ message: '请填写被告知人' }, { field: 'guardianname' });
    if (isSuspectedGuardian(row.suspectname, guardianRow ?? { name: guardian, relation: '' }))
      throw problems.invalid(
        { message: '该监护人疑似侵害人，请勿联系；请告知其他监护人，或登记不告知的理由' },
        { field: guardianRow ? 'guardianid' : 'guardianname' },
      );
    const notifiedAt = time ? fromShanghai(time) : ctx.now;
    if (notifiedAt > ctx.now) throw problems.invalid({ message: '告知时间不能晚于现在' }, { field: 'time' });
    // What the guardian heard long before the last news says nothing about it (clinical-rules A: 24 hours).
    if (notifiedAt < addHours(row.newstime, -24))
      throw problems.invalid({ message: '此后又有新情况，请再次告知并登记这次的时间' }, { field: 'time' });
    const log = {
      action: '告知监护人',
      content: `${guardian} · ${contract.guardianMethods[method]} · ${shanghaiTime(notifiedAt).slice(0, 16)}：${content}`,
      detail: { guardianid: guardianid ?? null, method },
      attach: fileids,
    };
    const after = await applyTransition(ctx, target, { kind: 'notifyguardian', time: notifiedAt }, log);
    await attachCaseFiles(ctx, { row }, fileids, '01');
    return after;
  },
);
/** Ground 5 needs a known age from 16: a child of ten has no own income to live on. */
async function assertAgeOfGround(ctx: StaffContext, warningcode: string, ground: ExemptGround): Promise<void> {
  if (ground !== 5) return;
  const { row } = await lockCase(ctx, warningcode);
  const person = await findCUser(ctx.scope, row.cuserid);
  if (!person?.birthday || ageOn(person.birthday, ctx.now) < 16)
    throw problems.invalid({ message: '该理由只适用于16–17岁，且须有出生日期' }, { field: 'ground' });
}

const exemptGuardian = handle(contract.exemptGuardian, async ({ ground, reason, alternate, seconds, ...target }, ctx) => {
  assertNotActing(ctx);
  const { title, abuse } = EXEMPT_GROUNDS[ground];
  await assertAgeOfGround(ctx, target.warningcode, ground);
  const lockedCase = await lockCase(ctx, target.warningcode);
  const { row, facts, settings } = lockedCase;
  assertTellsGuardian(ctx, row);
  const local = settings.trigger.local ?? DEFAULT_LOCAL_DUTIES;
  const after = await applyTransition(
    ctx,
    target,
    { kind: 'exemptguardian', ground, reason, alternate },
    { action: '不告知监护人', content: `${title}：${reason}。改为告知：${alternate}`, detail: { ground } },
    (current) => (abuse ? withDuties(current, dutiesOfSigns(['abuse'], facts.minor, ctx.now, local)) : current),
  );
  if (facts.peaklevel >= 3) {
    const summary = `不告知监护人：${title}：${reason}。改为告知：${alternate}`;
    await askToConfirm(ctx, lockedCase, facts, { subject: 'exempt', summary, seconds });
  }
  return after;
});

const insertReferral = handle(
  contract.insertReferral,
  async ({ tohospital, todept, reason, urgent, fileids, version, warningcode }, ctx) => {
    const lockedCase = await lockCase(ctx, warningcode);
    await assertVersion(ctx, lockedCase, version);
    const { row, facts, settings } = lockedCase;
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
    await attachCaseFiles(ctx, lockedCase, fileids, '02');
    const withReferral = {
      ...facts,
      referrals: [...facts.referrals, { time: ctx.now, status: '01' as const }],
      // A further letter in 05 has its own visit.
      visitduetime:
        facts.state === '05' ? earlier(facts.visitduetime, addHours(ctx.now, VISIT_HOURS[facts.level])) : facts.visitduetime,
    };
    // The referral changes the state only of a case in intervention or observation. An earlier letter is only stored.
    const result = transition(
      withReferral,
      { kind: 'refer' },
      { now: ctx.now, userid: actorId(ctx.caller), human: await findActor(ctx), ...settings.trigger },
    );
    const log = {
      action: '转介',
      content: `${urgent ? '【紧急】' : ''}${[tohospital, todept].filter(Boolean).join(' ')}：${reason}`,
      detail: { referralid },
      attach: fileids,
    };
    return { ...(await saveTransition(ctx, lockedCase, result.ok ? result.after : withReferral, log)), referralid };
  },
);
const updateReferral = handle(
  contract.updateReferral,
  async ({ referralid, status, visitdate, feedback, fileids, version, warningcode }, ctx) => {
    const lockedCase = await lockCase(ctx, warningcode);
    await assertVersion(ctx, lockedCase, version);
    const referral = await saveReferralFeedback(ctx.scope, warningcode, referralid, {
      status,
      visitdate: visitdate || null,
      feedback,
      updatetime: ctx.now,
    });
    if (!referral) throw problems.notFound({ what: '转介单' });
    await attachCaseFiles(ctx, lockedCase, fileids, '03');
    const referrals = (await findReferrals(ctx.scope, warningcode)).map((row) => ({
      time: row.time,
      status: row.status as CodeOf<typeof ReferralStatus>,
    }));
    return saveTransition(ctx, lockedCase, withVisit({ ...lockedCase.facts, referrals }, ctx.now), {
      action: '转介回执',
      content: [ReferralStatus.label(status), visitdate, feedback].filter(Boolean).join(' · '),
      detail: { referralid },
      attach: fileids,
    });
  },
);

const startIntervene = handle(contract.startIntervene, (target, ctx) =>
  applyTransition(ctx, target, { kind: 'intervene' }, { action: '干预', content: '开始干预' }),
);

const observe = handle(contract.observe, async ({ begindate, method, ...target }, ctx) => {
  const lockedCase = await lockCase(ctx, target.warningcode);
  const { row, facts } = lockedCase;
  const hasPending = facts.followups.some(({ status }) => status === '01' || status === '03');
  // Follow-ups are due at 17:00, the end of a working day, not at the minute of this call.
  const from = fromShanghai(`${begindate ?? shanghaiDate(ctx.now)} 17:00`);
  const dues = hasPending ? [] : followSchedule(facts.level, from).filter((due) => due > ctx.now);
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
  const pendingDuetimes = followups.filter(({ status }) => status === '01').map(({ duetime }) => duetime);
  const content = added.length ? `随访计划 ${added.length} 次，首次 ${shanghaiDate(added[0]!.duetime)}` : '沿用已有随访计划';
  return {
    ...(await applyTransition(ctx, target, { kind: 'observe' }, { action: '随访观察', content }, (current) => ({
      ...current,
      followups,
    }))),
    duetimes: pendingDuetimes.map(shanghaiTime),
  };
});

const closeWarning = handle(contract.closeWarning, async ({ closereason, closenote, policerecord, seconds, ...target }, ctx) => {
  assertNotActing(ctx);
  const record = policerecord && `。公安查找记录或平安证明：${policerecord}`;
  const after = await actOrAsk(
    ctx,
    target,
    { kind: 'close', closereason, closenote, policerecord },
    { action: '结案', content: `${CloseReason.label(closereason)}：${closenote}${record}` },
    seconds,
  );
  if (after.waits === 0) await cancelFollowUps(ctx.scope, target.warningcode);
  return after;
});
const reopenWarning = handle(contract.reopenWarning, async ({ reason, ...target }, ctx) => {
  const { row } = await lockCase(ctx, target.warningcode);
  await assertKnownPerson(ctx, row);
  return applyTransition(ctx, target, { kind: 'reopen', reason }, { action: '重开', content: reason });
});
export const handlingHandlers = [
  insertWarning,
  acceptWarning,
  withdrawAcceptance,
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
];

import { shanghaiTime } from '#domain/base/calendar.ts';
import { WarningState } from '#domain/base/enums.ts';
import { closingCriteria } from '#domain/warning/closing.ts';
import { isSameHuman } from '#domain/warning/decision/secondPerson.ts';
import { transition } from '#domain/warning/warning.ts';
import type { WarningAction } from '#domain/warning/decision/warningAction.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { findStaff, findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import { notifyOfWarning, type CaseEvent } from '#features/warning/alerts/notify.queries.ts';
import { sendTransfer } from '#features/warning/transfer/sendTransfer.ts';
import { voidRequests } from '#features/warning/second/voidRequests.ts';
import { findHumanKeys } from '#features/warning/humans.queries.ts';
import {
  loadFacts,
  findWarning,
  findLastHandler,
  saveFacts,
  type LogLine,
  type WarningRecord,
} from '#features/warning/warning.queries.ts';

export type StaffContext = Context<'staff'>;

/** The id of the acting account for the rules of domain/warning/warning.ts. An institution's own account has no user id. */
export const actorId = (caller: Staff): string => caller.userid ?? caller.accountid;

/**
 * The keys of the human behind a session. Behind an acting session (代登录) stands the account that acts. None for main and shared
 * accounts: nobody can say which human used them.
 */
export const findActor = (ctx: Pick<StaffContext, 'caller' | 'scope'>): Promise<string[]> => {
  const { loginasby, userid, musercode } = ctx.caller;
  if (loginasby !== null) return Promise.resolve(loginasby === musercode ? [] : [`u:${loginasby}`]);
  return findHumanKeys(ctx.scope, userid);
};

/** Refuses (110011) decisions about a case while an account acts in another one: the second human must be visible. */
export function assertNotActing(ctx: StaffContext): void {
  if (ctx.caller.loginasby !== null) throw problems.notWhileActing();
}

/** Refuses (140001) an answer as second person by an account without a named human, and by the human who asked. */
export async function assertSecondHuman(ctx: Pick<StaffContext, 'caller' | 'scope'>, askkeys: readonly string[]): Promise<void> {
  const human = await findActor(ctx);
  if (human.length === 0) throw problems.wrongState({ why: '机构主账号和共用账号不能复核，请由具名人员复核' });
  if (isSameHuman(human, askkeys)) throw problems.wrongState({ why: '复核人须是申请人以外的另一人' });
}

/** The account and the name for a log line. */
export const operatorOf = (caller: Staff) => ({
  operator: caller.accountid,
  operatorname: caller.loginasname ? `${caller.name}（${caller.loginasname} 代登录）` : caller.name,
});

/** A case that is locked until the transaction ends. */
export interface LockedCase {
  row: WarningRecord;
  facts: WarningFacts;
  settings: Awaited<ReturnType<typeof findWarningSettings>>;
}

/** Why nobody talks with the person of a case any more. */
export const DEAD = '已登记死亡，不再安排联系、访谈或随访；登记有误请先更正';

/** Refuses to go on with a case whose person nobody can know any more. */
export async function assertKnownPerson({ scope }: StaffContext, { cuserid }: WarningRecord): Promise<void> {
  const person = await scope.db.selectFrom('cuser').select('anonymizedtime').where('cuserid', '=', cuserid).executeTakeFirst();
  if (person?.anonymizedtime)
    throw problems.wrongState({ why: '本人资料已匿名化，原个案不能重开；有新的情况请为本人新建档案后上报' });
}

/**
 * Locks a case until the transaction ends and loads the facts for its rules. Throws 130001 for a case that the caller cannot see and
 * 110004 for staff who see only their own teams: they may read warnings, not handle them.
 */
export async function lockCase(ctx: StaffContext, warningcode: string): Promise<LockedCase> {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const row = await findWarning(ctx.scope, warningcode, true);
  ctx.audit({ cuserids: [row.cuserid], objectid: warningcode });
  return { row, facts: await loadFacts(ctx.scope, row, ctx.now), settings: await findWarningSettings(ctx.scope, row.musercode) };
}

/** Refuses (140002) an outdated version of the case and names the last handler. */
export async function assertVersion(ctx: StaffContext, { row }: LockedCase, version: number | undefined): Promise<void> {
  if (version === undefined || version === row.version) return;
  const last = await findLastHandler(ctx.scope, row.warningcode);
  throw problems.changedMeanwhile(
    undefined,
    last ? { data: { by: last.operatorname, at: shanghaiTime(last.time), action: last.action } } : {},
  );
}

/** The facts after a step. Throws 140001 with every reason; for closing also with the criteria. */
export async function applyRules(ctx: StaffContext, lockedCase: LockedCase, action: WarningAction): Promise<WarningFacts> {
  const { facts, row, settings } = lockedCase;
  const human = await findActor(ctx);
  const result = transition(facts, action, { now: ctx.now, userid: actorId(ctx.caller), human, ...settings.trigger });
  if (result.ok) return result.after;
  const reasons = [...result.reasons];
  if (action.kind === 'accept' && facts.accepttime) {
    const acceptedBy = await findLastHandler(ctx.scope, row.warningcode, '受理');
    reasons.splice(
      0,
      reasons.length,
      `${acceptedBy?.operatorname ?? '其他人员'} 已于 ${shanghaiTime(facts.accepttime).slice(5, 16)} 受理`,
    );
  }
  const criteria =
    action.kind === 'close'
      ? { criteria: closingCriteria({ ...facts, closenote: action.closenote }, action.closereason, ctx.now, human, action) }
      : {};
  throw problems.wrongState({ why: reasons.join('；') }, { data: { reasons, ...criteria } });
}

/** Does one step of a case: locks it, applies the rules, checks the version, saves it with a log line. Returns the new case. */
export async function applyTransition(
  ctx: StaffContext,
  { warningcode, version }: { warningcode: string; version?: number | undefined },
  action: WarningAction,
  log: Pick<LogLine, 'action' | 'content'> & Partial<LogLine>,
  prepare: (facts: WarningFacts) => WarningFacts = (facts) => facts,
) {
  const lockedCase = await lockCase(ctx, warningcode);
  const preparedCase = { ...lockedCase, facts: prepare(lockedCase.facts) };
  const after = await applyRules(ctx, preparedCase, action);
  await assertVersion(ctx, lockedCase, version);
  return saveTransition(ctx, lockedCase, after, log);
}

/** The event that staff are told about after a step; undefined when nobody needs to be told. */
function findEvent(before: WarningFacts, after: WarningFacts): CaseEvent | undefined {
  if (after.death && !before.death) return 'death';
  if (after.newstime > before.newstime || after.level > before.level) {
    if (!isOpen(before)) return 'reopened';
    return after.level > before.level ? 'raised' : 'news';
  }
  if (after.accepttime === null && after.owneruserid !== before.owneruserid) return 'handedover';
  const isFailedContact = after.contacttries.length > before.contacttries.length;
  return isFailedContact && after.level >= 3 ? 'unreachable' : undefined;
}

/** When the step that an event asks for is due. */
function findEventDue(event: CaseEvent, { contactduetime, acceptduetime, duties }: WarningFacts): Date | null {
  if (event === 'unreachable') return contactduetime;
  if (event !== 'death') return acceptduetime;
  return duties.find(({ kind, donetime }) => kind === 'postvention' && donetime === null)?.duetime ?? null;
}

/** Saves the new facts with a log line and returns the new case. News, a hand-over and a failed contact notify staff. */
export async function saveTransition(
  ctx: StaffContext,
  { row, facts, settings }: LockedCase,
  after: WarningFacts,
  log: Pick<LogLine, 'action' | 'content'> & Partial<LogLine>,
) {
  await saveFacts(ctx.scope, row.warningcode, facts, after, { time: ctx.now, ...operatorOf(ctx.caller), ...log });
  await voidRequests(ctx.scope, row.warningcode, facts, after, ctx.now);
  const { transfer } = after;
  if (transfer?.islinked && transfer.receipttime === null && transfer !== facts.transfer)
    await sendTransfer(ctx, row, { to: transfer.to, logtext: log.content });
  const event = findEvent(facts, after);
  if (event) {
    const staff = await findStaff(ctx.scope, row.musercode, settings.roster, ctx.now);
    await notifyOfWarning(ctx.scope, {
      row: { ...row, owneruserid: after.owneruserid },
      staff,
      level: after.level,
      triggers: log.content,
      due: findEventDue(event, after),
      itemtrigger: after.selfharm,
      reason: event,
      time: ctx.now,
    });
  }
  return {
    warningcode: row.warningcode,
    state: after.state,
    statename: WarningState.label(after.state),
    level: after.level,
    version: row.version + 1,
  };
}

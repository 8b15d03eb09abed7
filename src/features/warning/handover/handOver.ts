import { levelName } from '#domain/warning/levels.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { WarningState } from '#domain/base/enums.ts';
import { NOTICE_TABLE } from '#domain/warning/notices.ts';
import { transition } from '#domain/warning/warning.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';
import { pathOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { addMessages, caseLink, notifyAbove } from '#features/warning/alerts/notify.queries.ts';
import {
  findAbleStaff,
  findHiddenCases,
  findProviderAccounts,
  lockOpenCases,
  notifyAccounts,
  findUnableOwners,
} from '#features/warning/handover/handover.queries.ts';
import { chooseReceiver, type AbleMember } from '#features/warning/handover/receiver.ts';
import { findWarning, loadFacts, saveFacts, type WarningRecord } from '#features/warning/warning.queries.ts';

/** A hand-over: its reason, the account that does it, and the time. `operator` null: the product itself. */
export interface HandOverReason {
  /** why the case changes its owner, as a sentence without its full stop */
  reason: string;
  operator: string | null;
  operatorname: string;
  now: Date;
}

/** The wish of a caller: this case to this member of staff. */
export interface HandOverChoice {
  warningcode: string;
  owneruserid: string;
}

/** The facts after a hand-over: the case waits for its new owner to accept it. Without a receiver it waits for anybody. */
function toHandedOver(facts: WarningFacts, owneruserid: string | null, now: Date): WarningFacts {
  const context = { now, userid: '', human: [] };
  const result = transition(facts, { kind: 'assign', owneruserid: owneruserid ?? '' }, context);
  if (!result.ok) throw problems.wrongState({ why: result.reasons.join('；') });
  return { ...result.after, owneruserid };
}

/** The staff without the one who is suspected of harm: this person neither owns the case nor hears of it. */
const withoutSuspect = <T extends { userid: string }>(staff: readonly T[], row: Pick<WarningRecord, 'suspectuserids'>): T[] =>
  staff.filter((item) => !row.suspectuserids.includes(item.userid));

/** Gives a locked case to a receiver, logs it and notifies. Without a receiver, provider, authority and operator are told. */
export async function handOverCase(
  scope: Scope,
  row: WarningRecord,
  receiver: AbleMember | undefined,
  staff: readonly AbleMember[],
  { reason, operator, operatorname, now }: HandOverReason,
): Promise<void> {
  const { warningcode, musercode } = row;
  const before = await loadFacts(scope, row, now);
  const after = toHandedOver(before, receiver?.userid ?? null, now);
  const receiverName = receiver ? formatMember(receiver, musercode) : '暂无';
  await saveFacts(scope, warningcode, before, after, {
    action: '移交',
    time: now,
    content: `${reason}。责任人：${receiverName}`,
    detail: { from: row.owneruserid, to: receiver?.userid ?? null },
    operator,
    operatorname,
  });
  const level = levelName(after.level, after.sector);
  const acceptdue = after.accepttime === null && after.death === null ? after.acceptduetime : null;
  const acceptBy = acceptdue ? `，请在 ${shanghaiTime(acceptdue).slice(0, 16)} 前受理` : '';
  const note = { kind: 'warning' as const, link: caseLink(warningcode), time: now, warningcode };
  const key = `handover:${warningcode}:${now.getTime()}`;
  if (receiver) {
    const channel = NOTICE_TABLE.handover.owner?.channel;
    const messages = channel && !after.death ? [{ userid: receiver.userid, channel }] : [];
    await addMessages(scope, { musercode, warningcode, reason: 'handedover', level: after.level, messages, time: now });
    await notifyAccounts(scope, [
      {
        ...note,
        musercode: receiver.musercode,
        userid: receiver.userid,
        title: `预警已移交给您，${level}${after.death ? '' : '，待受理'}`,
        content: `${reason}。您是新的责任人${acceptBy}。`,
        infokind: 4,
        dedupekey: `${key}:${receiver.userid}`,
      },
      ...withoutSuspect(staff, row)
        .filter((item) => item.musercode === musercode && item.roles.includes('psychologist') && item.userid !== receiver.userid)
        .map(({ userid }) => ({
          ...note,
          musercode,
          userid,
          title: `预警的责任人改为${receiver.realname}`,
          content: `${reason}。${level}${acceptBy}。`,
          infokind: 4,
          dedupekey: `${key}:${userid}`,
        })),
    ]);
  } else {
    const title = `个案 ${warningcode} 暂无可以受理的人员`;
    const content = `${level}${acceptBy}。${reason}，请立即指定人员。`;
    for (const node of ['provider', 'authority', 'operator'] as const)
      await notifyAbove(scope, { ...note, musercode, node, title, content, key });
  }
}

/** The name of a receiver, with the institution when it is not that of the case. */
const formatMember = (member: AbleMember, musercode: string) =>
  member.musercode === musercode ? member.realname : `${member.realname}（${member.insname}）`;

/** An open case in a refusal or in a list of cases to hand over: no name of a person. */
export const toOpenCase = (row: WarningRecord, sector: string) => ({
  warningcode: row.warningcode,
  level: row.level,
  levelname: levelName(row.level, sector),
  statename: WarningState.label(row.state),
  due: row.acceptduetime && row.accepttime === null ? shanghaiTime(row.acceptduetime) : null,
});

/**
 * Hands over the open cases of a member of staff as the caller chose. Refuses with 130003 and the list of cases when a case has no
 * choice, and with 130001 a receiver who is not able. A case that suspects the caller passes to the next able person, and the
 * caller reads nothing of it. Returns the number of the other cases.
 */
export async function handOverChosen(
  scope: Scope,
  member: { userid: string; musercode: string; realname: string },
  choices: readonly HandOverChoice[],
  why: HandOverReason,
  sector: string,
): Promise<number> {
  const owned = await lockOpenCases(scope, { owneruserid: member.userid });
  if (owned.length === 0) return 0;
  const hidden = await findHiddenCases(scope, { owneruserid: member.userid });
  const cases = owned.filter((row) => !hidden.has(row.warningcode));
  const chosen = new Map(choices.map((choice) => [choice.warningcode, choice.owneruserid]));
  if (cases.some((row) => !chosen.has(row.warningcode)))
    throw problems.inUse(
      { why: `“${member.realname}”还负责 ${cases.length} 个在办预警，请先移交` },
      { data: { cases: cases.map((row) => toOpenCase(row, sector)) } },
    );
  const staff = (await findAbleStaff(scope, member.musercode, why.now)).filter((item) => item.userid !== member.userid);
  for (const row of owned) {
    const others = withoutSuspect(staff, row);
    const isOwnChoice = cases.includes(row);
    const receiver = isOwnChoice
      ? others.find((item) => item.userid === chosen.get(row.warningcode))
      : chooseReceiver(others, member.musercode);
    if (isOwnChoice && !receiver) throw problems.notFound({ what: '可接收预警的人员' }, { field: 'handovers' });
    await handOverCase(scope, row, receiver, others, why);
  }
  return cases.length;
}

/**
 * Passes the open cases of an institution that was disabled, or whose 收尾模式 has ended, to the staff above it in the same transaction,
 * and tells provider and authority. Cases that staff above own already stay. Returns the number of cases.
 */
export async function passInstitutionCases(
  scope: Scope,
  { musercode, insname }: { musercode: string; insname: string },
  why: HandOverReason,
): Promise<number> {
  const staff = await findAbleStaff(scope, musercode, why.now);
  const ownersAbove = new Set(staff.filter((item) => item.musercode !== musercode).map((item) => item.userid));
  const above = staff.filter((item) => item.musercode !== musercode);
  const receiver = chooseReceiver(above, musercode);
  const cases = (await lockOpenCases(scope, { musercode })).filter(
    (row) => !(row.owneruserid && ownersAbove.has(row.owneruserid)) && (receiver !== undefined || row.owneruserid !== null),
  );
  for (const row of cases)
    await handOverCase(scope, row, chooseReceiver(withoutSuspect(above, row), musercode), withoutSuspect(staff, row), why);
  if (cases.length > 0) {
    const note = {
      kind: 'warning' as const,
      title: `${insname}的 ${cases.length} 个在办预警已移交`,
      content: `${why.reason}。接手：${receiver ? formatMember(receiver, musercode) : '暂无可以受理的人员，请立即指定'}。`,
      key: `passed:${musercode}:${why.now.getTime()}`,
      time: why.now,
    };
    await notifyManagers(scope, musercode, note);
    await notifyAbove(scope, { ...note, musercode, node: 'authority', link: '' });
  }
  return cases.length;
}

/** Notifies the administrators of the nearest provider above an institution. */
export async function notifyManagers(
  scope: Scope,
  musercode: string,
  note: { kind: 'warning' | 'system'; title: string; content: string; key: string; time: Date },
): Promise<void> {
  const { key, ...text } = note;
  const accounts = await findProviderAccounts(scope, musercode);
  await notifyAccounts(
    scope,
    accounts.map((account) => ({
      ...text,
      ...account,
      link: pathOf('warning.crisis'),
      dedupekey: `${key}:provider:${account.userid ?? account.musercode}`,
    })),
  );
}

/**
 * Passes the open cases of a member of staff at once to the next able person (`chooseReceiver`). Returns the number of cases.
 */
export async function passCases(scope: Scope, leaving: { owneruserid: string }, why: HandOverReason): Promise<number> {
  const cases = await lockOpenCases(scope, leaving);
  for (const row of cases) {
    const able = await findAbleStaff(scope, row.musercode, why.now);
    const staff = withoutSuspect(able, row).filter((item) => item.userid !== leaving.owneruserid);
    await handOverCase(scope, row, chooseReceiver(staff, row.musercode), staff, why);
  }
  return cases.length;
}

/**
 * Passes the open cases of an institution on whose owner may not handle cases any more: the right was taken, the account was
 * disabled, deleted or became a shared one. An absent owner keeps the cases. Returns the number of cases.
 */
export async function passCasesOfUnable(scope: Scope, musercode: string, now: Date): Promise<number> {
  let passed = 0;
  for (const owneruserid of await findUnableOwners(scope, musercode)) {
    const why = { reason: '原责任人不再有预警处置权限', operator: null, operatorname: '系统', now };
    passed += await passCases(scope, { owneruserid }, why);
  }
  return passed;
}

/** Passes a case at once when a report suspects its owner of harm: to the next able person, without the suspected one. */
export async function replaceSuspectedOwner(
  scope: Scope,
  warningcode: string,
  why: Omit<HandOverReason, 'reason'>,
): Promise<void> {
  const row = await findWarning(scope, warningcode, true);
  if (row.owneruserid === null || !row.suspectuserids.includes(row.owneruserid)) return;
  const staff = withoutSuspect(await findAbleStaff(scope, row.musercode, why.now), row);
  await handOverCase(scope, row, chooseReceiver(staff, row.musercode), staff, { ...why, reason: '原责任人须回避' });
}

import { ageOn, shanghaiTime } from '#domain/base/calendar.ts';
import type { CloseReasonCode, WarningLevelCode, WarningStateCode } from '#domain/warning/warningfacts.ts';
import { WarningState } from '#domain/base/enums.ts';
import { platformRules } from '#domain/warning/platformRules.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { displayName } from '#server/security/privacy.ts';
import { levelText } from '#features/warning/alerts/notify.queries.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import type { WarningListRow } from '#features/warning/warninglist.queries.ts';

/** What a rule means, in words; `own` are the names of the institution's rules. */
export const ruleName = (rulecode: string, own: Readonly<Record<string, string>> | null = null): string =>
  platformRules.find((rule) => rule.c === rulecode)?.n ?? own?.[rulecode] ?? rulecode;

/** What raised a warning, in words: what was answered first, then the rules. */
export const triggersOf = ({
  alertmsgs,
  rulecodes,
  rulenames = null,
}: {
  alertmsgs: readonly string[];
  rulecodes: readonly string[];
  rulenames?: Readonly<Record<string, string>> | null;
}): string[] => [...alertmsgs, ...rulecodes.map((rulecode) => ruleName(rulecode, rulenames))];

/** May the caller read why and how grave? Class teachers learn only that somebody needs attention, and whom to ask. */
export const canReadCases = (caller: Staff): boolean => !caller.ownTeamsOnly;

/** A case as this caller's list shows it. */
export function toWarningRow(caller: Staff, row: WarningListRow, now: Date): WarningRow {
  const whole = canReadCases(caller);
  const time = (moment: Date | null) => moment && shanghaiTime(moment);
  return {
    warningcode: row.warningcode,
    cuserid: row.cuserid,
    username: displayName(caller, row.username),
    gender: row.gender,
    age: row.birthday ? ageOn(row.birthday, now) : null,
    appid: row.appid,
    musercode: row.musercode,
    insname: row.insname,
    belongs: row.belongs,
    source: whole ? row.source : '',
    level: whole ? row.level : null,
    levelname: whole ? levelText(row.level as WarningLevelCode, row.sector) : '关注',
    state: row.state as WarningStateCode,
    statename: WarningState.label(row.state),
    triggers: whole ? triggersOf(row).join('；') : '',
    owneruserid: row.owneruserid,
    ownername: row.ownername ?? '',
    createtime: shanghaiTime(row.createtime),
    acceptduetime: whole ? time(row.acceptduetime) : null,
    nextfollowtime: whole ? time(row.nextfollowtime) : null,
    due: whole && row.dueat && row.duekind ? { kind: row.duekind, at: shanghaiTime(row.dueat) } : null,
    isoverdue: whole && row.isoverdue ? 1 : 0,
    pending: row.pending ? 1 : 0,
    guardiannotified: whole ? row.guardiannotified : 0,
    referred: whole ? row.referred : 0,
    closereason: whole ? (row.closereason as CloseReasonCode | null) : null,
    version: row.version,
  };
}

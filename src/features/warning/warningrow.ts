import { levelName } from '#domain/warning/levels.ts';
import { ageOn, shanghaiTime } from '#domain/base/calendar.ts';
import type { CloseReasonCode, WarningStateCode } from '#domain/warning/warningfacts.ts';
import type { DueKind } from '#domain/warning/clock/clocks.ts';
import { WarningState } from '#domain/base/enums.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { displayName } from '#server/security/privacy.ts';
import { summarizeTriggers } from '#features/warning/list/triggerText.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import type { WarningListRow } from '#features/warning/warninglist.queries.ts';

/** Whether the caller may read levels and reasons. Class teachers read only that a person needs attention and who the owner is. */
export const canReadCases = (caller: Staff): boolean => canReadField(caller, 'cases');

/** The row of a case. The rules of its contract hide what this caller may not read. */
export function toWarningRow(caller: Staff, row: WarningListRow, now: Date): WarningRow {
  const formatTime = (moment: Date | null) => moment && shanghaiTime(moment);
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
    source: row.source,
    level: row.level,
    levelname: levelName(row.level, row.sector),
    state: row.state as WarningStateCode,
    statename: WarningState.label(row.state),
    // The words of a report may name the person, so no other system reads them.
    triggers: caller.apikey ? '' : summarizeTriggers(row, row.results ?? []),
    owneruserid: row.owneruserid,
    ownername: row.ownername ?? '',
    createtime: shanghaiTime(row.createtime),
    newstime: shanghaiTime(row.newstime),
    acceptduetime: formatTime(row.acceptduetime),
    due: row.nextdue && row.nextduekind ? { kind: row.nextduekind as DueKind, at: shanghaiTime(row.nextdue) } : null,
    isoverdue: row.isoverdue ? 1 : 0,
    pending: row.pending ? 1 : 0,
    ischanged: row.ischanged ? 1 : 0,
    guardiannotified: row.guardiannotified,
    referred: row.referred,
    closereason: row.closereason as CloseReasonCode | null,
    version: row.version,
  };
}

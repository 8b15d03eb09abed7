import { shanghaiTime } from '#domain/base/calendar.ts';
import { colourOf } from '#domain/scoring/mentalState.ts';
import type { Level } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName } from '#server/security/privacy.ts';
import type { ReportRecord } from '#features/report/report.queries.ts';

/** Refuses class teachers and ward nurses: they see the crisis screen of their own teams, never scores or answers. */
export function assertNotRestricted(caller: Staff) {
  if (caller.ownTeamsOnly) throw problems.notAllowed();
}
/** Whether the audit log marks the read as one of a minor's data. */
export const isMinor = (age: number | null) => age !== null && age < 18;

/** The value of an indicator with its report colour. */
export const withColour = <Q extends { level: number | null; levelname: string | null }>(quota: Q) => ({
  ...quota,
  levelname: quota.levelname ?? '',
  colour: colourOf(quota.level as Level | null).hex,
});

/** A report row for the caller. */
export function toReportRow(caller: Staff, { aitime, ...row }: ReportRecord) {
  return {
    ...row,
    aitime: aitime ? shanghaiTime(aitime) : '',
    username: displayName(caller, row.username),
    gender: row.gender as '01' | '02',
    planname: row.planname ?? '',
    stagecode: row.stagecode ?? '',
    stagename: row.stagename ?? '',
    taskname: row.taskname ?? '',
    submittime: row.submittime ? shanghaiTime(row.submittime) : '',
    valid: row.valid ?? 0,
    mentalstate: row.mentalstate ?? 0,
    warningcode: row.warningcode ?? '',
    quotas: row.quotas.map(withColour),
  };
}

/** The filters of a list as the queries take them. */
export const toFilters = <F extends { keyword?: string | undefined; musercode?: string | undefined; appid?: string | undefined }>(
  filters: F,
  { caller, cipher }: Pick<ReadContext<'staff'>, 'caller' | 'cipher'>,
) => ({
  ...filters,
  appids: permittedPopulations(caller, filters.appid),
  phonehashes:
    filters.keyword && /^1\d{10}$/.test(filters.keyword)
      ? cipher.blindIndexes(filters.musercode ?? caller.musercode, 'cuser.phone', filters.keyword)
      : undefined,
});

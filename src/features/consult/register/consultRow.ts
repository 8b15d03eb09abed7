import { shanghaiTime } from '#domain/base/calendar.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import type { ConsultRow } from '#features/consult/register/register.contract.ts';
import type { FoundConsult, ListReader } from '#features/consult/register/register.queries.ts';

/** Who reads registrations in this call. */
export const readerOf = ({ caller, now }: Pick<Context<'staff'>, 'caller' | 'now'>): ListReader => ({
  now,
  userid: caller.userid,
  isPlain: !canReadField(caller, 'cases'),
});

/** The row of a registration. The rules of its contract hide what this caller may not read. */
export const toConsultRow = (
  { caller }: Pick<Context<'staff'>, 'caller'>,
  { due, isoverdue, counsellorname, ...row }: FoundConsult,
): ConsultRow => ({
  ...row,
  source: row.source as ConsultRow['source'],
  consulttype: row.consulttype as ConsultRow['consulttype'],
  status: row.status as ConsultRow['status'],
  outcome: row.outcome as ConsultRow['outcome'],
  username: displayName(caller, row.username),
  counsellorname: counsellorname ?? '',
  applytime: shanghaiTime(row.applytime),
  duetime: shanghaiTime(due),
  isoverdue: isoverdue ? 1 : 0,
  slotbegin: row.slotbegin && shanghaiTime(row.slotbegin),
  slotend: row.slotend && shanghaiTime(row.slotend),
});

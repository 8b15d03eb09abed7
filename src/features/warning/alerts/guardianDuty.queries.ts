import { sql } from 'kysely';
import { deadlinesFor } from '#domain/warning/deadline.ts';
import type { Scope } from '#server/db/scope.ts';
import { formatMinute } from '#features/warning/alerts/noticeTexts.ts';
import { notifyOfWarning } from '#features/warning/alerts/notify.queries.ts';
import { findWarningSettings, type WarningStaff } from '#features/warning/duty/duty.queries.ts';
import { findWarning, loadFacts, saveFacts } from '#features/warning/warning.queries.ts';

/** The open cases from level 2 of persons who are minors by the present roster, without a duty to tell the guardian. */
export const findMinorsWithoutGuardianDuty = async (scope: Scope, musercode: string, now: Date): Promise<string[]> =>
  (
    await sql<{ warningcode: string }>`
      select w.warningcode from warning w join cuser c on c.cuserid = w.cuserid
      where w.musercode = ${musercode} and w.state not in ('07', '08') and w.isdeleted = 0 and w.level >= 2
        and w.guardianduetime is null and w.guardiannotified = 0 and w.deathtime is null
        and c.birthday::date > ((${now}::timestamptz at time zone 'Asia/Shanghai')::date - interval '18 years')
      order by w.warningcode`.execute(scope.db)
  ).rows.map(({ warningcode }) => warningcode);

/** Starts the duty to tell the guardian after the roster has corrected the age of a person. Returns 1 when it did. */
export async function startGuardianDuty(
  scope: Scope,
  warningcode: string,
  staff: readonly WarningStaff[],
  now: Date,
): Promise<number> {
  const row = await findWarning(scope, warningcode, true);
  const facts = await loadFacts(scope, row, now);
  if (!facts.minor || facts.guardianduetime !== null) return 0;
  const { trigger } = await findWarningSettings(scope, row.musercode);
  const { calendar, overrides } = trigger;
  const guardianduetime =
    deadlinesFor({
      level: facts.level,
      itemtrigger: false,
      triggertime: now,
      talkedat: now,
      minor: true,
      ...(calendar && { calendar }),
      ...(overrides && { overrides }),
    }).guardianduetime ?? null;
  if (guardianduetime === null) return 0;
  const content = `名册更正后本人未满18岁，须在 ${formatMinute(guardianduetime)} 前告知监护人`;
  await saveFacts(
    scope,
    warningcode,
    facts,
    { ...facts, guardianduetime },
    { action: '告知监护人时限', time: now, content, operator: null, operatorname: '系统' },
  );
  await notifyOfWarning(scope, { row, staff, level: facts.level, triggers: content, due: null, reason: 'joined', time: now });
  return 1;
}

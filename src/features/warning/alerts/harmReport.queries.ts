import { levelName } from '#domain/warning/levels.ts';
import { planNotices } from '#domain/warning/notices.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import { formatMinute } from '#features/warning/alerts/noticeTexts.ts';
import { addPlannedNotices, findNoticeSubject, findTeamOwners } from '#features/warning/alerts/notify.queries.ts';
import type { WarningStaff } from '#features/warning/duty/duty.queries.ts';

/** The reports of suspected harm to a minor that an institution has still to make (强制报告). */
export const findHarmReports = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('warningduty as d')
    .innerJoin('warning as w', 'w.warningcode', 'd.warningcode')
    .select(['d.dutyid', 'd.title', 'd.duetime', 'w.warningcode', 'w.cuserid', 'w.level', 'w.owneruserid'])
    .where('w.musercode', '=', musercode)
    .where('w.isdeleted', '=', 0)
    .where('d.kind', '=', 'abuse')
    .where('d.donetime', 'is', null)
    .execute();

/**
 * E7: notifies handlers and leaders of a report that is still to be made, once. Returns the number of new notices. A suspected source
 * of harm gets none.
 */
export async function notifyOfHarmReport(
  scope: Scope,
  musercode: string,
  { dutyid, title, duetime, warningcode, cuserid, owneruserid, ...row }: Awaited<ReturnType<typeof findHarmReports>>[number],
  staff: readonly WarningStaff[],
  now: Date,
): Promise<number> {
  const level = row.level as WarningLevelCode;
  const subject = await findNoticeSubject(scope, warningcode);
  const plan = planNotices({
    event: 'E7',
    level,
    owneruserid,
    staff,
    teachers: await findTeamOwners(scope, cuserid),
    suspectuserids: subject.suspectuserids,
    isAuthorityNotified: subject.isAuthorityNotified,
  });
  const levelText = levelName(level, subject.sector);
  const until = `请在 ${formatMinute(duetime)} 前完成并登记回执`;
  return addPlannedNotices(
    scope,
    plan,
    { musercode, warningcode, kind: 'warning', key: `harm:${dutyid}`, time: now },
    (info) => ({
      title: info === 5 ? `${subject.insname}：个案 ${warningcode} 须强制报告` : '须强制报告',
      content: info === 5 ? `${levelText}，${until}。` : `${subject.person}：${title}，${until}。无须审批。`,
    }),
  );
}

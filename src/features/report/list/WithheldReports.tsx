import { Tooltip } from '@mantine/core';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { Link } from '#ui/router/router.tsx';
import { getGuardianConsentPageList } from '#features/consent/guardian/guardian.contract.ts';
import { getReportMaxTime } from '#features/report/report.contract.ts';

/** 待补同意: how many reports the list cannot show yet, because a consent is missing. Nothing without such reports. */
export function WithheldReports({ appid }: { appid?: string | undefined }) {
  const { withheldcount = 0 } = useActionQuery(getReportMaxTime, appid ? { appid } : {}, { quiet: true }).data ?? {};
  if (withheldcount === 0) return null;
  const label = <Badge tone="amber">{`待补同意 ${withheldcount} 份`}</Badge>;
  return (
    <Tooltip label="缺少本人或监护人的同意。补齐之后，报告自动出现在这里；涉及安全的情况已照常预警" multiline maw={300}>
      {can(getGuardianConsentPageList) ? (
        <Link to="/task/guardianConsent">{label}</Link>
      ) : (
        <span tabIndex={0} role="note">
          {label}
        </span>
      )}
    </Tooltip>
  );
}

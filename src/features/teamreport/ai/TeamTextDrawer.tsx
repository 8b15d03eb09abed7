import { Anchor, Drawer, Group, Text } from '@mantine/core';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';
import { TeamText, TeamTextBadge } from '#features/teamreport/ai/TeamText.tsx';
import { teamReportPath } from '#features/teamreport/kinds.ts';
import { getTeamReport } from '#features/teamreport/teamreport.contract.ts';

/** The text on one group report beside the list, to read, to ask for and to review. */
export function TeamTextDrawer({ teamreportcode, onClose }: { teamreportcode: string; onClose: () => void }) {
  const read = useActionQuery(getTeamReport, { teamreportcode }, { quiet: true });
  return (
    <Drawer opened onClose={onClose} position="right" size={560} title="综合解读">
      <Loaded read={read} skeleton={<Skeletons.Page />}>
        {(report) => (
          <>
            <Group justify="space-between" gap="sm" mb="md">
              <div>
                <Text fw={600}>{report.title}</Text>
                <Text size="xs" c="dimmed">
                  {report.insname} · 数据截至 {report.datatime.slice(0, 16)} · 第 {report.version} 版
                </Text>
              </div>
              <TeamTextBadge aistatus={report.aistatus} />
            </Group>
            <TeamText report={report} />
            <Anchor component={Link} to={teamReportPath(teamreportcode)} size="sm" mt="md" display="inline-block">
              打开整份报告
            </Anchor>
          </>
        )}
      </Loaded>
    </Drawer>
  );
}

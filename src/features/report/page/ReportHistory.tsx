import { Anchor, Drawer, Stack, Table, Text } from '@mantine/core';
import { EventTimeline } from '#ui/display/EventTimeline.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Link, useLocation } from '#ui/router/router.tsx';
import { getReportHistory } from '#features/report/review/review.contract.ts';

const kinds = { made: '生成', written: '修改', reviewed: '审核', ai: 'AI文字更新', corrected: '答卷更正归属，重新生成' } as const;

/** The address of a version of the report on this page. */
const versionPath = ({ pathname, search }: { pathname: string; search: string }, version: number): string => {
  const params = new URLSearchParams(search);
  params.set('version', String(version));
  return `${pathname}?${params}`;
};

/** 版本与查看记录: who wrote which version, and who read it. */
export function ReportHistory({ reportcode, onClose }: { reportcode: string; onClose: () => void }) {
  const read = useActionQuery(getReportHistory, { reportcode }, { quiet: true });
  const location = useLocation();
  return (
    <Drawer opened onClose={onClose} position="right" title="版本与查看记录" size="min(560px, 100vw)">
      <Loaded read={read} skeleton={<Skeletons.Page />}>
        {({ versions, views }) => (
          <Stack gap="lg">
            <EventTimeline
              label="版本"
              events={versions.map(({ version, kind, username, time, conclusion, advice, isformer }) => ({
                key: version,
                at: time,
                who: username || '系统',
                tone: isformer ? 'gray' : 'brand',
                title: (
                  <>
                    <Anchor component={Link} to={versionPath(location, version)} onClick={onClose}>
                      第 {version} 版
                    </Anchor>{' '}
                    {kinds[kind]}
                    {isformer === 1 && '（已更正）'}
                  </>
                ),
                body: (
                  <>
                    {conclusion && <Text size="sm">结论：{conclusion}</Text>}
                    {advice && <Text size="sm">处理意见：{advice}</Text>}
                  </>
                ),
              }))}
            />
            <div>
              <Text fw={500} mb="xs">
                查看记录
              </Text>
              {views.length === 0 ? (
                <EmptyState title="还没有人查看" />
              ) : (
                <Table fz={13} verticalSpacing={4}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>查看人</Table.Th>
                      <Table.Th>版本</Table.Th>
                      <Table.Th>操作</Table.Th>
                      <Table.Th>次数</Table.Th>
                      <Table.Th>最近时间</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {views.map(({ who, version, action, times, lasttime }) => (
                      <Table.Tr key={`${who} ${version} ${action}`}>
                        <Table.Td>{who}</Table.Td>
                        <Table.Td>{version === null ? '—' : `第 ${version} 版`}</Table.Td>
                        <Table.Td>{action}</Table.Td>
                        <Table.Td>{times}</Table.Td>
                        <Table.Td>{lasttime.slice(0, 16)}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              )}
            </div>
          </Stack>
        )}
      </Loaded>
    </Drawer>
  );
}

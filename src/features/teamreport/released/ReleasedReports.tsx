import { Anchor, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import type { ResponseOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import plain from '#ui/display/PlainTable.module.css';
import { Badge } from '#ui/display/badges.tsx';
import { Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';
import { getReleasedReportList } from '#features/teamreport/released/released.contract.ts';

type Row = ResponseOf<typeof getReleasedReportList>[number];
const pathOf = ({ appid, year, term, teamreportcode }: Row): string =>
  `/statistics/releasedReport?${new URLSearchParams({ appid, year, term, ...(teamreportcode && { teamreportcode }) }).toString()}`;
const populations = Appid.options.filter(({ value }) => value !== '000000005');

/** 报告分析 of an authority: the report of its region for each period, and those that institutions show to it. */
export function ReleasedReports() {
  const [appid, setAppid] = useState<string>('000000002');
  const read = useActionQuery(getReleasedReportList, { appid }, { quiet: true });
  return (
    <Stack gap="md">
      <Section title="团体报告">
        <Text size="sm" c="dimmed" mb="sm">
          结果在时段结束后一次发布，发布前只显示参加情况。学校向主管部门显示报告后，也会出现在这里。
        </Text>
        <Select
          label="人群"
          w={200}
          mb="md"
          value={appid}
          allowDeselect={false}
          onChange={(value) => value && setAppid(value)}
          data={populations.map(({ value, label }) => ({ value, label }))}
        />
        <Loaded read={read} skeleton={<Skeletons.Page />}>
          {(rows) =>
            rows.length === 0 ? <EmptyState title="还没有团体报告" hint="有任务的时段会出现在这里" /> : <Reports rows={rows} />
          }
        </Loaded>
      </Section>
    </Stack>
  );
}

const Reports = ({ rows }: { rows: readonly Row[] }) => (
  <div className={plain['frame']}>
    <table className={`${plain['table'] ?? ''} ${plain['cards'] ?? ''}`} aria-label="团体报告列表">
      <thead>
        <tr>
          {['时段', '范围', '状态', '发布时间'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.year} ${row.term} ${row.teamreportcode}`}>
            <td data-head="时段">{row.periodname}</td>
            <td data-head="范围">
              <Anchor component={Link} inherit to={pathOf(row)}>
                {row.teamreportcode ? row.insname : `${row.insname}（本区域）`}
              </Anchor>
            </td>
            <td data-head="状态">
              <Badge tone={row.datatime ? 'green' : 'gray'}>{row.datatime ? '已发布' : '待发布，只有参加情况'}</Badge>
            </td>
            <td data-head="发布时间">{row.datatime.slice(0, 16) || '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

import type { BuiltInView } from '#ui/list/view/builtInView.ts';
import { Group } from '@mantine/core';
import { Appid, MentalState, YesNo, ReportStatus } from '#domain/base/enums.ts';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, ManyFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { can } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useList } from '#ui/list/useList.ts';
import { useLocation, useNavigate } from '#ui/router/router.tsx';
import { getCUserReportPageList, showOrHiddenReport } from '#features/report/report.contract.ts';
import { exportReportZip } from '#features/reportpdf/reportpdf.contract.ts';
import { NewReports } from '#features/report/list/NewReports.tsx';
import { QuotaFilter } from '#features/report/list/QuotaFilter.tsx';
import { TaskFilter } from '#features/report/list/TaskFilter.tsx';
import { StatusTabs, toBatchRequest, useReportBulk } from '#features/report/list/ReportBulk.tsx';
import { WithheldReports } from '#features/report/list/WithheldReports.tsx';
import { pathFromList, reportColumns } from '#features/report/list/reportColumns.tsx';

const { person, result } = reportColumns();
const columns = [...person, ...result];

const VIEWS: readonly BuiltInView[] = [
  { name: '我的待办', filters: { status: ReportStatus.made } },
  { name: '需关注，先看最近的', filters: { isabnormal: 1 }, orderby: 'submittime', isasc: '0' },
];

/** 个体报告: the reports that the caller may read, with their review. */
export default function ReportListPage() {
  const list = useList(getCUserReportPageList);
  const navigate = useNavigate();
  const location = useLocation();
  const { bulk, toolbar, dialog } = useReportBulk(toBatchRequest(list.request));
  const appid = list.filters['appid'] as string | undefined;
  const isFiltered = Object.keys(list.filters).length > 0;
  return (
    <>
      <ListPage
        list={list}
        also={['status']}
        filters={
          <>
            <TextFilter name="keyword" label="姓名、拼音或学号/工号" />
            <EnumFilter name="appid" label="人群" of={Appid} />
            <TaskFilter appid={appid} />
            <ManyFilter name="mentalstates" label="情绪状态" options={MentalState.options} />
            <EnumFilter name="isabnormal" label="需关注" of={YesNo} />
            <TextFilter name="classname" label="班级" />
            <DateRangeFilter from="begindate" to="enddate" label="提交日期" />
            <QuotaFilter appid={appid} />
          </>
        }
        lead={
          <Group gap="sm">
            <StatusTabs list={list} />
            <NewReports filters={appid ? { appid } : {}} show={list.refresh} />
            <WithheldReports appid={appid} />
          </Group>
        }
        toolbar={toolbar}
        views={VIEWS}
        bulk={bulk}
      >
        <DataTable
          list={list}
          columns={columns}
          rowKey="reportcode"
          label="个体报告列表"
          selectable={can(showOrHiddenReport) || can(exportReportZip)}
          onOpen={(row) => void navigate(pathFromList(row, location))}
          empty={
            <EmptyState
              filtered={isFiltered}
              reset={() => list.setFilters({})}
              {...(isFiltered ? {} : { title: '还没有报告', hint: '受测者交卷后，报告会自动出现在这里' })}
            />
          }
        />
      </ListPage>
      {dialog}
    </>
  );
}

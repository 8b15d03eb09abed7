import { Button } from '@mantine/core';
import { Appid, Gender, MentalState, ReportStatus, YesNo } from '#domain/base/enums.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { EnumBadge, LevelBadge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { EnumFilter, ManyFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { can } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { getCUserReportPageList, showOrHiddenReport } from '#features/report/report.contract.ts';

const column = columnsOf(getCUserReportPageList);
const columns = [
  column('username', '姓名', (name, row) => <Link to={`/report/${row.reportcode}`}>{name}</Link>, { sort: true, width: 100 }),
  column('gender', '性别', Gender.label, { width: 60 }),
  column('age', '年龄', { width: 60, align: 'right' }),
  column('belongs', '所属', { width: 130 }),
  column('planname', '方案', { hidden: true }),
  column(
    'overalllevel',
    '情绪状态',
    (level, row) => (row.valid ? <LevelBadge level={level} label={MentalState.label(row.mentalstate)} /> : '作答存疑'),
    { sort: true, width: 150 },
  ),
  column('quotas', '主要得分', (quotas) => quotas.map((quota) => `${quota.quotaname} ${quota.score ?? '—'}`).join('，')),
  column('submittime', '提交时间', (time) => <RelativeTime at={time} />, { sort: true, width: 130 }),
  column(
    'status',
    '审核',
    (status) => <EnumBadge of={ReportStatus} code={status} tones={{ 1: 'amber', 2: 'green', 9: 'red' }} />,
    { sort: true, width: 90 },
  ),
  column('isshow', '向本人显示', YesNo.label, { width: 100 }),
  column('insname', '机构', { hidden: true }),
  column('taskname', '任务', { hidden: true }),
  column('stagename', '阶段', { hidden: true }),
];

/** The individual reports that the caller may read; `appid` limits them to one population. */
function ReportList({ appid }: { appid?: string }) {
  const list = useList(getCUserReportPageList, appid ? { appid } : {});
  const navigate = useNavigate();
  const show = useActionMutation(showOrHiddenReport, { invalidates: [getCUserReportPageList], successMessage: '已更新' });
  const setShown = (reportcodes: string[], isshow: 0 | 1, done: () => void) =>
    show.mutate({ reportcodes, isshow }, { onSuccess: done });
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="姓名、拼音或学号/工号" />
          {!appid && <EnumFilter name="appid" label="人群" of={Appid} />}
          <ManyFilter name="mentalstates" label="情绪状态" options={MentalState.options} />
          <EnumFilter name="isabnormal" label="需关注" of={YesNo} />
          <EnumFilter name="status" label="审核" of={ReportStatus} />
          <DateRangeFilter from="begindate" to="enddate" label="提交日期" />
        </>
      }
      bulk={(keys, done) => (
        <Can call={showOrHiddenReport}>
          <Button size="compact-sm" loading={show.isPending} onClick={() => setShown(keys, 1, done)}>
            向本人显示
          </Button>
          <Button size="compact-sm" variant="default" loading={show.isPending} onClick={() => setShown(keys, 0, done)}>
            隐藏
          </Button>
        </Can>
      )}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="reportcode"
        label="个体报告列表"
        selectable={can(showOrHiddenReport)}
        onOpen={(row) => void navigate(`/report/${row.reportcode}`)}
        empty={
          <EmptyState
            filtered={Object.keys(list.filters).length > 0}
            reset={() => list.setFilters({})}
            {...(Object.keys(list.filters).length > 0 ? {} : { title: '还没有报告', hint: '受测者交卷后，报告会自动出现在这里' })}
          />
        }
      />
    </ListPage>
  );
}

/** The page 个体报告. */
export default function ReportListPage() {
  return <ReportList />;
}

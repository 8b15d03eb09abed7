import { Group } from '@mantine/core';
import { AiStatus, Appid, MentalState } from '#domain/base/enums.ts';
import { aiStatusText } from '#domain/report/ai/aiStatusText.ts';
import type { ResponseOf } from '#contract/action.ts';
import { pathOf } from '#contract/menu.ts';
import { Badge } from '#ui/display/badges.tsx';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, ManyFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { can } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useList } from '#ui/list/useList.ts';
import { useLocation, useNavigate, useSearchParams } from '#ui/router/router.tsx';
import { AiTextRowButton, useAiSettings } from '#blocks/aireport/AiTextButton.tsx';
import { AiConsent } from '#blocks/aireport/AiConsent.tsx';
import { showOrHiddenReport } from '#features/report/report.contract.ts';
import { getAsai1UserReportPageList } from '#features/report/list/aiReport.contract.ts';
import { exportReportZip } from '#features/reportpdf/reportpdf.contract.ts';
import { TaskFilter } from '#features/report/list/TaskFilter.tsx';
import { NewReports } from '#features/report/list/NewReports.tsx';
import { StatusTabs, toBatchRequest, useReportBulk } from '#features/report/list/ReportBulk.tsx';
import { pathFromList, reportColumns } from '#features/report/list/reportColumns.tsx';
import ReportPage from '#features/report/page/ReportPage.tsx';

const aiTones = { 0: 'gray', 1: 'amber', 2: 'amber', 3: 'green', 9: 'red' } as const;
const column = columnsOf(getAsai1UserReportPageList);
const ai = reportColumns();
const aiColumns = [
  // The state of the text takes the place of the gender, which the reader can show again.
  ...ai.person.map((person) => (person.key === 'gender' ? { ...person, hidden: true } : person)),
  column(
    'aistatus',
    'AI综合解读',
    (status) => <Badge tone={aiTones[status as keyof typeof aiTones]}>{aiStatusText(status)}</Badge>,
    {
      width: 160,
      hint: '未生成或生成失败时，报告文字由规则引擎生成',
    },
  ),
  ...ai.result,
];
const maternityPage = pathOf('individual.maternity1');
const maternity = reportColumns(maternityPage);
const maternityColumns = [...maternity.person, ...maternity.result];

type ReportRow = ResponseOf<typeof getAsai1UserReportPageList>['rows'][number];
const textActions = { actions: (row: ReportRow) => <AiTextRowButton report={row} /> };

function TypedReports({ reporttype }: { reporttype: '02' | '03' }) {
  const list = useList(getAsai1UserReportPageList, { reporttype });
  const navigate = useNavigate();
  const location = useLocation();
  const { reporttype: _type, ...filters } = list.request;
  const { bulk, toolbar, dialog } = useReportBulk(toBatchRequest(filters, { list: reporttype }));
  const isAi = reporttype === '02';
  const hasProvider = useAiSettings() !== undefined;
  const isFiltered = Object.keys(list.filters).length > 0;
  return (
    <>
      <ListPage
        list={list}
        also={['status']}
        filters={
          <>
            <TextFilter name="keyword" label="姓名、拼音或学号/工号" />
            {isAi && <EnumFilter name="appid" label="人群" of={Appid} />}
            <TaskFilter appid={isAi ? (list.filters['appid'] as string | undefined) : '000000001'} />
            {isAi && <EnumFilter name="aistatus" label="AI综合解读" of={AiStatus} />}
            <ManyFilter name="mentalstates" label="情绪状态" options={MentalState.options} />
            <DateRangeFilter from="begindate" to="enddate" label="提交日期" />
          </>
        }
        lead={
          <Group gap="sm">
            <StatusTabs list={list} />
            <NewReports filters={{ reporttype }} show={list.refresh} />
            {isAi && <AiConsent />}
          </Group>
        }
        toolbar={toolbar}
        bulk={bulk}
      >
        <DataTable
          list={list}
          columns={isAi ? aiColumns : maternityColumns}
          rowKey="reportcode"
          label={isAi ? 'AI个体报告列表' : '孕产妇1.0报告列表'}
          selectable={can(showOrHiddenReport) || can(exportReportZip)}
          {...(isAi && hasProvider ? textActions : {})}
          onOpen={(row) => void navigate(pathFromList(row, location, isAi ? undefined : maternityPage))}
          empty={
            <EmptyState
              filtered={isFiltered}
              reset={() => list.setFilters({})}
              {...(isFiltered
                ? {}
                : isAi
                  ? { title: '还没有AI个体报告', hint: '方案的“报告形式”选为“AI个体报告”后，新交卷的报告会出现在这里' }
                  : {
                      title: '还没有孕产妇1.0报告',
                      hint: '孕产妇方案的“报告形式”选为“孕产妇1.0（两页）”后，新交卷的报告会出现在这里',
                    })}
            />
          }
        />
      </ListPage>
      {dialog}
    </>
  );
}

/** AI个体报告: AI reports and other reports with an AI text. */
export const AiReports = () => <TypedReports reporttype="02" />;

/** 孕产妇1.0: its list, or one report in the short form of two pages. */
export function MaternityReports() {
  const [params] = useSearchParams();
  return params.get('reportcode') ? <ReportPage isShortForm /> : <TypedReports reporttype="03" />;
}

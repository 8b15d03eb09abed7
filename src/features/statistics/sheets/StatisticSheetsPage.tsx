import { Gender, MentalState, Scene, YesNo } from '#domain/base/enums.ts';
import { formatNumber } from '#domain/base/number.ts';
import { archivePathOf, reportPathOf } from '#contract/population.ts';
import { isHiddenField } from '#ui/api/session.ts';
import { EnumBadge, LevelBadge } from '#ui/display/badges.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { FilterWords, WORDED_FILTERS } from '#features/statistics/persons/FilterWords.tsx';
import { TestState } from '#features/statistics/persons/persons.contract.ts';
import { getStatisticSheetPageList, type StatisticSheetRow } from '#features/statistics/sheets/sheets.contract.ts';

const TONES = { valid: 'green', doubtful: 'amber', withheld: 'amber' } as const;

const column = columnsOf(getStatisticSheetPageList);
const columns = [
  column('username', '姓名', (name, row) => <Link to={archivePathOf(row.appid, row.cuserid)}>{name}</Link>, {
    width: 110,
    sort: true,
  }),
  column('gender', '性别', Gender.label, { width: 56 }),
  column('belongs', '班级/单位', (place) => place || '—', { width: 140, hint: '作答时所在的年级和班级' }),
  column('submittime', '提交时间', (time) => <RelativeTime at={time} />, { width: 130, sort: true }),
  column('scenecode', '测评场景', Scene.label, { width: 110 }),
  column('planname', '方案', { width: 180 }),
  column('taskname', '任务', (name) => name || '—', { width: 180 }),
  column('sheetstate', '作答', (state) => <EnumBadge of={TestState} code={state} tones={TONES} />, { width: 100 }),
  column(
    'overalllevel',
    '结果',
    (level, row) => (level === null ? '—' : <LevelBadge level={level} label={MentalState.label(row.mentalstate)} />),
    { width: 140, hint: '筛查提示，不是诊断' },
  ),
  column('reportcode', '报告', (code, row) => (code ? <Link to={reportPathOf(row.appid, code)}>查看报告</Link> : '—'), {
    width: 92,
  }),
  column('insname', '机构', { hidden: true }),
];

/** The answer sheets behind a number in 人次 of 数据分析. The address has its filters, so the total is the number. */
export default function StatisticSheetsPage() {
  const list = useList(getStatisticSheetPageList);
  const navigate = useNavigate();
  const month = list.request.month;
  return (
    <ListPage
      list={list}
      also={['month', ...WORDED_FILTERS]}
      filters={
        <>
          <EnumFilter name="scenecode" label="测评场景" of={Scene} />
          {!isHiddenField(getStatisticSheetPageList, 'isabnormal') && <EnumFilter name="isabnormal" label="需关注" of={YesNo} />}
        </>
      }
      lead={
        <div>
          <strong>
            提交的答卷{month ? ` · ${month}` : ''}，共 {formatNumber(list.total)} 人次
          </strong>
          <FilterWords filters={list.filters} />
        </div>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="examcode"
        label="统计答卷列表"
        onOpen={(row: StatisticSheetRow) => navigate(archivePathOf(row.appid, row.cuserid))}
        empty={<EmptyState title="没有符合的答卷" hint="回到数据分析调整条件" />}
      />
    </ListPage>
  );
}

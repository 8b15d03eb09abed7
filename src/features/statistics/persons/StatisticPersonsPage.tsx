import { Select } from '@mantine/core';
import { useContext } from 'react';
import { Gender, MentalState } from '#domain/base/enums.ts';
import { formatNumber } from '#domain/base/number.ts';
import { gradeOf } from '#domain/person/grades.ts';
import { archivePathOf, reportPathOf } from '#contract/population.ts';
import { isHiddenField } from '#ui/api/session.ts';
import { EnumBadge, LevelBadge } from '#ui/display/badges.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, FilterContext, useFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { FilterWords, WORDED_FILTERS } from '#features/statistics/persons/FilterWords.tsx';
import {
  getStatisticPersonPageList,
  Measure,
  NO_PLACE,
  resultMeasures,
  TestState,
  type StatisticPersonRow,
} from '#features/statistics/persons/persons.contract.ts';

const TONES = { valid: 'green', doubtful: 'amber', withheld: 'amber', absent: 'orange', none: 'red', doing: 'amber' } as const;

const column = columnsOf(getStatisticPersonPageList);
const columns = [
  column('username', '姓名', (name, row) => <Link to={archivePathOf(row.appid, row.cuserid)}>{name}</Link>, {
    width: 110,
    sort: true,
  }),
  column('studentno', '学号/工号', { width: 110 }),
  column('gender', '性别', Gender.label, { width: 56 }),
  column('age', '年龄', { width: 56, align: 'right' }),
  column('belongs', '班级/单位', { width: 140, sort: true, hint: '统计时所在的年级和班级' }),
  column(
    'teststate',
    '测评',
    (state, row) => (
      <span style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}>
        <EnumBadge of={TestState} code={state} tones={TONES} />
        {row.reason && <span>{row.reason}</span>}
      </span>
    ),
    { width: 140, hint: '在所选范围内：有有效答卷、作答存疑、免测、缺测，或还没有做' },
  ),
  column(
    'overalllevel',
    '最近结果',
    (level, row) => (level === null ? '—' : <LevelBadge level={level} label={MentalState.label(row.resultstate)} />),
    { width: 150, sort: true, hint: '所选范围内最近一份有效答卷；筛查提示，不是诊断' },
  ),
  column('submittime', '提交时间', (time) => (time ? <RelativeTime at={time} /> : '—'), { width: 120, sort: true }),
  column('reportcode', '报告', (code, row) => (code ? <Link to={reportPathOf(row.appid, code)}>查看报告</Link> : '—'), {
    width: 92,
  }),
  column('interferecount', '干预', (count) => (count ? `${count} 次` : '—'), {
    width: 72,
    hint: '这份答卷之后的干预记录',
  }),
  column('ownername', '负责人', (name) => name || '—', { width: 96, hidden: true }),
  column('insname', '机构', { hidden: true }),
];

/** The choice of the measure. Another measure has no level. */
function MeasureFilter() {
  const [measure] = useFilter('measure');
  const { set } = useContext(FilterContext);
  const isResultHidden = isHiddenField(getStatisticPersonPageList, 'overalllevel');
  return (
    <Select
      label="人员"
      allowDeselect={false}
      data={Measure.options.filter(({ value }) => !isResultHidden || !resultMeasures.includes(value))}
      value={measure || Measure.total}
      onChange={(next) => set({ measure: next, value: null })}
    />
  );
}

/** What the list counts, in words. */
function describe({ measure, value, ofgender, ofgrade, ofclass }: Record<string, unknown>): string {
  const place = (code: unknown, none: string) => (code === NO_PLACE ? none : typeof code === 'string' ? code : '');
  return [
    Measure.label(measure as string) + (value === undefined ? '' : `：${String(value)} 级`),
    ofgrade === undefined ? '' : (gradeOf(String(ofgrade))?.name ?? place(ofgrade, '未填年级')),
    place(ofclass, '未填班级'),
    ofgender === undefined ? '' : `${Gender.label(ofgender as string)}${ofgender === '00' ? '性别' : '性'}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The persons behind a number of 数据分析. The address has its filters, so the total is the number. */
export default function StatisticPersonsPage() {
  const list = useList(getStatisticPersonPageList);
  const navigate = useNavigate();
  return (
    <ListPage
      list={list}
      also={['value', 'ofgrade', 'ofclass', ...WORDED_FILTERS]}
      filters={
        <>
          <MeasureFilter />
          <EnumFilter name="ofgender" label="性别" of={Gender} />
        </>
      }
      lead={
        <div>
          <strong>
            {describe({ measure: Measure.total, ...list.request })}，共 {formatNumber(list.total)} 人
          </strong>
          <FilterWords filters={list.filters} />
        </div>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="cuserid"
        label="统计人员列表"
        onOpen={(row: StatisticPersonRow) => navigate(archivePathOf(row.appid, row.cuserid))}
        empty={<EmptyState title="没有符合的人员" hint="换一个指标，或回到数据分析调整条件" />}
      />
    </ListPage>
  );
}

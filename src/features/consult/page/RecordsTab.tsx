import { Button } from '@mantine/core';
import { useState } from 'react';
import { fromShanghai } from '#domain/base/calendar.ts';
import { ConsultSource, ConsultStatus, ConsultTopic, ConsultType } from '#domain/base/enums.ts';
import { ApprovedExport } from '#blocks/export/ApprovedExport.tsx';
import { filtersOf } from '#blocks/export/ExportButton.tsx';
import { EnumBadge, WarningBadge } from '#ui/display/badges.tsx';
import { Clock } from '#ui/display/Clock.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { STATUS_TONES } from '#features/consult/page/consultWords.ts';
import {
  exportConsultList,
  getConsultCount,
  getConsultPageList,
  insertConsult,
  type ConsultRow,
} from '#features/consult/register/register.contract.ts';
import { getCounsellorList } from '#features/consult/schedule/schedule.contract.ts';
import classes from './consult.module.css';

const ConsultDrawer = lazyDialog(() => import('#features/consult/page/ConsultDrawer.tsx').then((file) => file.ConsultDrawer));
const NewConsultDrawer = lazyDialog(() =>
  import('#features/consult/page/NewConsultDrawer.tsx').then((file) => file.NewConsultDrawer),
);

const column = columnsOf(getConsultPageList);
const columns = [
  column.of(
    'username',
    '姓名',
    (row) => (
      <span className={classes['who']}>
        <PersonName value={row.username} />
        <small data-long>{row.belongs || '—'}</small>
      </span>
    ),
    { width: 120 },
  ),
  column('status', '状态', (code) => <EnumBadge of={ConsultStatus} code={code} tones={STATUS_TONES} />, { width: 96 }),
  column('slotbegin', '预约时间/时限', (_, row) => <TimeOf row={row} />, {
    width: 176,
    sort: true,
    hint: '待受理的显示安排时间的时限：申请后 3 个工作日内；有较高等级的个案时 24 小时内',
  }),
  column('counsellorname', '咨询师', (name) => name || '—', { width: 84 }),
  column('topics', '困扰', (topics) => topics.map((code) => ConsultTopic.label(code)).join('、') || '—'),
  column.of(
    'warning',
    '预警',
    (row) =>
      row.warningcode ? (
        <Link to={`/earlyWarning/case/${row.warningcode}`}>
          <WarningBadge level={row.warninglevel} />
        </Link>
      ) : (
        '—'
      ),
    { width: 104 },
  ),
  column('consulttype', '方式', (code) => ConsultType.label(code), { width: 64 }),
  column('source', '来源', (code) => ConsultSource.label(code), { width: 88 }),
  column('applytime', '申请时间', (time) => time.slice(0, 16), { width: 148, sort: true }),
  column('room', '咨询室', (room) => room || '—', { hidden: true, width: 100 }),
  column('insname', '机构', { hidden: true }),
];

/** The time left to arrange a waiting registration; of others the booked time without its year: 11-25 14:00–14:50. */
function TimeOf({ row: { status, duetime, slotbegin, slotend } }: { row: ConsultRow }) {
  if (status === '01') return <Clock deadline={fromShanghai(duetime).getTime()} />;
  if (slotbegin === null) return <>—</>;
  return (
    <span className={classes['slot']}>
      {slotbegin.slice(5, 16)}–{slotend?.slice(11, 16)}
    </span>
  );
}

const VIEWS = [
  ['open', '待处理', '还没有待处理的登记'],
  ['overdue', '已逾期', '没有逾期的登记'],
  ['today', '今日预约', '今天没有预约'],
  ['all', '全部', '还没有咨询登记'],
] as const;

const EMPTY_HINT = '受测者可以在作答页面申请咨询，也可以由工作人员登记；在“排班”中设置咨询时间后即可预约';

/** 登记记录: the registrations in the reach of the reader, those with an open case first. */
export default function RecordsTab() {
  const list = useList(getConsultPageList);
  const counts = useActionQuery(getConsultCount, {}, { quiet: true, every: 60_000 }).data;
  const counsellors = useActionQuery(getCounsellorList, {}, { quiet: true }).data;
  const [isNew, setIsNew] = useState(false);
  const view = (list.filters['view'] as string | undefined) ?? 'open';
  const [params, setParams] = useSearchParams();
  const opened = Number(params.get('open') ?? 0) || undefined;
  // The page of the list stays while a registration is open.
  const openRow = (consultid: number | undefined) =>
    setParams((newest) => {
      if (consultid === undefined) newest.delete('open');
      else newest.set('open', String(consultid));
      return newest;
    });
  const isFiltered = Object.keys(list.filters).some((key) => !['view', 'open', 'tab'].includes(key));
  const isMine = list.filters['mine'] === '1';
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="姓名/编号" />
          <EnumFilter name="status" label="状态" of={ConsultStatus} />
          <SelectFilter
            name="counsellor"
            label="咨询师"
            options={(counsellors ?? []).map(({ userid, realname }) => ({ value: userid, label: realname }))}
          />
          <EnumFilter name="topic" label="困扰" of={ConsultTopic} />
          <EnumFilter name="source" label="来源" of={ConsultSource} />
          <DateRangeFilter from="begindate" to="enddate" label="申请日期" />
        </>
      }
      also={['view', 'mine', 'open', 'tab']}
      toolbar={
        <>
          <ApprovedExport action={exportConsultList} request={filtersOf(list.request)} title="咨询登记" />
          {can(insertConsult) && <Button onClick={() => setIsNew(true)}>新增登记</Button>}
        </>
      }
      lead={
        <div role="group" aria-label="登记范围" className={classes['views']}>
          {VIEWS.map(([key, name]) => (
            <Button
              key={key}
              size="compact-sm"
              variant={view === key ? 'light' : 'subtle'}
              color={view === key ? 'brand' : 'gray'}
              aria-pressed={view === key}
              onClick={() => list.setFilters({ ...list.filters, view: key === 'open' ? undefined : key })}
            >
              {name}
              {key !== 'all' && counts ? ` ${counts[key]}` : ''}
            </Button>
          ))}
          <Button
            size="compact-sm"
            variant={isMine ? 'light' : 'subtle'}
            color={isMine ? 'brand' : 'gray'}
            aria-pressed={isMine}
            onClick={() => list.setFilters({ ...list.filters, mine: isMine ? undefined : '1' })}
          >
            我的{counts ? ` ${counts.mine}` : ''}
          </Button>
        </div>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="consultid"
        label="咨询登记列表"
        onOpen={(row) => openRow(row.consultid)}
        actions={(row) => (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`查看 ${row.username} ${row.applytime.slice(0, 10)} 的登记`}
            onClick={() => openRow(row.consultid)}
          >
            查看
          </Button>
        )}
        empty={
          <EmptyState
            {...(!isFiltered && {
              title: VIEWS.find(([key]) => key === view)?.[2] ?? '还没有咨询登记',
              ...((view === 'open' || view === 'all') && { hint: EMPTY_HINT }),
            })}
            filtered={isFiltered}
            reset={() => list.setFilters({})}
          />
        }
      />
      {opened !== undefined && (
        <ConsultDrawer
          key={opened}
          consultid={opened}
          sequence={list.rows.map((row) => row.consultid)}
          onMove={openRow}
          onClose={() => openRow(undefined)}
        />
      )}
      {isNew && (
        <NewConsultDrawer
          onClose={() => setIsNew(false)}
          onDone={(consultid) => {
            setIsNew(false);
            openRow(consultid);
          }}
        />
      )}
    </ListPage>
  );
}

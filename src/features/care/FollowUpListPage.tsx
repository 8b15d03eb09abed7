import { Button } from '@mantine/core';
import { useState } from 'react';
import { fromShanghai } from '#domain/base/calendar.ts';
import { FollowMethod, FollowStatus, WarningLevel } from '#domain/base/enums.ts';
import { ApprovedExport } from '#blocks/export/ApprovedExport.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { EnumBadge, WarningBadge } from '#ui/display/badges.tsx';
import { Clock } from '#ui/display/Clock.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { EnumFilter, TextFilter } from '#ui/list/filters.tsx';
import { filtersOf } from '#blocks/export/ExportButton.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { RowMenu, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { Link } from '#ui/router/router.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { can } from '#ui/api/session.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import {
  cancelFollowUp,
  deleteFollowUp,
  exportFollowUpList,
  finishFollowUp,
  getFollowUpPageList,
  insertFollowUp,
  updateFollowUp,
  type FollowUpRow,
} from '#features/care/care.contract.ts';
import { createRetestTask } from '#features/task/task.contract.ts';
import classes from './care.module.css';

const CancelDrawer = lazyDialog(() => import('#features/care/FollowupDrawers.tsx').then((file) => file.CancelDrawer));
const MendDrawer = lazyDialog(() => import('#features/care/FollowupDrawers.tsx').then((file) => file.MendDrawer));
const NewDrawer = lazyDialog(() => import('#features/care/FollowupDrawers.tsx').then((file) => file.NewDrawer));
const RegisterDrawer = lazyDialog(() => import('#features/care/FollowupDrawers.tsx').then((file) => file.RegisterDrawer));
const RetestDrawer = lazyDialog(() => import('#blocks/person/RetestDrawer.tsx').then((file) => file.RetestDrawer));

const column = columnsOf(getFollowUpPageList);
const waits = (row: FollowUpRow) => row.status === '01' || row.status === '03';
const columns = [
  column.of(
    'username',
    '姓名',
    (row) => (
      <span className={classes['who']} data-overdue={row.isoverdue}>
        <PersonName value={row.username} />
        <small data-long>{row.belongs || '—'}</small>
      </span>
    ),
    { width: 130 },
  ),
  column.of('duetime', '应随访时间', (row) => <span style={{ whiteSpace: 'nowrap' }}>{row.duetime.slice(0, 16)}</span>, {
    width: 160,
    sort: true,
  }),
  column.of('clock', '时限', (row) => (waits(row) ? <Clock deadline={fromShanghai(row.duetime).getTime()} /> : '—'), {
    width: 140,
  }),
  column(
    'status',
    '状态',
    (code) => <EnumBadge of={FollowStatus} code={code} tones={{ '01': 'amber', '02': 'green', '03': 'red', '04': 'red' }} />,
    { width: 100 },
  ),
  column('method', '方式', (code) => FollowMethod.label(code), { width: 80 }),
  column.of(
    'warning',
    '预警',
    (row) =>
      row.warningcode ? (
        <Link to={`/earlyWarning/case/${row.warningcode}`}>
          <WarningBadge of={WarningLevel} level={row.warninglevel} />
        </Link>
      ) : (
        '—'
      ),
    { width: 110 },
  ),
  column('content', '随访记录', (text) => text || '—'),
  column('retest', '复测', (text) => text || '—', { width: 110 }),
  column('ownername', '责任人', { width: 90 }),
  column('seq', '次序', (seq) => `第 ${seq} 次`, { hidden: true, width: 80 }),
  column('insname', '机构', { hidden: true }),
];
const VIEWS = [
  ['today', '今日'],
  ['overdue', '已逾期'],
  ['all', '全部'],
] as const;

/** 随访管理: whom to see today, who was missed, everything planned. */
export default function FollowUpListPage() {
  const list = useList(getFollowUpPageList);
  const [doing, setDoing] = useState<Doing>();
  const view = String(list.filters['view'] ?? 'all');
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="姓名/编号" />
          <EnumFilter name="status" label="状态" of={FollowStatus} />
          <DateRangeFilter from="begindate" to="enddate" label="应随访日期" />
        </>
      }
      also={['view']}
      toolbar={
        <>
          <ApprovedExport action={exportFollowUpList} request={filtersOf(list.request)} title="随访记录" />
          <Can call={insertFollowUp}>
            <Button onClick={() => setDoing({ kind: 'new' })}>新增随访</Button>
          </Can>
        </>
      }
      lead={
        <div role="group" aria-label="随访范围" style={{ display: 'flex', gap: 4 }}>
          {VIEWS.map(([key, name]) => (
            <Button
              key={key}
              size="compact-md"
              variant={view === key ? 'light' : 'subtle'}
              color={view === key ? 'brand' : 'gray'}
              aria-pressed={view === key}
              onClick={() => list.setFilters({ ...list.filters, view: key === 'all' ? undefined : key })}
            >
              {name}
            </Button>
          ))}
        </div>
      }
    >
      <div className={classes['rows']}>
        <DataTable
          list={list}
          columns={columns}
          rowKey="followupid"
          label="随访列表"
          actions={(row) => <Operations row={row} open={setDoing} />}
          empty={
            <EmptyState
              title={view === 'all' ? '还没有随访' : view === 'today' ? '今天没有待随访' : '没有逾期的随访'}
              hint="预警个案转入随访观察时，会按等级自动安排；也可以为没有预警的人员安排"
              filtered={Object.keys(list.filters).some((key) => key !== 'view')}
              reset={() => list.setFilters({})}
            />
          }
        />
      </div>
      {doing && <Doings doing={doing} onClose={() => setDoing(undefined)} />}
    </ListPage>
  );
}

type Doing = { kind: 'new' } | { kind: 'register' | 'mend' | 'cancel' | 'retest'; row: FollowUpRow };

function Operations({ row, open }: { row: FollowUpRow; open: (doing: Doing) => void }) {
  const remove = useActionMutation(deleteFollowUp, { successMessage: '删除成功' });
  const drop = async () => {
    if (await confirm({ text: `是否确认删除“${row.username} ${row.duetime.slice(0, 16)} 的随访”？`, danger: true }))
      remove.mutate({ followupid: row.followupid });
  };
  const items = [
    can(updateFollowUp) &&
      row.status !== '05' && { words: waits(row) ? '改期' : '更正记录', onClick: () => open({ kind: 'mend', row }) },
    can(createRetestTask) && waits(row) && { words: '安排复测', onClick: () => open({ kind: 'retest', row }) },
    can(cancelFollowUp) && waits(row) && { words: '取消随访', onClick: () => open({ kind: 'cancel', row }) },
    can(deleteFollowUp) && row.status !== '02' && row.status !== '04' && { words: '删除', onClick: () => void drop(), red: true },
  ].filter((item) => item !== false) as { words: string; onClick: () => void; red?: boolean }[];
  return (
    <>
      {waits(row) && (
        <Can call={finishFollowUp}>
          <Button variant="subtle" size="compact-sm" onClick={() => open({ kind: 'register', row })}>
            登记
          </Button>
        </Can>
      )}
      {items.length > 0 && (
        <RowMenu label={`更多操作：${row.username} ${row.duetime.slice(0, 10)}`}>
          {items.map(({ words, onClick, red = false }) => (
            <RowMenuItem key={words} onClick={onClick} danger={red}>
              {words}
            </RowMenuItem>
          ))}
        </RowMenu>
      )}
    </>
  );
}

function Doings({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  if (doing.kind === 'new') return <NewDrawer onClose={onClose} />;
  if (doing.kind === 'register') return <RegisterDrawer row={doing.row} onClose={onClose} />;
  if (doing.kind === 'mend') return <MendDrawer row={doing.row} onClose={onClose} />;
  if (doing.kind === 'cancel') return <CancelDrawer row={doing.row} onClose={onClose} />;
  return <RetestDrawer person={doing.row} warningcode={doing.row.warningcode} onClose={onClose} />;
}

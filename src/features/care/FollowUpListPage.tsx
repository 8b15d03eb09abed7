import { Button } from '@mantine/core';
import { useState } from 'react';
import { fromShanghai } from '#domain/base/calendar.ts';
import { FollowMethod, FollowStatus } from '#domain/base/enums.ts';
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

const CancelFollowupDrawer = lazyDialog(() =>
  import('#features/care/FollowupDrawers.tsx').then((file) => file.CancelFollowupDrawer),
);
const EditFollowupDrawer = lazyDialog(() => import('#features/care/FollowupDrawers.tsx').then((file) => file.EditFollowupDrawer));
const NewFollowupDrawer = lazyDialog(() => import('#features/care/FollowupDrawers.tsx').then((file) => file.NewFollowupDrawer));
const RegisterFollowupDrawer = lazyDialog(() =>
  import('#features/care/FollowupDrawers.tsx').then((file) => file.RegisterFollowupDrawer),
);
const RetestDrawer = lazyDialog(() => import('#blocks/person/RetestDrawer.tsx').then((file) => file.RetestDrawer));

const column = columnsOf(getFollowUpPageList);
const isWaiting = (row: FollowUpRow) => row.status === '01' || row.status === '03';
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
  column.of('clock', '时限', (row) => (isWaiting(row) ? <Clock deadline={fromShanghai(row.duetime).getTime()} /> : '—'), {
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
          <WarningBadge level={row.warninglevel} />
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

/** 随访管理: the follow-ups of today, the overdue ones, or all. */
export default function FollowUpListPage() {
  const list = useList(getFollowUpPageList);
  const [drawer, setDrawer] = useState<DrawerState>();
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
            <Button onClick={() => setDrawer({ kind: 'new' })}>新增随访</Button>
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
          actions={(row) => <Operations row={row} open={setDrawer} />}
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
      {drawer && <FollowupDrawer drawer={drawer} onClose={() => setDrawer(undefined)} />}
    </ListPage>
  );
}

type DrawerState = { kind: 'new' } | { kind: 'register' | 'edit' | 'cancel' | 'retest'; row: FollowUpRow };

function Operations({ row, open }: { row: FollowUpRow; open: (drawer: DrawerState) => void }) {
  const remove = useActionMutation(deleteFollowUp, { successMessage: '删除成功' });
  const confirmDelete = async () => {
    if (await confirm({ text: `是否确认删除“${row.username} ${row.duetime.slice(0, 16)} 的随访”？`, danger: true }))
      remove.mutate({ followupid: row.followupid });
  };
  const items = [
    can(updateFollowUp) &&
      row.status !== '05' && { label: isWaiting(row) ? '改期' : '更正记录', onClick: () => open({ kind: 'edit', row }) },
    can(createRetestTask) && isWaiting(row) && { label: '安排复测', onClick: () => open({ kind: 'retest', row }) },
    can(cancelFollowUp) && isWaiting(row) && { label: '取消随访', onClick: () => open({ kind: 'cancel', row }) },
    can(deleteFollowUp) &&
      row.status !== '02' &&
      row.status !== '04' && { label: '删除', onClick: () => void confirmDelete(), isDanger: true },
  ].filter((item) => item !== false) as { label: string; onClick: () => void; isDanger?: boolean }[];
  return (
    <>
      {isWaiting(row) && (
        <Can call={finishFollowUp}>
          <Button variant="subtle" size="compact-sm" onClick={() => open({ kind: 'register', row })}>
            登记
          </Button>
        </Can>
      )}
      {items.length > 0 && (
        <RowMenu label={`更多操作：${row.username} ${row.duetime.slice(0, 10)}`}>
          {items.map(({ label, onClick, isDanger = false }) => (
            <RowMenuItem key={label} onClick={onClick} danger={isDanger}>
              {label}
            </RowMenuItem>
          ))}
        </RowMenu>
      )}
    </>
  );
}

function FollowupDrawer({ drawer, onClose }: { drawer: DrawerState; onClose: () => void }) {
  if (drawer.kind === 'new') return <NewFollowupDrawer onClose={onClose} />;
  if (drawer.kind === 'register') return <RegisterFollowupDrawer row={drawer.row} onClose={onClose} />;
  if (drawer.kind === 'edit') return <EditFollowupDrawer row={drawer.row} onClose={onClose} />;
  if (drawer.kind === 'cancel') return <CancelFollowupDrawer row={drawer.row} onClose={onClose} />;
  return <RetestDrawer person={drawer.row} warningcode={drawer.row.warningcode} onClose={onClose} />;
}

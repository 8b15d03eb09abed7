import type { BuiltInView } from '#ui/list/view/builtInView.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { FollowMethod, FollowStatus } from '#domain/base/enums.ts';
import { dueWords } from '#domain/followup/dueWords.ts';
import { ApprovedExport } from '#blocks/export/ApprovedExport.tsx';
import { filtersOf } from '#blocks/export/ExportButton.tsx';
import { Can } from '#ui/api/Can.tsx';
import { can } from '#ui/api/session.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { Badge, EnumBadge, WarningBadge } from '#ui/display/badges.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { RowMenu, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { useList } from '#ui/list/useList.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Link } from '#ui/router/router.tsx';
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
import { getWorkload } from '#features/care/followup/work.contract.ts';
import { BulkFollowUps } from '#features/care/screen/BulkFollowUps.tsx';
import { FollowUpViews } from '#features/care/screen/FollowUpViews.tsx';
import { useOwnerOptions } from '#features/care/screen/OwnerField.tsx';
import { createRetestTask } from '#features/task/task.contract.ts';
import classes from './followup.module.css';

const drawers = () => import('#features/care/screen/FollowUpDrawers.tsx');
const CancelFollowupDrawer = lazyDialog(() => drawers().then((file) => file.CancelFollowupDrawer));
const EditFollowupDrawer = lazyDialog(() => drawers().then((file) => file.EditFollowupDrawer));
const DoneDrawer = lazyDialog(() => drawers().then((file) => file.DoneDrawer));
const PlanDrawer = lazyDialog(() => import('#features/care/screen/PlanDrawer.tsx').then((file) => file.PlanDrawer));
const RecordDrawer = lazyDialog(() => import('#features/care/screen/RecordDrawer.tsx').then((file) => file.RecordDrawer));
const WorkloadDrawer = lazyDialog(() => import('#features/care/screen/WorkloadDrawer.tsx').then((file) => file.WorkloadDrawer));
const RetestDrawer = lazyDialog(() => import('#blocks/person/RetestDrawer.tsx').then((file) => file.RetestDrawer));

const column = columnsOf(getFollowUpPageList);
const isWaiting = (row: FollowUpRow) => row.status === '01';
const RETEST_STATES = ['', '已发送', '已完成', '未作答'];
const today = () => shanghaiDate(new Date());
/** When a waiting follow-up is due, in words while it is near, and as a time. */
function Due({ row }: { row: FollowUpRow }) {
  const words = dueWords(fromShanghai(row.duetime), row.isoverdue === 1, new Date());
  const isToday = row.duetime.slice(0, 10) === today();
  return (
    <span className={classes['due']} title={row.duetime.slice(0, 16)}>
      {!row.duetime.startsWith(words) && (
        <Badge tone={row.isoverdue ? 'red' : isToday ? 'amber' : 'gray'} shape={row.isoverdue ? 3 : 0}>
          {words}
        </Badge>
      )}
      {!words.includes(':') && (
        <small>{row.duetime.startsWith(words) ? row.duetime.slice(0, 16) : row.duetime.slice(5, 10)}</small>
      )}
    </span>
  );
}
/** The state of the re-test and, once it is handed in, its result. */
const retestText = ({ reteststate, retest }: FollowUpRow) => retest || RETEST_STATES[reteststate] || '—';
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
  column.of(
    'duetime',
    '应随访时间',
    (row) => (isWaiting(row) ? <Due row={row} /> : <span style={{ whiteSpace: 'nowrap' }}>{row.duetime.slice(0, 16)}</span>),
    { width: 160, sort: true },
  ),
  column(
    'status',
    '状态',
    (code) => <EnumBadge of={FollowStatus} code={code} tones={{ '01': 'amber', '02': 'green', '04': 'red' }} />,
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
  column('planname', '计划', { width: 110 }),
  column('content', '随访记录', (text) => text || '—'),
  column.of('retest', '复测', retestText, { width: 120 }),
  column('ownername', '责任人', { width: 90, sort: true }),
  column('seq', '次序', (seq) => `第 ${seq} 次`, { hidden: true, width: 80 }),
  column('insname', '机构', { hidden: true }),
];
const EMPTY: Readonly<Record<string, string>> = { today: '今天没有待随访', overdue: '没有逾期的随访' };

const VIEWS: readonly BuiltInView[] = [
  { name: '我的待办', filters: { view: 'today', mine: 1 } },
  { name: '我逾期的，先办最早的', filters: { view: 'overdue', mine: 1 }, orderby: 'duetime', isasc: '1' },
];

/** 随访管理: the follow-ups of today, the overdue ones, or all; recording, planning, and the work of each colleague. */
export default function FollowUpListPage() {
  const list = useList(getFollowUpPageList);
  const [drawer, setDrawer] = useState<DrawerState>();
  const owners = useOwnerOptions();
  const open = (row: FollowUpRow) => setDrawer({ kind: isWaiting(row) && can(finishFollowUp) ? 'register' : 'done', row });
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="姓名/编号" />
          <EnumFilter name="status" label="状态" of={FollowStatus} />
          <SelectFilter name="owneruserid" label="责任人" options={owners} />
          <EnumFilter name="method" label="方式" of={FollowMethod} />
          <DateRangeFilter from="begindate" to="enddate" label="应随访日期" />
        </>
      }
      also={['view', 'mine']}
      views={VIEWS}
      toolbar={
        <>
          <ApprovedExport action={exportFollowUpList} request={filtersOf(list.request)} title="随访记录" />
          <Can call={getWorkload}>
            <Button variant="default" onClick={() => setDrawer({ kind: 'workload' })}>
              工作量
            </Button>
          </Can>
          <Can call={insertFollowUp}>
            <Button onClick={() => setDrawer({ kind: 'new' })}>新增随访</Button>
          </Can>
        </>
      }
      lead={<FollowUpViews list={list} />}
      {...(can(updateFollowUp) && {
        bulk: (keys: string[], done: () => void) => <BulkFollowUps keys={keys} rows={list.rows} done={done} />,
      })}
    >
      <div className={classes['rows']}>
        <DataTable
          list={list}
          columns={columns}
          rowKey="followupid"
          label="随访列表"
          selectable={can(updateFollowUp)}
          onOpen={open}
          actions={(row) => <Operations row={row} open={setDrawer} />}
          empty={
            <EmptyState
              title={EMPTY[String(list.filters['view'])] ?? '还没有随访'}
              hint="预警个案转入随访观察时，会按等级自动安排；也可以为没有预警的人员安排"
              filtered={Object.keys(list.filters).some((key) => key !== 'view')}
              reset={() => list.setFilters({})}
            />
          }
        />
      </div>
      {drawer && <FollowupDrawer drawer={drawer} rows={list.rows} open={setDrawer} onClose={() => setDrawer(undefined)} />}
    </ListPage>
  );
}

type DrawerState =
  { kind: 'new' } | { kind: 'workload' } | { kind: 'register' | 'done' | 'edit' | 'cancel' | 'retest'; row: FollowUpRow };

function Operations({ row, open }: { row: FollowUpRow; open: (drawer: DrawerState) => void }) {
  const remove = useActionMutation(deleteFollowUp, { successMessage: '删除成功' });
  const confirmDelete = async () => {
    if (await confirm({ text: `是否确认删除“${row.username} ${row.duetime.slice(0, 16)} 的随访”？`, danger: true }))
      remove.mutate({ followupid: row.followupid });
  };
  const items = [
    can(updateFollowUp) &&
      row.status !== '05' && {
        label: isWaiting(row) ? '改期或换责任人' : '更正记录',
        onClick: () => open({ kind: 'edit', row }),
      },
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

interface DrawerProps {
  drawer: DrawerState;
  rows: readonly FollowUpRow[];
  open: (drawer: DrawerState) => void;
  onClose: () => void;
}

function FollowupDrawer({ drawer, rows, open, onClose }: DrawerProps) {
  if (drawer.kind === 'new') return <PlanDrawer onClose={onClose} />;
  if (drawer.kind === 'workload') return <WorkloadDrawer onClose={onClose} />;
  const { row } = drawer;
  if (drawer.kind === 'register') {
    const waiting = rows.filter(isWaiting);
    const index = waiting.findIndex(({ followupid }) => followupid === row.followupid);
    const to = (target: FollowUpRow | undefined) => target && (() => open({ kind: 'register', row: target }));
    const present = waiting[index] ?? row;
    return (
      <RecordDrawer
        key={row.followupid}
        row={present}
        onClose={onClose}
        previous={to(waiting[index - 1])}
        next={index < 0 ? undefined : to(waiting[index + 1])}
      />
    );
  }
  if (drawer.kind === 'done')
    return (
      <DoneDrawer
        row={row}
        onClose={onClose}
        onEdit={can(updateFollowUp) && row.status !== '05' ? () => open({ kind: 'edit', row }) : undefined}
      />
    );
  if (drawer.kind === 'edit') return <EditFollowupDrawer row={row} onClose={onClose} />;
  if (drawer.kind === 'cancel') return <CancelFollowupDrawer row={row} onClose={onClose} />;
  return <RetestDrawer person={row} warningcode={row.warningcode} onClose={onClose} />;
}

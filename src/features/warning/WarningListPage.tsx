import type { BuiltInView } from '#ui/list/view/builtInView.ts';
import { levelOptions } from '#domain/warning/levels.ts';
import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { Appid, WarningSource, WarningState } from '#domain/base/enums.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { Badge, EnumBadge, WarningBadge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { ApprovedExport } from '#blocks/export/ApprovedExport.tsx';
import { filtersOf } from '#blocks/export/ExportButton.tsx';
import { OwnerFilter } from '#blocks/workload/OwnerFilter.tsx';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { EnumFilter, ManyFilter, TextFilter } from '#ui/list/filters.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { can, useUser } from '#ui/api/session.ts';
import { useList } from '#ui/list/useList.ts';
import { focusRow } from '#ui/list/rowNavigation.ts';
import { CaseDrawer } from '#features/warning/cases/CaseDrawer.tsx';
import { BulkCases } from '#features/warning/list/BulkCases.tsx';
import { casePath, rememberSequence } from '#features/warning/list/caseSequence.ts';
import { LookContext, NewMark, useLastLook } from '#features/warning/list/lastLook.tsx';
import { DueClock } from '#features/warning/DueClock.tsx';
import { OnCallBar } from '#features/warning/duty/OnCallBar.tsx';
import { getAccessApprovalPageList } from '#features/approval/approval.contract.ts';
import { getExamReviewPageList } from '#features/respond/review/review.contract.ts';
import { insertWarningRule } from '#features/warning/rules/rule.contract.ts';
import { updateLocalDuties } from '#features/warning/special/localDuties.contract.ts';
import { useAcceptance } from '#features/warning/cases/useAcceptance.ts';
import { acceptWarning, insertWarning } from '#features/warning/handling/handling.contract.ts';
import { WarningCards } from '#features/warning/WarningCards.tsx';
import { TAB_FILTERS, WarningTabs } from '#features/warning/WarningTabs.tsx';
import { exportWarningList, getWarningCount, getWarningPageList, type WarningRow } from '#features/warning/warning.contract.ts';
import { STATE_TONES, toInstant } from '#features/warning/case.labels.ts';
import classes from './warning.module.css';

const LocalDutiesDrawer = lazyDialog(() =>
  import('#features/warning/special/LocalDutiesDrawer.tsx').then((file) => file.LocalDutiesDrawer),
);
const ReportDrawer = lazyDialog(() => import('#features/warning/ReportDrawer.tsx').then((file) => file.ReportDrawer));

const column = columnsOf(getWarningPageList);
const columns = [
  column.of(
    'level',
    '等级',
    (row) => (
      <span data-overdue={row.isoverdue}>
        <WarningBadge level={row.level} name={row.levelname} />
      </span>
    ),
    { sort: true, width: 112 },
  ),
  column.of(
    'username',
    '姓名',
    (row) => (
      <span className={classes['who']}>
        <span className={classes['nameline']}>
          <PersonName value={row.username} /> <NewMark row={row} />
        </span>
        <small data-long>{row.belongs || '—'}</small>
        {row.ischanged === 1 && <Badge tone="amber">已改答</Badge>}
      </span>
    ),
    { sort: true, width: 120 },
  ),
  column.of('due', '时限', (row) => <DueClock row={row} />, { sort: true, width: 150, hint: '下一步须完成的事项与剩余时间' }),
  column.of('triggers', '触发原因', (row) =>
    row.triggers ? (
      <span className={classes['clamp']} title={row.triggers}>
        {row.triggers}
      </span>
    ) : (
      '—'
    ),
  ),
  column.of('state', '状态', (row) => <EnumBadge of={WarningState} code={row.state} tones={STATE_TONES} />, {
    sort: true,
    width: 100,
  }),
  column('ownername', '责任人', (name) => name || '未分派', { width: 80 }),
  column('createtime', '触发时间', (at) => <RelativeTime at={toInstant(at)} />, { sort: true, width: 104 }),
  column('source', '来源', (code) => WarningSource.label(code), { hidden: true, width: 90 }),
  column('insname', '机构', { hidden: true }),
  column('warningcode', '编号', { hidden: true, width: 130 }),
  column('guardiannotified', '已告知家长', (isNotified) => (isNotified ? '是' : '否'), { hidden: true, width: 100 }),
];

/** The columns for staff who see only their own teams. The other columns would be empty for them. */
const BRIEF_COLUMNS: readonly string[] = ['username', 'state', 'ownername', 'createtime', 'insname', 'warningcode'];
const briefColumns = columns
  .filter((item) => BRIEF_COLUMNS.includes(item.key))
  // Without a width the name column fills the remaining space.
  .map(({ width, ...briefColumn }) =>
    briefColumn.key === 'username' || width === undefined ? briefColumn : { ...briefColumn, width },
  );

/** Milliseconds between two requests for the numbers while the page is visible. */
const POLL_MS = 5_000;

const OPEN_STATES = ['01', '02', '03', '04', '05', '06'];
const VIEWS: readonly BuiltInView[] = [
  { name: '我的待办', filters: { mine: 1, states: OPEN_STATES }, orderby: 'due', isasc: '1' },
  { name: '超时的，先办最早的', filters: { overdue: 1 }, orderby: 'due', isasc: '1' },
  { name: '高等级未结案', filters: { levels: [3, 4], states: OPEN_STATES }, orderby: 'level', isasc: '0' },
];

/** 危机预警: the list of cases, overdue and new ones first, each with its deadline, its owner and a button to accept it. */
export default function WarningListPage() {
  const { sector } = useUser();
  const list = useList(getWarningPageList);
  const count = useActionQuery(getWarningCount, {}, { every: POLL_MS, quiet: true });
  const [opened, setOpened] = useState<string>();
  const { isNew, markOpened } = useLastLook(list.rows);
  // While a form of a step is open, Escape must not close the case: the user would lose the text.
  const [entering, setEntering] = useState(false);
  const [reporting, setReporting] = useState(false);
  const [isEditingDuties, setIsEditingDuties] = useState(false);
  const phone = useMediaQuery('(max-width: 768px)');
  const navigate = useNavigate();
  const user = useUser();
  const plain = user.narrowed;
  const [filtering, setFiltering] = useState(false);
  const hasFilters = Object.keys(list.filters).some((key) => !TAB_FILTERS.includes(key));
  const acceptance = useAcceptance((warningcode) => openCase(warningcode));
  // The numbers are cheap to read. The page reads the rows again only when the numbers have changed.
  const latest = count.data ? `${count.data.latest}${count.data.open}${count.data.overdue}` : undefined;
  const seen = useRef(latest);
  const { refresh, rows } = list;
  const openCase = (warningcode: string) => {
    rememberSequence(list);
    moveTo(warningcode);
  };
  const moveTo = (warningcode: string) => {
    markOpened(warningcode);
    // On a phone a case fills the screen: a page of its own lets the back gesture lead to the list.
    if (phone) navigate(casePath(warningcode));
    else setOpened(warningcode);
  };
  useEffect(() => {
    if (seen.current !== undefined && latest !== undefined && seen.current !== latest) refresh();
    seen.current = latest;
  }, [latest, refresh]);

  const actions = (row: WarningRow) => (
    <>
      {row.pending === 1 && (
        <Can call={acceptWarning}>
          <Button size="compact-sm" loading={acceptance.pending === row.warningcode} onClick={() => acceptance.accept(row)}>
            受理
          </Button>
        </Can>
      )}
      <Button variant="subtle" size="compact-sm" onClick={() => openCase(row.warningcode)}>
        {row.pending === 1 || row.state === '07' || row.state === '08' || row.level === null ? '查看' : '处理'}
      </Button>
    </>
  );
  const empty = (
    <EmptyState
      title="没有符合条件的预警"
      hint="答卷中出现红线条目或达到预警规则时，会立即出现在这里"
      filtered={Object.keys(list.filters).length > 0}
      reset={() => list.setFilters({})}
    />
  );

  return (
    <LookContext value={isNew}>
      <OnCallBar checkedAt={count.dataUpdatedAt} failed={count.isError} />
      <div style={{ height: 12 }} />
      <ListPage
        list={list}
        folds
        bulk={(keys, done) => <BulkCases keys={keys} rows={rows} done={done} />}
        filters={
          (!phone || filtering || hasFilters) && (
            <>
              <OwnerFilter value={list.filters['owneruserid']} label="责任人" />
              <TextFilter name="keyword" label="姓名/编号" placeholder="姓名、拼音、学号/工号或编号" />
              {!plain && <ManyFilter name="levels" label="等级" options={levelOptions(sector)} />}
              <ManyFilter name="states" label="状态" options={WarningState.options} />
              <EnumFilter name="appid" label="人群" of={Appid} />
              <DateRangeFilter from="begindate" to="enddate" label="触发日期" />
            </>
          )
        }
        also={TAB_FILTERS}
        views={plain ? undefined : VIEWS}
        lead={<WarningTabs list={list} count={count.data} plain={plain} />}
        toolbar={
          <>
            {phone && !hasFilters && (
              <Button variant="default" aria-expanded={filtering} onClick={() => setFiltering(!filtering)}>
                筛选
              </Button>
            )}
            {!plain && <ReviewButton />}
            {can(acceptWarning) && (
              <Button variant="default" component={Link} to="/earlyWarning/supervision">
                督办
              </Button>
            )}
            {!plain && <ApprovedExport action={exportWarningList} request={filtersOf(list.request)} title="危机预警" />}
            {!plain && (can(insertWarningRule) || can(getAccessApprovalPageList)) && (
              <MoreMenu onLocalDuties={() => setIsEditingDuties(true)} />
            )}
            <Can call={insertWarning}>
              <Button variant="default" onClick={() => setReporting(true)}>
                人工上报
              </Button>
            </Can>
          </>
        }
      >
        <div className={classes['cases']}>
          {phone ? (
            <WarningCards list={list} actions={actions} empty={empty} onOpen={openCase} />
          ) : (
            <DataTable
              list={list}
              columns={plain ? briefColumns : columns}
              rowKey="warningcode"
              label="危机预警列表"
              selectable={!plain && can(acceptWarning)}
              onOpen={(row) => openCase(row.warningcode)}
              actions={actions}
              empty={empty}
            />
          )}
        </div>
      </ListPage>
      <CaseDrawer
        warningcode={opened}
        entering={entering}
        onStep={setEntering}
        onMove={moveTo}
        onClose={() => {
          setOpened(undefined);
          // The reader may have gone on to another case: its row is the place to go on from.
          if (opened) requestAnimationFrame(() => focusRow(opened));
        }}
      />
      {isEditingDuties && <LocalDutiesDrawer onClose={() => setIsEditingDuties(false)} />}
      {reporting && <ReportDrawer onClose={() => setReporting(false)} onDone={openCase} />}
    </LookContext>
  );
}

/** Leads to the sheets that staff must look at, with their number. */
function ReviewButton() {
  const { data } = useActionQuery(getExamReviewPageList, { done: 0, page: 1, pageSize: 1 }, { every: 60_000, quiet: true });
  return (
    <Button variant="default" component={Link} to="/earlyWarning/reviews?done=0">
      待核对答卷{data && data.total > 0 ? ` ${data.total}` : ''}
    </Button>
  );
}

/** The menu with rules and approvals, for staff who may open them. */
const MoreMenu = ({ onLocalDuties }: { onLocalDuties: () => void }) => (
  <Menu position="bottom-end" withinPortal>
    <Menu.Target>
      <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
        更多
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {can(insertWarningRule) && (
        <Menu.Item component={Link} to="/earlyWarning/rules">
          预警规则
        </Menu.Item>
      )}
      {can(updateLocalDuties) && <Menu.Item onClick={onLocalDuties}>本地上报规定</Menu.Item>}
      {can(getAccessApprovalPageList) && (
        <Menu.Item component={Link} to="/approvals">
          导出审批
        </Menu.Item>
      )}
    </Menu.Dropdown>
  </Menu>
);

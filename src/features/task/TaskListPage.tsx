import type { BuiltInView } from '#ui/list/view/builtInView.ts';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { formatNumber } from '#domain/base/number.ts';
import { TaskStatus, Term } from '#domain/base/enums.ts';
import { TaskRound } from '#domain/task/taskprogress.ts';
import { Badge, EnumBadge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { can } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { getAssessTaskProgress, getAssessTaskRoster, type TaskRow } from '#features/task/board/board.contract.ts';
import { getCUserReportPageList } from '#features/report/report.contract.ts';
import { deleteAssessTask, insertAssessTask, updateAssessTask } from '#features/task/task.contract.ts';
import {
  formatMinute,
  newTaskPath,
  populations,
  rosterPath,
  showPath,
  taskPath,
  yearOptions,
  type RosterPart,
} from '#features/task/task.labels.ts';
import classes from './task.module.css';

/** Badge colours of the task states. */
export const taskTones = { 0: 'gray', 1: 'green', 2: 'lime', 3: 'gray' } as const;

/** Shows 完成/应测 with its rate and a bar, and the rate without exempt persons when there are some, or a dash where the numbers are hidden. */
export function Progress({
  row,
}: {
  row: Pick<TaskRow, 'finishedcount' | 'rostercount' | 'finishrate' | 'exemptcount' | 'duerate'>;
}) {
  if (row.rostercount === null) return <>—</>;
  return (
    <div className={classes['progress']}>
      <span>
        {formatNumber(row.finishedcount ?? 0)} / {formatNumber(row.rostercount)}
        {row.finishrate !== null && `（${row.finishrate.toFixed(1)}%）`}
      </span>
      {row.duerate !== null && Boolean(row.exemptcount) && (
        <span
          className={classes['quiet']}
          title={`完成/（应测−免测） = ${formatNumber(row.finishedcount ?? 0)}/${formatNumber(row.rostercount - (row.exemptcount ?? 0))}`}
        >
          扣除免测 {row.duerate.toFixed(1)}%
        </span>
      )}
      <span className={classes['bar']} aria-hidden>
        <span style={{ width: `${row.finishrate ?? 0}%` }} />
      </span>
    </div>
  );
}

/** Links a count of persons to these persons in the task's roster. */
const renderCount = (part: RosterPart, label: string) => (count: number | null, row: TaskRow) =>
  count && can(getAssessTaskRoster) ? (
    <Link to={rosterPath(row.taskcode, part)} aria-label={`${row.taskname}${label} ${formatNumber(count)} 人`}>
      {formatNumber(count)}
    </Link>
  ) : (
    (count ?? '—')
  );
const column = columnsOf(getAssessTaskProgress);
const columns = [
  column('taskname', '任务名称', (name, row) => <Link to={taskPath(row.taskcode)}>{name}</Link>, { sort: true, width: 160 }),
  column('status', '状态', (status) => <EnumBadge of={TaskStatus} code={status} tones={taskTones} />, { width: 88, sort: true }),
  column.of('progress', '完成进度', (row) => <Progress row={row} />, { width: 144 }),
  column('begintime', '开始时间', formatMinute, { width: 168, sort: true, hidden: true }),
  column('endtime', '截止时间', formatMinute, { width: 144, sort: true }),
  column('round', '轮次', (round) => (round === '01' ? '首轮' : <Badge tone="lime">{TaskRound.label(round)}</Badge>), {
    width: 80,
    hidden: true,
  }),
  column('doingcount', '作答中', renderCount('doing', '作答中'), { width: 68, align: 'right' }),
  column('notstartedcount', '未开始', renderCount('notstarted', '未开始'), { width: 68, align: 'right' }),
  column('exemptcount', '免测', renderCount('exempt', '免测'), {
    width: 64,
    align: 'right',
    hint: '休学、转出、家长不同意、停用等，不应参加的人数',
  }),
  column.of(
    'missed',
    '缺测',
    (row) => renderCount('missed', '缺测')(row.absentcount === null ? null : row.absentcount - (row.exemptcount ?? 0), row),
    { width: 64, align: 'right', hint: '请假、身体原因、拒绝参加等，应参加而未参加的人数' },
  ),
  column('dubiouscount', '存疑', renderCount('dubious', '存疑'), {
    width: 64,
    align: 'right',
    hint: '已交卷，但作答时间过短或前后一致，需要复测确认',
  }),
  column(
    'abnormalcount',
    '需关注',
    (count, row) =>
      count && can(getCUserReportPageList) ? (
        <Link
          to={`/reports?taskcode=${row.taskcode}&isabnormal=1`}
          aria-label={`${row.taskname}需关注 ${formatNumber(count)} 人`}
        >
          {formatNumber(count)}
        </Link>
      ) : (
        (count ?? '—')
      ),
    { width: 72, align: 'right', hint: '筛查提示达到本机构关注线的人数，不等于诊断' },
  ),
  column('planname', '方案', { width: 240, hidden: true }),
  column('insname', '机构', { hidden: true }),
  column('year', '学年', { hidden: true }),
  column('term', '学期', Term.label, { hidden: true }),
  column('teamcount', '团体数', { hidden: true, align: 'right' }),
];

const VIEWS: readonly BuiltInView[] = [
  { name: '我的待办', filters: { status: TaskStatus.running } },
  { name: '还没发布的', filters: { status: TaskStatus.draft } },
];

/** 任务管理: the list of tasks with their progress. */
export default function TaskListPage() {
  const list = useList(getAssessTaskProgress);
  const navigate = useNavigate();
  const invalidates = [getAssessTaskProgress];
  const remove = useActionMutation(deleteAssessTask, { invalidates, successMessage: '删除成功' });
  const change = useActionMutation(updateAssessTask, { invalidates });
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="任务名称" />
          <EnumFilter name="status" label="状态" of={TaskStatus} />
          <SelectFilter name="appid" label="人群" options={populations} />
          <SelectFilter name="year" label="学年" options={yearOptions(new Date())} />
          <EnumFilter name="term" label="学期" of={Term} />
          <EnumFilter name="round" label="轮次" of={TaskRound} />
        </>
      }
      views={VIEWS}
      toolbar={
        <Can call={insertAssessTask}>
          <Button leftSection={<IconPlus size={16} aria-hidden />} component={Link} to={newTaskPath}>
            新建任务
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="taskcode"
        label="任务列表"
        onOpen={(row) => void navigate(taskPath(row.taskcode))}
        actions={(row) => (
          <>
            <Button variant="subtle" size="compact-sm" component={Link} to={taskPath(row.taskcode)}>
              看板
            </Button>
            {row.status === 1 && (
              <Button variant="subtle" size="compact-sm" component={Link} to={showPath(row.taskcode)}>
                投屏
              </Button>
            )}
            <Can call={updateAssessTask}>
              {row.status === 0 && (
                <ConfirmButton
                  question={`发布后受测者即可作答，是否发布“${row.taskname}”？`}
                  onConfirm={() => change.mutateAsync({ taskcode: row.taskcode, status: 1 })}
                >
                  发布
                </ConfirmButton>
              )}
              {row.status < 2 && !row.finishedcount && (
                <ConfirmButton name={row.taskname} onConfirm={() => remove.mutateAsync({ taskcode: row.taskcode })} />
              )}
            </Can>
          </>
        )}
        empty={
          <EmptyState
            filtered={Object.keys(list.filters).length > 0}
            reset={() => list.setFilters({})}
            {...(Object.keys(list.filters).length ? {} : { title: '还没有任务', hint: '先在团体管理导入名单，再新建任务' })}
          >
            <Can call={insertAssessTask}>
              <Button size="xs" component={Link} to={newTaskPath}>
                新建任务
              </Button>
            </Can>
          </EmptyState>
        }
      />
    </ListPage>
  );
}

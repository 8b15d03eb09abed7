import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { formatNumber } from '#domain/base/number.ts';
import { Gender, RosterStatus } from '#domain/base/enums.ts';
import { AbsentReason } from '#domain/task/taskprogress.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { ApprovedExport } from '#blocks/export/ApprovedExport.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { useNavigate } from '#ui/router/router.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { can } from '#ui/api/session.ts';
import { call } from '#ui/api/call.ts';
import { notifyWithUndo } from '#ui/feedback/undo.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { getAssessTaskRoster, type getTaskBoard, type TaskRow } from '#features/task/board/board.contract.ts';
import {
  createRetestTask,
  deleteAssessTaskCUser,
  exportAssessTaskRosterProgress,
  remindTask,
  setRosterReason,
} from '#features/task/task.contract.ts';
import { formatMinute } from '#features/task/task.labels.ts';

const RoundDialog = lazyDialog(() => import('#features/task/board/RoundDialog.tsx').then((file) => file.RoundDialog));

const tones = { 0: 'gray', 1: 'lime', 2: 'green', 3: 'gray', 4: 'amber' } as const;
const statuses = RosterStatus.options.filter((option) => option.value !== RosterStatus.removed);
const column = columnsOf(getAssessTaskRoster);
const formatTime = (time: string | null) => (time ? formatMinute(time) : '—');
const columns = [
  column('username', '姓名', (name) => <PersonName value={name} />, { width: 110, sort: true }),
  column('status', '状态', (status) => <EnumBadge of={RosterStatus} code={status} tones={tones} />, { width: 120, sort: true }),
  column('studentno', '学号/工号', { width: 120 }),
  column('teamname', '班级/团体', { width: 140 }),
  column('gender', '性别', Gender.label, { width: 70 }),
  column('reason', '原因', { width: 110 }),
  column('starttime', '开始时间', formatTime, { width: 150, hidden: true }),
  column('submittime', '交卷时间', formatTime, { width: 168, sort: true }),
  column.of('remind', '催测', (row) => (row.remindcount ? `已催 ${row.remindcount} 次 · ${formatTime(row.lastremind)}` : '—'), {
    width: 200,
    sort: 'remindcount',
  }),
  column('age', '年龄', { width: 70, hidden: true }),
  column('phonenumber', '联系电话', { width: 130, hidden: true }),
];

type AbsentReasonWord = (typeof AbsentReason.codes)[number];

/** 名单: the roster of a task, with absence reasons, removal, reminders and re-tests of the chosen persons. */
export function RosterTab({ task, classes }: { task: TaskRow; classes: ResponseOf<typeof getTaskBoard>['classes'] }) {
  const { taskcode } = task;
  const list = useList(getAssessTaskRoster, { taskcode });
  const navigate = useNavigate();
  const [retestCuserids, setRetestCuserids] = useState<string[]>();
  const mark = useActionMutation(setRosterReason);
  /** Marks persons of the list with a reason, or takes theirs away. The message takes it back: each gets the former reason again. */
  const markPersons = (cuserids: string[], reason: AbsentReasonWord | null, done?: () => void) => {
    const before = list.rows.filter(({ cuserid }) => cuserids.includes(cuserid));
    const undo = async () => {
      for (const former of new Set(before.map((row) => row.reason)))
        await call(setRosterReason, {
          taskcode,
          cuserids: before.filter((row) => row.reason === former).map(({ cuserid }) => cuserid),
          reason: former === '' ? null : (former as AbsentReasonWord),
        });
    };
    mark.mutate(
      { taskcode, cuserids, reason },
      {
        onSuccess: ({ changed }) => {
          notifyWithUndo(reason === null ? `已撤销登记 ${formatNumber(changed)} 人` : `已登记 ${formatNumber(changed)} 人`, undo);
          done?.();
        },
      },
    );
  };
  const remove = useActionMutation(deleteAssessTaskCUser, {
    onDone: ({ removed, released }) => notify.done(`已移出 ${formatNumber(removed)} 人，退回 ${formatNumber(released)} 次`),
  });
  const remind = useActionMutation(remindTask, {
    onDone: ({ sent, notified }) => notify.done(`已记录催测 ${formatNumber(sent)} 人，通知 ${notified} 位负责人`),
  });
  const isOpen = task.status < 2;
  const canEdit = isOpen && can(setRosterReason);
  const removePersons = async (cuserids: string[], done: () => void) => {
    if (
      !(await confirm({
        text: `未交卷的人员将移出名单并退回次数，是否移出所选 ${formatNumber(cuserids.length)} 人？`,
        danger: true,
      }))
    )
      return;
    remove.mutate({ taskcode, cuserids }, { onSuccess: done });
  };
  const renderReasonMenu = (cuserids: string[], done?: () => void) => (
    <Menu.Dropdown>
      <Menu.Label>免测/缺测原因</Menu.Label>
      {AbsentReason.codes.map((reason) => (
        <Menu.Item key={reason} onClick={() => markPersons(cuserids, reason, done)}>
          {reason}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item onClick={() => markPersons(cuserids, null, done)}>撤销登记</Menu.Item>
    </Menu.Dropdown>
  );
  return (
    <>
      <ListPage
        list={list}
        filters={
          <>
            <TextFilter name="keyword" label="姓名或学号/工号" />
            <SelectFilter
              name="teamcode"
              label="班级/团体"
              options={classes.flatMap(({ teamcode, name }) => (teamcode ? [{ value: teamcode, label: name }] : []))}
            />
            <SelectFilter name="status" label="状态" options={statuses} />
            <SelectFilter
              name="exempt"
              label="免测/缺测"
              options={[
                { value: 1, label: '免测' },
                { value: 0, label: '缺测' },
              ]}
            />
            <EnumFilter name="reason" label="原因" of={AbsentReason} />
          </>
        }
        toolbar={
          <ApprovedExport
            action={exportAssessTaskRosterProgress}
            request={{
              taskcode,
              ...(list.filters['status'] ? { status: String(list.filters['status']) } : {}),
              ...(list.filters['teamcode'] ? { teamcode: String(list.filters['teamcode']) } : {}),
            }}
            title={`${task.taskname}-名单进度`}
          />
        }
        {...(can(setRosterReason)
          ? {
              bulk: (cuserids: string[], done: () => void) => (
                <>
                  {isOpen && (
                    <>
                      <Menu>
                        <Menu.Target>
                          <Button size="compact-sm" variant="default">
                            登记原因
                          </Button>
                        </Menu.Target>
                        {renderReasonMenu(cuserids, done)}
                      </Menu>
                      {task.status === 1 && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          onClick={() => remind.mutate({ taskcode, cuserids }, { onSuccess: done })}
                        >
                          催测
                        </Button>
                      )}
                      <Button size="compact-sm" variant="default" color="red" onClick={() => void removePersons(cuserids, done)}>
                        移出名单
                      </Button>
                    </>
                  )}
                  {can(createRetestTask) && (
                    <Button size="compact-sm" variant="default" onClick={() => setRetestCuserids(cuserids)}>
                      补测/复测
                    </Button>
                  )}
                </>
              ),
            }
          : {})}
      >
        <DataTable
          list={list}
          columns={columns}
          rowKey="cuserid"
          label="任务名单"
          selectable={can(setRosterReason)}
          actions={(row) =>
            canEdit && (row.status === 0 || row.status === 1 || row.status === 3) ? (
              <Menu>
                <Menu.Target>
                  <Button variant="subtle" size="compact-sm">
                    {row.status === 3 ? '修改原因' : '免测/缺测'}
                  </Button>
                </Menu.Target>
                {renderReasonMenu([row.cuserid])}
              </Menu>
            ) : row.examcode && row.submittime ? (
              <Button variant="subtle" size="compact-sm" onClick={() => void navigate(`/trend/${row.cuserid}`)}>
                得分趋势
              </Button>
            ) : null
          }
        />
      </ListPage>
      {retestCuserids && <RoundDialog task={task} cuserids={retestCuserids} onClose={() => setRetestCuserids(undefined)} />}
    </>
  );
}

import { Alert, Button, Group, Tabs, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { TaskStatus } from '#domain/base/enums.ts';
import { findNextAct } from '#domain/task/taskprogress.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Can } from '#ui/api/Can.tsx';
import { can } from '#ui/api/session.ts';
import { Link, useNavigate, useParams } from '#ui/router/router.tsx';
import { Section } from '#ui/display/Section.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { getCUserExamDataPageList } from '#features/examdata/examdata.contract.ts';
import { ExamDataTab } from '#blocks/examdata/ExamDataTab.tsx';
import { previewTask } from '#features/respond/preview/preview.contract.ts';
import { getTaskBoard } from '#features/task/board/board.contract.ts';
import { CloseDialog, StatementView } from '#features/task/CloseDialog.tsx';
import { TaskBoard } from '#features/task/board/TaskBoard.tsx';
import { RemindTab } from '#features/task/board/RemindTab.tsx';
import { RosterTab } from '#features/task/board/RosterTab.tsx';
import { taskTones } from '#features/task/TaskListPage.tsx';
import {
  closeTask,
  createRetestTask,
  getCloseStatement,
  insertAssessTask,
  insertAssessTeamRosterTask,
  updateAssessTask,
} from '#features/task/task.contract.ts';
import { copyTaskPath, previewPath, printPath, showPath, taskPath } from '#features/task/task.labels.ts';

const AddPeopleDialog = lazyDialog(() => import('#features/task/AddPeopleDialog.tsx').then((file) => file.AddPeopleDialog));
const EditTaskDrawer = lazyDialog(() => import('#features/task/EditTaskDrawer.tsx').then((file) => file.EditTaskDrawer));
const NoticeDialog = lazyDialog(() => import('#features/task/board/NoticeDialog.tsx').then((file) => file.NoticeDialog));
const RoundDialog = lazyDialog(() => import('#features/task/board/RoundDialog.tsx').then((file) => file.RoundDialog));

const SlotDialog = lazyDialog(() => import('#features/task/slots/SlotDialog.tsx').then((file) => file.SlotDialog));

/** Milliseconds between two reads of the board while the page is open. */
const REFRESH_MS = 5000;

/** 任务详情: the live board, the roster and the reminders of one task, and the dialogs that change it. */
export default function TaskPage() {
  const { taskcode = '', tab = 'board' } = useParams();
  const navigate = useNavigate();
  const board = useActionQuery(getTaskBoard, { taskcode }, { every: REFRESH_MS, quiet: true });
  const [dialog, setDialog] = useState<'close' | 'add' | 'edit' | 'round' | 'notice' | 'slots'>();
  const publish = useActionMutation(updateAssessTask, { successMessage: '已发布' });
  const cancel = useActionMutation(updateAssessTask, { successMessage: '任务已取消' });
  const closeDialog = () => setDialog(undefined);
  return (
    <Loaded read={board} skeleton={<Skeletons.Page />}>
      {(data) => {
        const { task } = data;
        const next = findNextAct(task, data.totals, data.readat);
        // The next act comes first and stands out; the others keep their order.
        const emphasis = (act: typeof next) => (next === act ? { style: { order: -1 } } : { variant: 'default' });
        return (
          <>
            {data.paused.map(({ formname, reason }) => (
              <Alert key={formname} color="orange" title={`“${formname}”的版本计分有误，已撤回`}>
                原因：{reason}。还没有开始的人暂停作答，已经开始的可以答完。请结束本任务，再用新的版本发起一次。
              </Alert>
            ))}
            <Section>
              <Group justify="space-between" align="flex-start" gap="sm">
                <div style={{ minWidth: 0 }}>
                  <Group gap="xs">
                    <Title order={1} size="h3" fz={18} style={{ overflowWrap: 'anywhere' }}>
                      {task.taskname}
                    </Title>
                    <EnumBadge of={TaskStatus} code={task.status} tones={taskTones} />
                  </Group>
                  <Text size="sm" c="dimmed" mt={4}>
                    {[task.planname, task.stagename, task.year && `${task.year}学年`, `更新于 ${data.readat.slice(11)}`]
                      .filter(Boolean)
                      .join(' · ')}
                    {task.parenttaskcode && (
                      <>
                        {' · '}
                        <Link to={taskPath(task.parenttaskcode)}>首轮任务</Link>
                      </>
                    )}
                  </Text>
                </div>
                <Group gap="xs">
                  {task.status === 1 && (
                    <>
                      {next === 'notify' && (
                        <Button {...emphasis('notify')} onClick={() => setDialog('notice')}>
                          发通知
                        </Button>
                      )}
                      <Button {...emphasis('show')} component={Link} to={showPath(taskcode)}>
                        投屏二维码
                      </Button>
                      {next === 'remind' && (
                        <Button {...emphasis('remind')} component={Link} to={taskPath(taskcode, 'chase')}>
                          催测
                        </Button>
                      )}
                      <Button variant="default" component={Link} to={printPath(taskcode)}>
                        打印二维码
                      </Button>
                    </>
                  )}
                  <Can call={previewTask}>
                    <Button variant="default" component="a" target="_blank" href={previewPath(task)}>
                      预览作答
                    </Button>
                  </Can>
                  {task.status < 2 && (
                    <>
                      <Can call={insertAssessTeamRosterTask}>
                        <Button variant="default" onClick={() => setDialog('add')}>
                          追加名单
                        </Button>
                      </Can>
                      <Can call={updateAssessTask}>
                        <Button variant="default" onClick={() => setDialog('edit')}>
                          修改
                        </Button>
                      </Can>
                    </>
                  )}
                  {task.status === 0 && (
                    <Can call={updateAssessTask}>
                      <Button
                        {...emphasis('publish')}
                        loading={publish.isPending}
                        onClick={() => publish.mutate({ taskcode, status: 1 })}
                      >
                        发布任务
                      </Button>
                    </Can>
                  )}
                  <Can call={insertAssessTask}>
                    <Button variant="default" component={Link} to={copyTaskPath(taskcode)}>
                      复制任务
                    </Button>
                  </Can>
                  {task.status > 0 && (
                    <Can call={createRetestTask}>
                      <Button variant="default" onClick={() => setDialog('round')}>
                        补测/复测
                      </Button>
                    </Can>
                  )}
                  {task.status === 1 && (
                    <Can call={closeTask}>
                      <Button {...emphasis('close')} onClick={() => setDialog('close')}>
                        结束任务
                      </Button>
                    </Can>
                  )}
                  {task.status < 2 && (
                    <Can call={updateAssessTask}>
                      <ConfirmButton
                        size="sm"
                        color="red"
                        question={`取消后受测者不能再作答，未使用的次数退回。是否取消“${task.taskname}”？`}
                        onConfirm={() => cancel.mutateAsync({ taskcode, status: 3 })}
                      >
                        取消任务
                      </ConfirmButton>
                    </Can>
                  )}
                </Group>
              </Group>
            </Section>
            <Tabs
              value={tab}
              onChange={(next) =>
                void navigate(taskPath(taskcode, next === 'board' ? undefined : (next as 'roster' | 'chase' | 'data')))
              }
              my="sm"
            >
              <Tabs.List>
                <Tabs.Tab value="board">看板</Tabs.Tab>
                <Tabs.Tab value="roster">名单</Tabs.Tab>
                {task.status === 1 && <Tabs.Tab value="chase">催测</Tabs.Tab>}
                {can(getCUserExamDataPageList) && <Tabs.Tab value="data">测评数据</Tabs.Tab>}
              </Tabs.List>
            </Tabs>
            {tab === 'board' && data.closed && <SavedStatement taskcode={taskcode} />}
            {tab === 'board' && <TaskBoard board={data} onSlots={() => setDialog('slots')} />}
            {tab === 'roster' && <RosterTab task={task} classes={data.classes} />}
            {tab === 'chase' && <RemindTab task={task} />}
            {tab === 'data' && <ExamDataTab taskcode={taskcode} />}
            {dialog === 'close' && <CloseDialog taskcode={taskcode} onClose={closeDialog} />}
            {dialog === 'notice' && <NoticeDialog board={data} onClose={closeDialog} />}
            {dialog === 'slots' && <SlotDialog board={data} onClose={closeDialog} />}
            {dialog === 'add' && <AddPeopleDialog task={task} onClose={closeDialog} />}
            {dialog === 'edit' && <EditTaskDrawer task={task} onClose={closeDialog} />}
            {dialog === 'round' && <RoundDialog task={task} totals={data.totals} onClose={closeDialog} />}
          </>
        );
      }}
    </Loaded>
  );
}

/** Shows the saved statement of a closed task. */
function SavedStatement({ taskcode }: { taskcode: string }) {
  const savedStatement = useActionQuery(getCloseStatement, { taskcode });
  return (
    <div style={{ marginBottom: 12 }}>
      <Section title="结束说明">
        <Loaded read={savedStatement} skeleton={<Skeletons.Lines />}>
          {({ statement }) => <StatementView statement={statement} />}
        </Loaded>
      </Section>
    </div>
  );
}

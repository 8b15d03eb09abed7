import { Alert, Button, Group, Image, Popover, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';
import { formatNumber } from '#domain/base/number.ts';
import { ApprovedExport } from '#blocks/export/ApprovedExport.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link } from '#ui/router/router.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { getTaskChaseList, type TaskRow } from '#features/task/board/board.contract.ts';
import { exportAssessTaskRosterProgress, remindTask } from '#features/task/task.contract.ts';
import { formatMinute, showPath, taskPath } from '#features/task/task.labels.ts';
import classes from '#features/task/task.module.css';

/** 催测: the unfinished persons of each class, with a text, a QR code and a button to remind them. */
export function RemindTab({ task }: { task: TaskRow }) {
  const { taskcode } = task;
  const chaseList = useActionQuery(getTaskChaseList, { taskcode }, { every: 30_000 });
  const [isNamed, setIsNamed] = useState(false);
  const textOf = ({ text, namedtext }: { text: string; namedtext: string }) => (isNamed ? namedtext : text);
  const remind = useActionMutation(remindTask, {
    onDone: ({ sent, notified }) => notify.done(`已记录催测 ${formatNumber(sent)} 人，通知 ${notified} 位负责人`),
  });
  return (
    <Loaded read={chaseList} skeleton={<Skeletons.Page />}>
      {(data) => {
        const unfinished = data.classes.reduce((sum, schoolClass) => sum + schoolClass.unfinished, 0);
        if (!data.classes.length)
          return (
            <Section>
              <EmptyState title="应答人员已全部完成" hint="可以结束任务，生成结束说明" />
            </Section>
          );
        return (
          <PageStack>
            <Section
              title={`还有 ${formatNumber(data.classes.length)} 个班级/团体、${formatNumber(unfinished)} 人未完成`}
              right={
                <Group gap="xs">
                  <CopyTextButton text={data.classes.map(textOf).join('\n\n')}>复制全部</CopyTextButton>
                  <ApprovedExport
                    action={exportAssessTaskRosterProgress}
                    request={{ taskcode, status: 0 }}
                    title={`${task.taskname}-未开始名单`}
                  >
                    导出未开始
                  </ApprovedExport>
                  <Can call={remindTask}>
                    <Button loading={remind.isPending} onClick={() => remind.mutate({ taskcode })}>
                      一键催测
                    </Button>
                  </Can>
                </Group>
              }
            >
              <Text size="sm" c="dimmed">
                催测会记录时间和次数，并通知各班负责人。文字不写姓名，可以发到班级群；拒绝参加和免测、缺测的人员不在其中。
              </Text>
              <Switch
                mt="sm"
                label="在文字里写出姓名"
                checked={isNamed}
                onChange={(event) => setIsNamed(event.currentTarget.checked)}
              />
              {isNamed && (
                <Alert color="orange" mt="xs">
                  班级群里的家长和同学都会看到这些姓名。建议只私下发给班主任，或逐个联系。
                </Alert>
              )}
            </Section>
            <div className={classes['chases']}>
              {data.classes.map((schoolClass) => (
                <article key={schoolClass.teamcode ?? schoolClass.name} className={classes['chase']}>
                  <Group justify="space-between" gap="xs">
                    <Link
                      to={`${taskPath(taskcode, 'roster')}${schoolClass.teamcode ? `?teamcode=${schoolClass.teamcode}` : ''}`}
                    >
                      {schoolClass.name}
                    </Link>
                    <Text size="sm">
                      未完成 {schoolClass.unfinished} / {schoolClass.total}
                    </Text>
                  </Group>
                  <Text size="sm" c="dimmed">
                    {schoolClass.ownername || '未设负责人'} ·{' '}
                    {schoolClass.remindcount
                      ? `已催 ${schoolClass.remindcount} 次，最近 ${formatMinute(schoolClass.lastremind ?? '')}`
                      : '尚未催测'}
                  </Text>
                  <pre className={classes['text']} tabIndex={0} aria-label={`${schoolClass.name}催测文字`}>
                    {textOf(schoolClass)}
                  </pre>
                  <Text size="sm" c="dimmed">
                    未完成：{schoolClass.people.map((person) => person.label).join('、')}
                  </Text>
                  <Group gap="xs">
                    <CopyTextButton text={textOf(schoolClass)} size="compact-sm">
                      复制文字
                    </CopyTextButton>
                    {data.clientcode && (
                      <Popover>
                        <Popover.Target>
                          <Button size="compact-sm" variant="default">
                            二维码
                          </Button>
                        </Popover.Target>
                        <Popover.Dropdown>
                          <Image src={`/qr/${data.clientcode}.png?size=200`} w={200} h={200} alt="作答入口二维码" />
                          <Button
                            fullWidth
                            mt="xs"
                            size="compact-sm"
                            variant="subtle"
                            component={Link}
                            to={showPath(taskcode, schoolClass.teamcode)}
                          >
                            全屏投屏
                          </Button>
                        </Popover.Dropdown>
                      </Popover>
                    )}
                    {schoolClass.teamcode && (
                      <Can call={remindTask}>
                        <Button
                          size="compact-sm"
                          variant="subtle"
                          disabled={remind.isPending}
                          onClick={() =>
                            remind.mutate({ taskcode, ...(schoolClass.teamcode ? { teamcode: schoolClass.teamcode } : {}) })
                          }
                        >
                          催测本班
                        </Button>
                      </Can>
                    )}
                  </Group>
                </article>
              ))}
            </div>
          </PageStack>
        );
      }}
    </Loaded>
  );
}

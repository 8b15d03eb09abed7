import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { formatNumber } from '#domain/base/number.ts';
import type { ResponseOf } from '#contract/action.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { closeTask, getCloseStatement } from '#features/task/task.contract.ts';
import classes from './task.module.css';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';

type Statement = ResponseOf<typeof getCloseStatement>['statement'];

/** Shows the closing statement: its text, the totals and the numbers of each class. */
export function StatementView({ statement }: { statement: Statement }) {
  const rows: readonly (readonly [string, number])[] = [
    ['应测', statement.total],
    ['完成', statement.finished],
    ['免测', statement.exempt],
    ['缺测', statement.absent - statement.exempt],
    ['作答未交', statement.doing],
    ['未测', statement.notstarted],
  ];
  return (
    <Stack gap="sm">
      <p className={classes['statement']}>{statement.text}</p>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {rows
            .map(([name, value], index) => `${index === 0 ? '' : index === 1 ? ' = ' : ' + '}${name} ${formatNumber(value)}`)
            .join('')}{' '}
          · 统计于 {statement.at}
        </Text>
        <CopyTextButton text={`${statement.insname}《${statement.taskname}》结束说明：${statement.text}`} size="xs">
          复制说明
        </CopyTextButton>
      </Group>
      <div style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label="各班统计">
        <table className={classes['sum']}>
          <thead>
            <tr>
              {['班级/团体', '应测', '完成', '其中存疑', '免测', '缺测', '作答未交', '未测'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {statement.classes.map((schoolClass) => (
              <tr key={schoolClass.name}>
                <td>{schoolClass.name}</td>
                {[
                  schoolClass.total,
                  schoolClass.finished,
                  schoolClass.dubious,
                  schoolClass.exempt,
                  schoolClass.absent - schoolClass.exempt,
                  schoolClass.doing,
                  schoolClass.notstarted,
                ].map((value, index) => (
                  <td key={index}>{formatNumber(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Stack>
  );
}

/** Shows a preview of the closing statement, and closes the task. */
export function CloseDialog({ taskcode, onClose }: { taskcode: string; onClose: () => void }) {
  const preview = useActionQuery(getCloseStatement, { taskcode }, { every: 5000 });
  const close = useActionMutation(closeTask, { successMessage: '任务已结束', onDone: onClose });
  return (
    <Modal opened onClose={onClose} title="结束任务" size="lg">
      <Loaded read={preview} skeleton={<Skeletons.Lines />}>
        {({ statement }) => (
          <Stack gap="md">
            <StatementView
              statement={{
                ...statement,
                text: `${statement.text}${statement.released ? `将退回未使用的测评次数 ${formatNumber(statement.released)} 次。` : ''}`,
              }}
            />
            <Text size="sm">结束后不能再作答，也不能恢复；未完成的人员可以另建补测。</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                暂不结束
              </Button>
              <Button loading={close.isPending} onClick={() => close.mutate({ taskcode })}>
                确认结束
              </Button>
            </Group>
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

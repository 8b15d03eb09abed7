import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import 'dayjs/locale/zh-cn';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { formatNumber } from '#domain/base/number.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { notify } from '#ui/feedback/notify.ts';
import type { TaskRow } from '#features/task/board/board.contract.ts';
import { createRetestTask } from '#features/task/task.contract.ts';
import { taskPath } from '#features/task/task.labels.ts';

/** Creates a make-up or re-test round of a task, for the chosen persons or for those that the server finds. */
export function RoundDialog({
  task,
  totals,
  cuserids,
  onClose,
}: {
  task: TaskRow;
  totals?: { notstarted: number; doing: number; absent: number; dubious: number };
  cuserids?: string[];
  onClose: () => void;
}) {
  const navigate = useNavigate();
  // The totals change while the dialog is open; the default round must not.
  const [defaultRound] = useState<'02' | '03'>(
    totals && totals.notstarted + totals.doing === 0 && totals.dubious > 0 ? '03' : '02',
  );
  const [round, setRound] = useState<'02' | '03'>(defaultRound);
  const [endtime, setEndtime] = useState<string | null>(null);
  const create = useActionMutation(createRetestTask, {
    onDone: (created) => {
      notify.done(
        `已创建，共 ${formatNumber(created.rostercount)} 人${created.excludedcount ? `，${formatNumber(created.excludedcount)} 人不在适用年龄内` : ''}`,
      );
      // Close the dialog before leaving the page, so that no warning about unsaved input appears.
      flushSync(onClose);
      void navigate(taskPath(created.taskcode));
    },
  });
  const leave = useLeave(round !== defaultRound || endtime !== null, onClose);
  return (
    <Modal opened onClose={leave} title="补测/复测">
      <Stack gap="md">
        <Radio.Group label="轮次" value={round} onChange={(next) => setRound(next as '02' | '03')}>
          <Stack gap="xs" mt={6}>
            <Radio
              value="02"
              label="补测"
              description={
                cuserids
                  ? `所选 ${formatNumber(cuserids.length)} 人`
                  : `未开始、作答未交的 ${formatNumber(totals ? totals.notstarted + totals.doing : 0)} 人，以及因请假、身体原因缺测的人员`
              }
            />
            <Radio
              value="03"
              label="复测"
              // No exam is dubious, so there is nobody to re-test.
              disabled={!cuserids && totals?.dubious === 0}
              description={
                cuserids ? `所选 ${formatNumber(cuserids.length)} 人` : `答卷存疑的 ${formatNumber(totals?.dubious ?? 0)} 人`
              }
            />
          </Stack>
        </Radio.Group>
        <DateTimePicker
          label="结束时间"
          placeholder="默认 7 天后"
          value={endtime}
          onChange={setEndtime}
          clearable
          minDate={new Date()}
        />
        <Text size="sm" c="dimmed">
          使用与本任务相同的方案，每人占用 1 次测评次数。
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            取消
          </Button>
          <Button
            loading={create.isPending}
            onClick={() =>
              create.mutate({
                taskcode: task.taskcode,
                round,
                ...(cuserids ? { cuserids } : {}),
                ...(endtime ? { endtime: endtime.slice(0, 16) } : {}),
              })
            }
          >
            创建
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { findSlotFault, type Slot } from '#domain/task/slots.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import type { getTaskBoard } from '#features/task/board/board.contract.ts';
import { SlotFields } from '#features/task/slots/SlotFields.tsx';
import { updateAssessTask } from '#features/task/task.contract.ts';
import { formatMinute } from '#features/task/task.labels.ts';

type Board = ResponseOf<typeof getTaskBoard>;

const slotsOf = ({ classes }: Board): Slot[] =>
  classes.flatMap(({ teamcode, slot }) =>
    teamcode && slot ? [{ teamcode, begintime: formatMinute(slot.begintime), endtime: formatMinute(slot.endtime) }] : [],
  );

/** 各班时段: gives the classes of a draft or a running task their time slots. */
export function SlotDialog({ board, onClose }: { board: Board; onClose: () => void }) {
  // The board renews itself while the dialog is open; the dialog keeps the state that it began with.
  const [start] = useState(board);
  const { task, classes } = start;
  const [slots, setSlots] = useState(() => slotsOf(start));
  const [fault, setFault] = useState<string>();
  const isChanged = JSON.stringify(slots) !== JSON.stringify(slotsOf(start));
  const save = useActionMutation(updateAssessTask, {
    successMessage: '时段已保存',
    onDone: onClose,
    onAdopt: onClose,
    quiet: true,
  });
  const leave = useLeave(isChanged, onClose);
  const submit = async () => {
    const refused = findSlotFault(slots, task);
    const name = classes.find(({ teamcode }) => teamcode === refused?.teamcode)?.name;
    if (refused) return setFault(`${name ?? ''}：${refused.reason}`);
    setFault(undefined);
    try {
      await save.mutateAsync({ taskcode: task.taskcode, version: task.version, slots });
    } catch (error) {
      if (error instanceof ApiError && error.field === 'slots') setFault(error.message);
      else notifyError(error);
    }
  };
  return (
    <Modal opened onClose={leave} title="各班时段" size="xl">
      <Stack gap="md">
        <SlotFields
          teams={classes.flatMap(({ teamcode, name, total }) =>
            teamcode ? [{ teamcode, teamname: name, membercount: total }] : [],
          )}
          begintime={task.begintime}
          slots={slots}
          fault={fault}
          onChange={(next) => {
            setFault(undefined);
            setSlots(next);
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            取消
          </Button>
          <Button loading={save.isPending} onClick={() => void submit()}>
            保存
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { addDays, shanghaiTime } from '#domain/base/calendar.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { AbsentBookings } from '#blocks/handover/AbsentBookings.tsx';
import { HandOverFields, isComplete, toHandovers, type Choices } from '#blocks/handover/HandOverFields.tsx';
import { selectUserList } from '#features/org/user/user.contract.ts';
import { getHandover, updateAbsence } from '#features/warning/handover/handover.contract.ts';

/** Records until when a member of staff is absent (外出), with the hand-over of the open cases. Without `user`: the caller. */
export function AbsenceDialog({ user, onClose }: { user?: { userid: string; realname: string }; onClose: () => void }) {
  const read = useActionQuery(getHandover, user ? { userid: user.userid } : {});
  const save = useActionMutation(updateAbsence, {
    invalidates: [selectUserList, getHandover],
    onDone: onClose,
    successMessage: '已登记外出',
  });
  const [choices, setChoices] = useState<Choices>({});
  const [until, setUntil] = useState<string>();
  const [hasTried, setHasTried] = useState(false);
  const now = shanghaiTime(new Date());
  const isLate = until !== undefined && `${until}:00` <= now;
  return (
    <Modal opened onClose={onClose} title={user ? `登记“${user.realname}”外出` : '登记外出'} size="lg">
      <Loaded read={read} skeleton={<Skeletons.Lines />}>
        {(handover) => (
          <Stack gap="md">
            <Text size="sm">外出期间不再分到新的预警，到期自动恢复；已移交的预警不会自动退回。</Text>
            <MomentField
              label="外出至"
              required
              value={until}
              min={now.slice(0, 16)}
              max={shanghaiTime(addDays(new Date(), 366)).slice(0, 10)}
              onChange={((moment: string | undefined) => setUntil(moment?.slice(0, 16))) as never}
              error={hasTried && !until ? '请选择外出结束时间' : isLate ? '外出结束时间须晚于现在' : undefined}
            />
            {until && !isLate && <AbsentBookings until={until} userid={user?.userid} />}
            <HandOverFields handover={handover} choices={choices} setChoices={setChoices} error={hasTried} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                取消
              </Button>
              <Button
                loading={save.isPending}
                disabled={handover.cases.length > 0 && handover.receivers.length === 0}
                onClick={() => {
                  setHasTried(true);
                  if (!until || isLate || !isComplete(handover, choices)) return;
                  save.mutate({
                    ...(user ? { userid: user.userid } : {}),
                    absentuntil: until,
                    handovers: toHandovers(handover, choices),
                  });
                }}
              >
                {handover.cases.length > 0 ? '移交并登记外出' : '登记外出'}
              </Button>
            </Group>
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { HandOverFields, isComplete, toHandovers, type Choices } from '#blocks/handover/HandOverFields.tsx';
import { deleteUserById, enableUser, selectUserList } from '#features/org/user/user.contract.ts';
import { getHandover } from '#features/warning/handover/handover.contract.ts';

interface Props {
  user: { userid: string; realname: string };
  mode: 'disable' | 'delete';
  onClose: () => void;
}

const WORDS = {
  disable: { title: '停用', effect: '其登录立即退出，停用期间不能登录，可以随时重新启用。' },
  delete: { title: '删除', effect: '其登录立即退出，账号不能恢复；处置记录中的姓名保留。' },
} as const;

/** Disables or deletes a user. The open cases are handed over in the same step. */
export function LeaveDialog({ user, mode, onClose }: Props) {
  const { title, effect } = WORDS[mode];
  const read = useActionQuery(getHandover, { userid: user.userid });
  const [choices, setChoices] = useState<Choices>({});
  const [hasTried, setHasTried] = useState(false);
  const done = { invalidates: [selectUserList], onDone: onClose, successMessage: mode === 'disable' ? '已停用' : '删除成功' };
  const disable = useActionMutation(enableUser, done);
  const remove = useActionMutation(deleteUserById, done);
  const isBusy = disable.isPending || remove.isPending;
  return (
    <Modal opened onClose={onClose} title={`${title}“${user.realname}”`} size="lg">
      <Loaded read={read} skeleton={<Skeletons.Lines />}>
        {(handover) => (
          <Stack gap="md">
            <Text size="sm">{effect}</Text>
            <HandOverFields handover={handover} choices={choices} setChoices={setChoices} error={hasTried} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                取消
              </Button>
              <Button
                color="red"
                loading={isBusy}
                disabled={handover.cases.length > 0 && handover.receivers.length === 0}
                onClick={() => {
                  setHasTried(true);
                  if (!isComplete(handover, choices)) return;
                  const handovers = toHandovers(handover, choices);
                  if (mode === 'disable') disable.mutate({ userid: user.userid, enabled: 0, handovers });
                  else remove.mutate({ userid: user.userid, handovers });
                }}
              >
                {handover.cases.length > 0 ? `移交并${title}` : title}
              </Button>
            </Group>
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

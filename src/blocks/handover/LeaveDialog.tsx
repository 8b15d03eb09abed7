import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useWorkPreview } from '#blocks/handover/useWorkPreview.ts';
import { leftOf, movedOf } from '#blocks/handover/workChoices.ts';
import { WorkFields } from '#blocks/handover/WorkFields.tsx';
import { deleteUserById, enableUser, selectUserList } from '#features/org/user/user.contract.ts';

interface Props {
  user: { userid: string; realname: string };
  mode: 'disable' | 'delete';
  onClose: () => void;
}

const WORDS = {
  disable: { title: '停用', effect: '其登录立即退出，停用期间不能登录，可以随时重新启用。' },
  delete: { title: '删除', effect: '其登录立即退出，账号不能恢复；处置记录中的姓名保留。' },
} as const;

/** Disables or deletes a user. The open work is handed over in the same step. */
export function LeaveDialog({ user, mode, onClose }: Props) {
  const { title, effect } = WORDS[mode];
  const { read, choices, setChoices, work } = useWorkPreview(user.userid);
  const [hasTried, setHasTried] = useState(false);
  const done = { invalidates: [selectUserList], onDone: onClose, successMessage: mode === 'disable' ? '已停用' : '删除成功' };
  const disable = useActionMutation(enableUser, done);
  const remove = useActionMutation(deleteUserById, done);
  const isBusy = disable.isPending || remove.isPending;
  return (
    <Modal opened onClose={onClose} title={`${title}“${user.realname}”`} size="xl">
      <Loaded read={read} skeleton={<Skeletons.Lines />}>
        {(preview) => {
          const left = leftOf(preview);
          const moved = movedOf(preview);
          return (
            <Stack gap="md">
              <Text size="sm">
                {effect}
                {preview.hours > 0 && `其每周排班（${preview.hours} 条）同时结束。`}
              </Text>
              <WorkFields {...{ preview, choices, setChoices }} isLeaving error={hasTried} />
              {hasTried && left > 0 && (
                <Text size="sm" c="red.9" role="alert">
                  还有 {left} 项没有可以接收的人，请先为它们选择接收人。
                </Text>
              )}
              <Group justify="flex-end">
                <Button variant="default" onClick={onClose}>
                  取消
                </Button>
                <Button
                  color="red"
                  loading={isBusy}
                  onClick={() => {
                    setHasTried(true);
                    if (left > 0 || read.isPlaceholderData) return;
                    if (mode === 'disable') disable.mutate({ userid: user.userid, enabled: 0, work });
                    else remove.mutate({ userid: user.userid, work });
                  }}
                >
                  {moved > 0 ? `移交 ${moved} 项并${title}` : left > 0 ? `移交并${title}` : title}
                </Button>
              </Group>
            </Stack>
          );
        }}
      </Loaded>
    </Modal>
  );
}

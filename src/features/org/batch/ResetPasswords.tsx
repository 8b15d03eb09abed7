import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { BlockingDialog } from '#ui/feedback/BlockingDialog.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { useUnsaved } from '#ui/router/unsaved.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { OneTimePassword } from '#blocks/file/OneTimePassword.tsx';
import type { ResponseOf } from '#contract/action.ts';
import { VALID_DAYS, type ValidDays } from '#features/org/batch/oneTime.contract.ts';
import { OneTimePasswordList, downloadOneTimePasswords } from '#features/org/batch/OneTimePasswordList.tsx';
import { RefusedUsers } from '#features/org/batch/RefusedUsers.tsx';
import { resetPwd, selectUserList, type UserRow } from '#features/org/user/user.contract.ts';
import { resetPwdBatch } from '#features/org/batch/userBatch.contract.ts';
import { ValidDaysField } from '#features/org/batch/ValidDaysField.tsx';

interface Props {
  users: readonly UserRow[];
  onClose: () => void;
}

/** Asks how long the new passwords of one or many users are valid, resets them, and shows them once. */
export function ResetPasswords({ users, onClose }: Props) {
  const [validdays, setValiddays] = useState<ValidDays>(VALID_DAYS[0]);
  const affected = { invalidates: [selectUserList] };
  const resetOne = useActionMutation(resetPwd, affected);
  const resetMany = useActionMutation(resetPwdBatch, affected);
  const [user] = users;
  const isOne = users.length === 1;
  if (resetOne.data && user)
    return (
      <OneTimePassword
        title="密码已重置"
        name={user.realname}
        loginname={user.sysusername}
        secret={resetOne.data.onetime}
        validuntil={resetOne.data.validuntil}
        onClose={onClose}
      />
    );
  if (resetMany.data) return <NewPasswords result={resetMany.data} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={isOne ? `重置“${user?.realname ?? ''}”的密码` : `重置 ${users.length} 人的密码`}>
      <Stack gap="md">
        <Text size="sm">
          {isOne ? '将生成新的一次性密码。' : '将为每人生成新的一次性密码，结果可以一次下载。'}
          原密码立即失效，其他登录全部退出，并会通知本人。
        </Text>
        <ValidDaysField value={validdays} onChange={setValiddays} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            取消
          </Button>
          <Button
            loading={resetOne.isPending || resetMany.isPending}
            onClick={() =>
              isOne && user
                ? resetOne.mutate({ userid: user.userid, validdays })
                : resetMany.mutate({ userids: users.map(({ userid }) => userid), validdays })
            }
          >
            重置
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The passwords of a bulk reset. The dialog does not close by accident before they are downloaded. */
function NewPasswords({ result, onClose }: { result: ResponseOf<typeof resetPwdBatch>; onClose: () => void }) {
  const { created, refused } = result;
  const [isDownloaded, setIsDownloaded] = useState(created.length === 0);
  useUnsaved(!isDownloaded);
  const leave = async () => {
    if (
      isDownloaded ||
      (await confirm({ text: '初始密码还没有下载，离开后无法再次查看。已经记录好了吗？', yes: '已记录', no: '返回' }))
    )
      onClose();
  };
  return (
    <BlockingDialog title={`已重置 ${created.length} 人的密码`} size="lg">
      <Stack gap="md">
        <RefusedUsers refused={refused} />
        {created.length > 0 && <OneTimePasswordList {...result} />}
        <Group justify="flex-end">
          {created.length > 0 && (
            <Button
              variant={isDownloaded ? 'default' : 'filled'}
              onClick={() => {
                downloadOneTimePasswords(result);
                setIsDownloaded(true);
              }}
            >
              {isDownloaded ? '再次下载' : '下载初始密码'}
            </Button>
          )}
          <Button variant={isDownloaded ? 'filled' : 'default'} onClick={() => void leave()}>
            完成
          </Button>
        </Group>
      </Stack>
    </BlockingDialog>
  );
}

import { Alert, Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useActionMutation } from '#ui/api/useAction.ts';
import { resetMUserPassword } from '#features/muser/muser.contract.ts';
import classes from './muser.module.css';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';

/** Shows a first password once, for the caller to hand over. */
export function FirstPassword({ username, password }: { username: string; password: string }) {
  return (
    <Alert color="green" title="请立即转交，关闭后不再显示">
      <Text size="sm">登录账号</Text>
      <span className={classes['secret']}>{username}</span>
      <Text size="sm" mt="xs">
        一次性初始密码（首次登录须修改）
      </Text>
      <Group gap="sm">
        <span className={classes['secret']}>{password}</span>
        <CopyTextButton
          text={`登录地址：${location.origin}/login\n账号：${username}\n初始密码：${password}（首次登录须修改）`}
          size="compact-sm"
        >
          复制
        </CopyTextButton>
      </Group>
    </Alert>
  );
}

/** Sets a new one-time password for the institution's own account. */
export function PasswordReset({ musercode, username }: { musercode: string; username: string }) {
  const [password, setPassword] = useState<string>();
  const reset = useActionMutation(resetMUserPassword);
  const submit = async () => {
    await reset.mutateAsync({ musercode }).then(
      ({ onetime }) => setPassword(onetime),
      () => undefined,
    );
  };
  if (password) return <FirstPassword username={username} password={password} />;
  return (
    <div>
      <Text size="sm" mb="sm">
        将为账号“{username}”生成新的一次性密码，该账号当前的登录立即结束。
      </Text>
      <Button variant="default" loading={reset.isPending} onClick={() => void submit()}>
        生成一次性密码
      </Button>
    </div>
  );
}

/** The dialog around `PasswordReset`. */
export const PasswordDialog = ({
  row,
  onClose,
}: {
  row: { musercode: string; username: string; insname: string };
  onClose: () => void;
}) => (
  <Modal opened onClose={onClose} title={`重置密码：${row.insname}`} size="md">
    <PasswordReset musercode={row.musercode} username={row.username} />
  </Modal>
);

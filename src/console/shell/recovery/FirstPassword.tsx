import { Anchor, Button, Group, PasswordInput, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { ApiError } from '#contract/apiError.ts';
import { callWithoutRecovery } from '#ui/api/call.ts';
import { BlockingDialog } from '#ui/feedback/BlockingDialog.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { useMaybeUser } from '#ui/api/session.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { signOut } from '#console/session.ts';
import { LEAVE_AFTER } from '#console/shell/account/ChangePassword.tsx';
import { PASSWORD_RULE, StrengthHint } from '#console/shell/account/newPassword.tsx';

/** The person has to replace the initial password. The only other way is signing out. */
export function FirstPassword() {
  const user = useMaybeUser();
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<{ old?: string; next?: string }>({});
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || !user) return;
    if (!old) return setFaults({ old: '请输入初始密码' });
    if (!PASSWORD_RULE.test(password)) return setFaults({ next: '密码格式不正确' });
    setBusy(true);
    try {
      await callWithoutRecovery(updateMUser, {
        musercode: user.musercode,
        pwd: passwordHash(password),
        oldpwd: passwordHash(old),
      });
      notify.done('修改成功，请退出后重新登录');
      setTimeout(() => void signOut(), LEAVE_AFTER);
    } catch (refusal) {
      const words = refusal instanceof Error ? refusal.message : 'Error';
      setFaults(refusal instanceof ApiError && refusal.code === 110008 ? { old: words } : { next: words });
      setBusy(false);
    }
  };
  return (
    <BlockingDialog title="请先修改初始密码" size="sm" zIndex={440}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Text size="sm" c="dimmed" mb="md">
          为保护受测者的信息，首次登录需要设置自己的密码，修改后请重新登录。
        </Text>
        <PasswordInput
          label="初始密码"
          autoComplete="current-password"
          data-autofocus
          value={old}
          error={faults.old}
          onChange={(event) => {
            setOld(event.currentTarget.value);
            setFaults({});
          }}
        />
        <PasswordInput
          mt="sm"
          label="新密码"
          autoComplete="new-password"
          value={password}
          error={faults.next}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setFaults({});
          }}
        />
        <StrengthHint password={password} />
        <Group justify="space-between" mt="lg">
          <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
            退出登录
          </Anchor>
          <Button type="submit" loading={busy}>
            确定
          </Button>
        </Group>
      </form>
    </BlockingDialog>
  );
}

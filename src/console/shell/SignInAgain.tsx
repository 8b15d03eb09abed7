import { Anchor, Button, Group, Modal, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { shownName } from '#domain/access.ts';
import { login } from '#features/session/session.contract.ts';
import { callOnce } from '#ui/call.ts';
import { useMaybeUser } from '#ui/session.ts';
import { passwordHash } from '#console/passwordHash.ts';
import { signedInAgain, signOut } from '#console/session.ts';

/** The session has ended: sign in again on the spot, and what was being written stays. */
export function SignInAgain({ close }: { close: (cured: boolean) => void }) {
  const user = useMaybeUser();
  const name = user ? shownName(user) : '';
  const [password, setPassword] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!password) return setError('请输入密码');
    setBusy(true);
    try {
      signedInAgain(await callOnce(login, { username: name, pwd: passwordHash(password) }));
      close(true);
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : 'Error');
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={() => close(false)} title="系统提示" size="sm" zIndex={450} closeOnClickOutside={false}>
      <Text>用户身份失效，请重新登录</Text>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextInput mt="md" label="账号" value={name} readOnly autoComplete="username" />
        <PasswordInput
          mt="sm"
          label="密码"
          placeholder="请输入密码"
          autoComplete="current-password"
          data-autofocus
          value={password}
          error={error || undefined}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setError('');
          }}
        />
        <Text size="xs" c="dimmed" mt="xs">
          页面上未保存的内容会保留。
          <Anchor component="button" type="button" size="xs" onClick={() => void signOut()}>
            使用其他账号
          </Anchor>
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => close(false)}>
            取消
          </Button>
          <Button type="submit" loading={busy}>
            重新登录
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

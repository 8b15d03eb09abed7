import { Button, Group, Modal, PasswordInput, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { stepUp } from '#features/session/session.contract.ts';
import { callOnce } from '#ui/call.ts';
import { passwordHash } from '#console/passwordHash.ts';

/** Before a sensitive step: is it still the same person? Five minutes are granted. */
export function ProveAgain({ close }: { close: (cured: boolean) => void }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!password) return setError('请输入当前密码');
    setBusy(true);
    try {
      await callOnce(stepUp, { pwd: passwordHash(password) });
      close(true);
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : 'Error');
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={() => close(false)} title="系统提示" size="sm" zIndex={450} closeOnClickOutside={false}>
      <Text>为保护账号安全，请输入当前密码</Text>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <PasswordInput
          mt="md"
          label="当前密码"
          autoComplete="current-password"
          data-autofocus
          value={password}
          error={error || undefined}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setError('');
          }}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => close(false)}>
            取消
          </Button>
          <Button type="submit" loading={busy}>
            确定
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

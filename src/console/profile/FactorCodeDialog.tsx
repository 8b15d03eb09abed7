import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';

/** Asks for a code of the second factor before a change to it. `onCode` throws the refusal to show. */
export function FactorCodeDialog({
  title,
  text,
  yes,
  danger = false,
  onCode,
  onClose,
}: {
  title: string;
  text: string;
  yes: string;
  danger?: boolean;
  onCode: (code: string) => Promise<void>;
  onClose: () => void;
}) {
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!code.trim()) return setError('请输入 6 位动态验证码或恢复码');
    setBusy(true);
    try {
      await onCode(code.trim());
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : 'Error');
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} size="sm" closeOnClickOutside={false}>
      <Text>{text}</Text>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          mt="md"
          label="动态验证码"
          description="手机不在身边时，可以输入一个未用过的恢复码"
          autoComplete="one-time-code"
          data-autofocus
          value={code}
          error={error || undefined}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setError('');
          }}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            取消
          </Button>
          <Button type="submit" {...(danger ? { color: 'red' } : {})} loading={busy}>
            {yes}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

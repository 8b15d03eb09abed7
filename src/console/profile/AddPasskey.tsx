import { Alert, Button, Group, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { call } from '#ui/api/call.ts';
import { notify } from '#ui/feedback/notify.ts';
import { createPasskey } from '#ui/passkey/passkey.ts';
import { beginPasskey, confirmPasskey } from '#features/account/passkey/passkey.contract.ts';

/** Names a passkey and asks the device for it. `obstacle` says why it cannot; `onAdded` gets recovery codes with the first factor. */
export function AddPasskey({ obstacle, onAdded }: { obstacle: string; onAdded: (recoverycodes: readonly string[]) => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  if (obstacle)
    return (
      <Alert color="orange" variant="light" title="这里不能添加通行密钥" styles={{ title: { color: 'var(--ink)' } }}>
        {obstacle}
      </Alert>
    );
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!name.trim()) return setError('请填写名称，例如“我的手机”');
    setBusy(true);
    try {
      const credential = await createPasskey(await call(beginPasskey, {}));
      const { recoverycodes } = await call(confirmPasskey, { passkeyname: name.trim(), credential });
      setName('');
      notify.done('通行密钥已添加');
      onAdded(recoverycodes);
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : 'Error');
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void add(event)} noValidate>
      <Group align="end">
        <TextInput
          label="通行密钥名称"
          placeholder="如：我的手机、办公室电脑"
          maxLength={30}
          value={name}
          error={error || undefined}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setError('');
          }}
          style={{ flex: '1 1 220px', maxWidth: 360 }}
        />
        <Button type="submit" loading={busy}>
          添加通行密钥
        </Button>
      </Group>
    </form>
  );
}

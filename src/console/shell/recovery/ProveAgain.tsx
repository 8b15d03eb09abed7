import { Anchor, Button, Group, Modal, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { STEP_UP_MINUTES } from '#contract/action.ts';
import { stepUp } from '#features/session/session.contract.ts';
import { callForToken } from '#ui/api/call.ts';
import { useMaybeUser } from '#ui/api/session.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { adoptToken } from '#console/session.ts';

/** Asks for the password before a sensitive operation. The proof is valid while the person goes on working (`STEP_UP_MINUTES`). */
export function ProveAgain({ close }: { close: (cured: boolean) => void }) {
  const hasfactor = useMaybeUser()?.secondfactor ?? false;
  const [means, setMeans] = useState<'password' | 'code'>('password');
  const [typed, setTyped] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!typed) return setError(means === 'password' ? '请输入当前密码' : '请输入 6 位动态验证码');
    setBusy(true);
    try {
      const shown = means === 'password' ? { pwd: passwordHash(typed) } : { code: typed.trim() };
      adoptToken((await callForToken(stepUp, shown)).token);
      close(true);
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : 'Error');
      setBusy(false);
    }
  };
  const change = (next: string) => {
    setTyped(next);
    setError('');
  };
  return (
    <Modal opened onClose={() => close(false)} title="系统提示" size="sm" zIndex={450} closeOnClickOutside={false}>
      <Text>为保护账号安全，请再次验证身份</Text>
      <Text size="xs" c="dimmed">
        {`验证后当前操作会自动继续；持续使用期间不再询问，停用 ${STEP_UP_MINUTES} 分钟后再问`}
      </Text>
      <form onSubmit={(event) => void submit(event)} noValidate>
        {means === 'password' ? (
          <PasswordInput
            key="password"
            mt="md"
            label="当前密码"
            autoComplete="current-password"
            data-autofocus
            autoFocus
            value={typed}
            error={error || undefined}
            onChange={(event) => change(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            key="code"
            mt="md"
            label="动态验证码"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            autoFocus
            value={typed}
            error={error || undefined}
            onChange={(event) => change(event.currentTarget.value)}
          />
        )}
        {hasfactor && (
          <Anchor
            component="button"
            type="button"
            size="xs"
            mt="xs"
            onClick={() => {
              setMeans(means === 'password' ? 'code' : 'password');
              change('');
            }}
          >
            {means === 'password' ? '改用动态验证码' : '改用密码'}
          </Anchor>
        )}
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

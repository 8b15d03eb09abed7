import { Anchor, Button, Group, Modal, PasswordInput, Text, TextInput } from '@mantine/core';
import { useEffect, useState, type FormEvent } from 'react';
import { STEP_UP_MINUTES, type RequestOf } from '#contract/action.ts';
import { stepUp } from '#features/session/session.contract.ts';
import { getSecondFactor } from '#features/account/factor.contract.ts';
import { beginPasskeyStepUp } from '#features/account/passkey/passkey.contract.ts';
import { callForToken, callWithoutRecovery } from '#ui/api/call.ts';
import { hasPasskeys, signChallenge } from '#ui/passkey/passkey.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { adoptToken } from '#console/session.ts';

/**
 * Asks for the password, a code or a passkey before a sensitive operation. The proof is valid while the person goes on working
 * (`STEP_UP_MINUTES`).
 */
export function ProveAgain({ close }: { close: (cured: boolean) => void }) {
  const [proofs, setProofs] = useState({ hasCode: false, hasPasskey: false });
  const [means, setMeans] = useState<'password' | 'code'>('password');
  const [typed, setTyped] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    callWithoutRecovery(getSecondFactor, {}).then(
      ({ enabled, passkeys }) => setProofs({ hasCode: enabled, hasPasskey: passkeys > 0 && hasPasskeys() }),
      () => undefined,
    );
  }, []);
  const prove = async (proof: () => Promise<RequestOf<typeof stepUp>>) => {
    setBusy(true);
    setError('');
    try {
      adoptToken((await callForToken(stepUp, await proof())).token);
      close(true);
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : 'Error');
      setBusy(false);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!typed) return setError(means === 'password' ? '请输入当前密码' : '请输入 6 位动态验证码');
    await prove(() => Promise.resolve(means === 'password' ? { pwd: passwordHash(typed) } : { code: typed.trim() }));
  };
  const byPasskey = () =>
    prove(async () => ({ passkey: await signChallenge(await callWithoutRecovery(beginPasskeyStepUp, {})) }));
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
        {proofs.hasCode && (
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
        {proofs.hasPasskey && (
          <Button variant="light" fullWidth mt="md" disabled={busy} onClick={() => void byPasskey()}>
            用通行密钥验证
          </Button>
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

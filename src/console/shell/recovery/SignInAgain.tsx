import { Anchor, Button, Checkbox, Group, Modal, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { accountName } from '#domain/tenant/access.ts';
import { beginPasskeySignIn, signInByPasskey } from '#features/session/passkeySignIn.contract.ts';
import { login, verifySecondFactor } from '#features/session/session.contract.ts';
import { ApiError } from '#contract/apiError.ts';
import { callWithoutRecovery } from '#ui/api/call.ts';
import { useMaybeUser } from '#ui/api/session.ts';
import { hasPasskeys, signChallenge } from '#ui/passkey/passkey.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { signedInAgain, signOut } from '#console/session.ts';

/** The session has ended: the person signs in again here, and unsaved input stays. */
export function SignInAgain({ close }: { close: (cured: boolean) => void }) {
  const user = useMaybeUser();
  const name = user ? accountName(user) : '';
  const [password, setPassword] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const [challenge, setChallenge] = useState('');
  const [code, setCode] = useState('');
  const [hasPasskey, setHasPasskey] = useState(false);
  const [canTrust, setCanTrust] = useState(false);
  const [trust, setTrust] = useState(false);
  const secondStep = () => ({ challenge, ...(trust ? { trust: 1 } : {}) });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!password) return setError('请输入密码');
    if (challenge && !code.trim()) return setError('请输入动态验证码或恢复码');
    setBusy(true);
    try {
      signedInAgain(
        challenge
          ? await callWithoutRecovery(verifySecondFactor, { ...secondStep(), code })
          : await callWithoutRecovery(login, { username: name, pwd: passwordHash(password) }),
      );
      close(true);
    } catch (refusal) {
      const second = secondStepIn(refusal);
      if (second) {
        setChallenge(second.challenge);
        setHasPasskey(second.haspasskey === true && hasPasskeys());
        setCanTrust(second.cantrust === true);
        setCode('');
        setBusy(false);
        return;
      }
      // The challenge has expired: ask for the password again.
      if (refusal instanceof ApiError && refusal.code === 110013) setChallenge('');
      setError(refusal instanceof Error ? refusal.message : 'Error');
      setBusy(false);
    }
  };
  const byPasskey = async () => {
    setBusy(true);
    setError('');
    try {
      const credential = await signChallenge(await callWithoutRecovery(beginPasskeySignIn, { challenge }));
      signedInAgain(await callWithoutRecovery(signInByPasskey, { ...secondStep(), credential }));
      close(true);
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.code === 110013) setChallenge('');
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
          readOnly={challenge !== ''}
          error={challenge ? undefined : error || undefined}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setError('');
          }}
        />
        {challenge && (
          <TextInput
            mt="sm"
            label="动态验证码或恢复码"
            autoComplete="one-time-code"
            autoFocus
            value={code}
            error={error || undefined}
            onChange={(event) => {
              setCode(event.currentTarget.value);
              setError('');
            }}
          />
        )}
        {challenge && canTrust && (
          <Checkbox
            mt="md"
            label="此设备 30 天内免二次验证"
            checked={trust}
            onChange={(event) => setTrust(event.currentTarget.checked)}
          />
        )}
        {challenge && hasPasskey && (
          <Button variant="light" fullWidth mt="md" disabled={busy} onClick={() => void byPasskey()}>
            用通行密钥验证
          </Button>
        )}
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

interface SecondStep {
  challenge: string;
  haspasskey?: boolean;
  cantrust?: boolean;
}
/** Returns what a refusal that asks for the second factor says. */
const secondStepIn = (refusal: unknown): SecondStep | undefined =>
  refusal instanceof ApiError && refusal.code === 110009 ? (refusal.data as SecondStep) : undefined;

import { Button, Group, List, PinInput, Stack, Stepper, Text } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';
import { call } from '#ui/api/call.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import type { ResponseOf } from '#contract/action.ts';
import { beginSecondFactor, confirmSecondFactor } from '#features/account/factor.contract.ts';
import { adoptToken } from '#console/session.ts';
import { RecoveryCodes } from '#console/profile/RecoveryCodes.tsx';

/**
 * Three steps: what is needed; scan and confirm; save the recovery codes. `onDone` runs after the codes were saved; `other` is another way,
 * offered at the start.
 */
export function FactorSetup({ onDone, other }: { onDone: () => void; other?: ReactNode }) {
  const [begun, setBegun] = useState<ResponseOf<typeof beginSecondFactor>>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      setBegun(await call(beginSecondFactor, {}));
    } catch (error) {
      notifyError(error);
    }
    setBusy(false);
  };
  const step = codes ? 2 : begun ? 1 : 0;
  return (
    <Stack gap="lg">
      <Stepper active={step} size="sm" iconSize={28} allowNextStepsSelect={false}>
        <Stepper.Step label="准备" />
        <Stepper.Step label="扫码确认" />
        <Stepper.Step label="保存恢复码" />
      </Stepper>
      {step === 0 && (
        <>
          <List size="sm" spacing="xs" type="ordered">
            <List.Item>在手机上安装任意一款动态验证码应用（支持 TOTP 标准的均可，微信里也有相应小程序）。</List.Item>
            <List.Item>下一步用它扫描二维码，输入显示的 6 位数字。</List.Item>
            <List.Item>把 10 个恢复码保存好，手机丢失时用它登录。</List.Item>
          </List>
          <Group justify="flex-end">
            <Button loading={busy} onClick={() => void start()}>
              开始设置
            </Button>
          </Group>
          {other}
        </>
      )}
      {step === 1 && begun && <Scan {...begun} onConfirmed={setCodes} />}
      {step === 2 && codes && <RecoveryCodes codes={codes} onDone={onDone} />}
    </Stack>
  );
}

function Scan({
  picture,
  manualkey,
  account,
  onConfirmed,
}: ResponseOf<typeof beginSecondFactor> & { onConfirmed: (codes: readonly string[]) => void }) {
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const confirm = async (typed: string) => {
    if (busy) return;
    if (!/^\d{6}$/.test(typed)) return setError('请输入 6 位动态验证码');
    setBusy(true);
    try {
      const { token, recoverycodes } = await call(confirmSecondFactor, { code: typed });
      adoptToken(token);
      onConfirmed(recoverycodes);
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : 'Error');
      setCode('');
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void confirm(code);
  };
  const grouped = manualkey.match(/.{1,4}/g)?.join(' ') ?? manualkey;
  return (
    <Group align="flex-start" gap="xl" wrap="wrap">
      <img
        src={picture}
        width={220}
        height={220}
        alt="二次验证二维码"
        style={{ background: '#fff', borderRadius: 8, maxWidth: '100%' }}
      />
      <form onSubmit={submit} noValidate style={{ flex: '1 1 260px' }}>
        <Text size="sm">用验证码应用扫描二维码。不能扫码时，在应用中手动添加：</Text>
        <Text size="sm" mt="xs" c="dimmed">
          账号 {account} · 密钥
        </Text>
        <Group gap="xs">
          <Text component="code" ff="monospace" fz={14} style={{ wordBreak: 'break-word' }}>
            {grouped}
          </Text>
          <CopyTextButton text={manualkey} size="compact-xs" variant="subtle">
            复制
          </CopyTextButton>
        </Group>
        <Text size="sm" mt="md" mb={6} id="first-code">
          输入应用显示的 6 位数字
        </Text>
        <PinInput
          length={6}
          type="number"
          oneTimeCode
          autoFocus
          aria-labelledby="first-code"
          ariaLabel="动态验证码"
          value={code}
          error={error !== ''}
          onChange={(next) => {
            setCode(next);
            setError('');
          }}
          onComplete={(typed) => void confirm(typed)}
        />
        <Text size="sm" c="red" mih={22} mt={4} role="alert">
          {error}
        </Text>
        <Button type="submit" loading={busy}>
          确认启用
        </Button>
      </form>
    </Group>
  );
}

import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { ApiError } from '#contract/apiError.ts';
import { callWithoutRecovery } from '#ui/api/call.ts';
import { notify } from '#ui/feedback/notify.ts';
import { Section } from '#ui/display/Section.tsx';
import { useUser } from '#ui/api/session.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { signOut } from '#console/session.ts';
import { LEAVE_AFTER } from '#console/shell/account/ChangePassword.tsx';
import { PASSWORD_RULE, StrengthHint } from '#console/shell/account/newPassword.tsx';

type Fault = { old?: string; next?: string; again?: string };

/** Changes the account's password: the current one, and the new one twice. */
export function PasswordPanel() {
  const { musercode } = useUser();
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [fault, setFault] = useState<Fault>({});
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (state !== 'open') return;
    if (!old) return setFault({ old: '请输入当前密码' });
    if (!PASSWORD_RULE.test(next)) return setFault({ next: '密码格式不正确' });
    if (next !== again) return setFault({ again: '两次输入的新密码不一致' });
    setState('busy');
    try {
      await callWithoutRecovery(updateMUser, { musercode, pwd: passwordHash(next), oldpwd: passwordHash(old) });
      notify.done('修改成功');
      setState('done');
      setTimeout(() => void signOut(), LEAVE_AFTER);
    } catch (refusal) {
      const words = refusal instanceof Error ? refusal.message : 'Error';
      setFault(refusal instanceof ApiError && refusal.field === 'oldpwd' ? { old: words } : { next: words });
      setState('open');
    }
  };
  return (
    <Section title="修改密码">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md" maw={420}>
          <Text size="sm" c="dimmed">
            修改后所有设备退出登录，请用新密码重新登录。
          </Text>
          <PasswordInput
            label="当前密码"
            required
            autoComplete="current-password"
            value={old}
            error={fault.old}
            onChange={(event) => {
              setOld(event.currentTarget.value);
              setFault({});
            }}
          />
          <div>
            <PasswordInput
              label="新密码"
              required
              autoComplete="new-password"
              value={next}
              error={fault.next}
              onChange={(event) => {
                setNext(event.currentTarget.value);
                setFault({});
              }}
            />
            <StrengthHint password={next} />
          </div>
          <PasswordInput
            label="再次输入新密码"
            required
            autoComplete="new-password"
            value={again}
            error={fault.again}
            onChange={(event) => {
              setAgain(event.currentTarget.value);
              setFault({});
            }}
          />
          <div>
            <Button type="submit" loading={state !== 'open'}>
              修改密码
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}

import { Button, Group, Modal, PasswordInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { ApiError } from '#contract/apiError.ts';
import { call } from '#ui/api/call.ts';
import { notify } from '#ui/feedback/notify.ts';
import { useUser } from '#ui/api/session.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { signOut } from '#console/session.ts';
import { PASSWORD_RULE, StrengthHint } from '#console/shell/account/newPassword.tsx';

/** Shows 修改成功 for two seconds before signing out (specification section 4). */
export const LEAVE_AFTER = 2000;

/** The prompt 请输入新密码. The server asks for the current password with its own problem code. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const { musercode } = useUser();
  const [password, setPassword] = useState('');
  const [error, setError] = useState('');
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open');
  const cancel = () => {
    if (state !== 'open') return;
    notify.info('取消输入');
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (state !== 'open') return;
    if (!PASSWORD_RULE.test(password)) return setError('密码格式不正确');
    setState('busy');
    try {
      await call(updateMUser, { musercode, pwd: passwordHash(password) });
      notify.done('修改成功');
      setState('done');
      setTimeout(() => void signOut(), LEAVE_AFTER);
    } catch (refusal) {
      setError(refusal instanceof ApiError ? refusal.message : 'Error');
      setState('open');
    }
  };
  return (
    <Modal opened onClose={cancel} title="提示" size="sm" zIndex={350}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <PasswordInput
          label="请输入新密码"
          autoComplete="new-password"
          data-autofocus
          value={password}
          error={error || undefined}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setError('');
          }}
        />
        <StrengthHint password={password} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={cancel}>
            取消
          </Button>
          <Button type="submit" loading={state !== 'open'}>
            确定
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

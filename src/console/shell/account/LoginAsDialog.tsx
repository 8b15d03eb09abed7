import { Alert, Button, Group, Modal, Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import { askToAct, type Subject } from '#ui/api/acting.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { ACTING_MINUTES, getLoginAsAccounts, loginAs } from '#features/session/acting.contract.ts';
import { switchAccount } from '#console/session.ts';

const OWN = 'own';

/** 代登录: asks for a reason, which the server tells the people concerned. Then the whole console belongs to that account. */
export function LoginAsDialog({ subject: { name, ...account } }: { subject: Subject }) {
  const close = () => askToAct(undefined);
  const [chosen, setChosen] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const accounts = useActionQuery(
    getLoginAsAccounts,
    account.userid === undefined ? { musercode: account.musercode } : undefined,
  );
  const form = useActionForm(loginAs, {
    initial: { ...account, reason: '' },
    onDone: switchAccount,
    invalidates: [],
    successMessage: '',
  });
  const leave = useLeave(form.dirty || chosen !== null, close);
  return (
    <Modal opened onClose={leave} title={`代登录：${name}`} size="md" zIndex={300}>
      <form
        ref={form.place}
        noValidate
        onSubmit={(event) => {
          if (account.userid !== undefined || chosen !== null) return form.submit(event);
          event.preventDefault();
          setMissing(true);
        }}
      >
        <Alert color="orange" variant="light" mb="md">
          以“{name}”的身份操作，最长 {ACTING_MINUTES}{' '}
          分钟，不能续期。期间不能导出、查看个人档案、修改密码与权限。对方会收到通知，双方审计日志记录您的姓名和原因。
        </Alert>
        {account.userid === undefined && (
          <Select
            mb="md"
            label="以谁的身份"
            required
            searchable
            placeholder={accounts.isPending ? '正在读取账号…' : accounts.data?.length ? '请选择账号' : '该机构还没有可用的账号'}
            data={(accounts.data ?? []).map((account) => ({
              value: account.userid ?? OWN,
              label: [account.name, account.rolenames.join('、')].filter(Boolean).join(' · '),
            }))}
            value={chosen}
            error={missing && chosen === null ? '请选择账号' : undefined}
            nothingFoundMessage="没有找到账号"
            onChange={(next) => {
              setChosen(next);
              form.set('userid', next === OWN ? undefined : (next ?? undefined));
            }}
          />
        )}
        <Textarea
          {...form.field('reason')}
          autosize
          minRows={2}
          maxLength={200}
          placeholder="如：应学校马主任电话要求，协助核对名册导入的问题"
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={leave}>
            取消
          </Button>
          <Button type="submit" loading={form.busy}>
            开始代登录
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

import { Alert, Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { can } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { enableMuser, getMUserPageList, getMUserTree, type MUserRow } from '#features/muser/muser.contract.ts';
import { getWarningCount } from '#features/warning/warning.contract.ts';

/** The types of institutions that may have cases. */
const holdsCases = ['002', '004', '005'];

/** Disables an institution with a reason, and says what happens to its open cases. */
export function DisableDialog({ row, onClose }: { row: MUserRow; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState('');
  const disable = useActionMutation(enableMuser, {
    invalidates: [getMUserPageList, getMUserTree],
    onDone: onClose,
    successMessage: '已停用',
  });
  const cases = useActionQuery(
    getWarningCount,
    can(getWarningCount) && holdsCases.includes(row.musertype) ? { musercode: row.musercode } : undefined,
    { quiet: true },
  ).data?.open;
  const textarea = useRef<HTMLTextAreaElement>(null);
  const leave = useLeave(reason.trim() !== '', onClose);
  const submit = () => {
    if (!reason.trim()) {
      setError('请填写停用原因');
      return textarea.current?.focus();
    }
    disable.mutate({ musercode: row.musercode, enabled: 0, reason: reason.trim() });
  };
  return (
    <Modal opened onClose={leave} title={`停用${row.insname}`} size="md">
      <Text size="sm" mb="sm">
        停用后本机构及其 {row.staffcount} 名用户立即退出登录，受测者不能再作答；下级机构不受影响。数据保留，可以随时重新启用。
      </Text>
      {Boolean(cases) && (
        <Alert color="orange" mb="sm" title={`有 ${cases} 个在办预警`}>
          停用的同时移交给上级服务商的值班人员，时限继续计算，超时提醒照常进行；移交会通知服务商和主管部门。
        </Alert>
      )}
      <Textarea
        ref={textarea}
        label="停用原因"
        required
        autosize
        minRows={2}
        maxLength={200}
        data-autofocus
        value={reason}
        error={error || undefined}
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setError('');
        }}
      />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={leave}>
          取消
        </Button>
        <Button color="red" loading={disable.isPending} onClick={submit}>
          停用
        </Button>
      </Group>
    </Modal>
  );
}

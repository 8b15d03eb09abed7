import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { getCUserPageList, type CUserRow } from '#features/cuser/cuser.contract.ts';
import { enableCUser } from '#features/cuser/leaving/leaving.contract.ts';

/** Disables a person with a reason, and says what stays. */
export function DisablePersonDialog({ row, onClose }: { row: CUserRow; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState('');
  const disable = useActionMutation(enableCUser, {
    invalidates: [getCUserPageList],
    onDone: onClose,
    successMessage: '已停用',
  });
  const leave = useLeave(reason.trim() !== '', onClose);
  const submit = () => {
    if (reason.trim()) disable.mutate({ cuserid: row.cuserid, enabled: 0, reason: reason.trim() });
    else setError('请填写停用原因');
  };
  return (
    <Modal opened onClose={leave} title={`停用“${row.username}”`} size="md">
      <Stack gap="md">
        <Text size="sm">
          停用后不再安排测评和催测，不能登录作答；进行中任务里记为免测，未使用的次数退回。
          {(row.riskflag ?? 0) > 0 && '处理中的预警保留，仍由责任人按时限处理。'}
          档案与测评记录保留，可以随时重新启用。
        </Text>
        <Textarea
          label="停用原因"
          required
          autosize
          minRows={2}
          maxLength={200}
          data-autofocus
          placeholder="如 休学、转出、服务结束"
          value={reason}
          error={error || undefined}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setError('');
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            取消
          </Button>
          <Button color="red" loading={disable.isPending} onClick={submit}>
            停用
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

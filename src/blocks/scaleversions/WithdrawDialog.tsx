import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { LongTextField } from '#ui/form/fields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { notify } from '#ui/feedback/notify.ts';
import { withdrawForm } from '#features/scaleeditor/scaleeditor.contract.ts';

/** Withdraws a wrong version with a reason, and says how many persons handed it in. */
export function WithdrawDialog({ formcode, version, onClose }: { formcode: string; version: string; onClose: () => void }) {
  const fields = useActionForm(withdrawForm, {
    initial: { formcode, version },
    successMessage: '',
    onDone: ({ persons }) => {
      notify.done(persons > 0 ? `已撤回；有 ${persons} 人用过这一版，已列入复测名单` : '已撤回；没有人用过这一版');
      onClose();
    },
  });
  const leave = useLeave(fields.dirty, onClose);
  return (
    <Modal opened onClose={leave} title={`撤回版本 ${version}`} size="md">
      <form ref={fields.place} onSubmit={fields.submit} noValidate>
        <Stack>
          <Alert color="orange" title="只有计分、分级或文字有误时才撤回">
            撤回后不再用这一版开始测评；已有的结果保留，并注明“该版本计分有误”，不会重新计分。撤回不能取消，改正后请发布新版本。
          </Alert>
          <LongTextField {...fields.field('reason')} maxLength={500} />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              取消
            </Button>
            <Button type="submit" color="red" loading={fields.busy}>
              撤回
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

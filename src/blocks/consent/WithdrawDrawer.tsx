import { Alert, List, Text } from '@mantine/core';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { notify } from '#ui/feedback/notify.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getCUserConsent, withdrawForCUser } from '#features/consent/guardian/guardian.contract.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';

/** Withdraws the consent for a person who asked staff; after a withdrawal, its receipt. */
export function WithdrawDrawer({ row, onClose }: { row: { cuserid: string; username: string }; onClose: () => void }) {
  const consent = useActionQuery(getCUserConsent, { cuserid: row.cuserid });
  const form = useActionForm(withdrawForCUser, {
    initial: { cuserid: row.cuserid },
    invalidates: [getCUserPageList, getCUserConsent],
    onDone: ({ duedate }: { duedate: string }) => {
      notify.done(`已停止使用，${duedate} 前删除回答和报告`);
      onClose();
    },
  });
  const withdrawal = consent.data?.withdrawal;
  return (
    <FormDrawer title={`撤回同意：${row.username}`} onClose={onClose} form={form} save="登记撤回">
      {withdrawal ? (
        <>
          <Alert color="gray">
            已于 {withdrawal.time.slice(0, 16)} 撤回，
            {withdrawal.donetime ? `${withdrawal.donetime.slice(0, 10)} 已删除。` : `${withdrawal.duedate} 前删除。`}
          </Alert>
          <Text size="sm">删除：{withdrawal.deleted.join('、')}</Text>
          <List size="sm">
            {withdrawal.kept.map((item) => (
              <List.Item key={item}>{item}</List.Item>
            ))}
          </List>
        </>
      ) : (
        <Alert color="orange">
          登记后立即停止使用此人的资料：不再安排测评和消息，未交的答卷结束；回答、结果和报告在 15
          个工作日内删除。处理中的安全个案和依法保存的记录保留。
        </Alert>
      )}
      <LongTextField {...form.field('reason')} maxLength={200} />
    </FormDrawer>
  );
}

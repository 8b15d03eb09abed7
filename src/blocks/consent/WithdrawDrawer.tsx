import { Alert, List, Text } from '@mantine/core';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { notify } from '#ui/feedback/notify.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getCUserConsent, withdrawForCUser } from '#features/consent/guardian/guardian.contract.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';

/** Withdraws the consent for a person who asked staff. Then it shows the receipt, which staff read out or hand over. */
export function WithdrawDrawer({ row, onClose }: { row: { cuserid: string; username: string }; onClose: () => void }) {
  const consent = useActionQuery(getCUserConsent, { cuserid: row.cuserid });
  const form = useActionForm(withdrawForCUser, {
    initial: { cuserid: row.cuserid },
    invalidates: [getCUserPageList, getCUserConsent],
    onDone: ({ duedate }: { duedate: string }) => {
      notify.done(`已停止使用，${duedate} 前删除回答和报告`);
    },
  });
  const withdrawal = consent.data?.withdrawal;
  return (
    <FormDrawer
      title={`撤回同意：${row.username}`}
      onClose={onClose}
      form={form}
      save="登记撤回"
      isDanger
      readOnly={withdrawal != null}
    >
      {withdrawal ? (
        <>
          <Alert color="gray">
            已于 {withdrawal.time.slice(0, 16)} 撤回，
            {withdrawal.donetime ? `${withdrawal.donetime.slice(0, 10)} 已删除。` : `${withdrawal.duedate} 前删除。`}
          </Alert>
          <Receipt title="将会删除" items={withdrawal.deleted} />
          <Receipt title="继续保留" items={withdrawal.kept} />
        </>
      ) : (
        <Alert color="orange">
          登记后立即停止使用此人的资料：不再安排测评和消息，未交的答卷结束；回答、结果和报告在 15
          个工作日内删除。处理中的安全个案和依法保存的记录保留。
        </Alert>
      )}
      {!withdrawal && <LongTextField {...form.field('reason')} maxLength={200} />}
    </FormDrawer>
  );
}

/** One part of the receipt, in the words that the person reads. */
const Receipt = ({ title, items }: { title: string; items: readonly string[] }) => (
  <section aria-label={title}>
    <Text fw={600} size="sm" mb={4}>
      {title}
    </Text>
    <List size="sm">
      {items.map((item) => (
        <List.Item key={item}>{item}</List.Item>
      ))}
    </List>
  </section>
);

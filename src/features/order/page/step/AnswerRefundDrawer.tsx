import { Text, TextInput } from '@mantine/core';
import { isOnline, RefundStatus } from '#domain/order/order.ts';
import { notify } from '#ui/feedback/notify.ts';
import { EnumRadio, LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { refundedWords, yuan } from '#features/order/page/order.labels.ts';
import type { StepProps } from '#features/order/page/step/stepProps.ts';
import { answerRefund } from '#features/order/refund/refund.contract.ts';
import classes from '#features/order/page/order.module.css';

const ANSWERS = [
  { value: 1, label: '同意退款' },
  { value: 0, label: '不同意' },
];

/** 复核退款: the second human agrees or refuses. Money that came twice needs only the number of its repayment. */
export function AnswerRefundDrawer({ order, onClose }: StepProps) {
  const waiting = order.refunds.find(({ status }) => status === RefundStatus.waiting);
  const refund = waiting ?? order.refunds.find(({ status, issurplus }) => status === RefundStatus.running && issurplus === 1);
  const isOffline = order.paychannel === null || !isOnline(order.paychannel);
  const form = useActionForm(answerRefund, {
    initial: { refundno: refund?.refundno ?? '', agree: true },
    successMessage: '',
    showsRefusal: true,
    onDone: ({ status }) => {
      notify.done(
        status === RefundStatus.rejected ? '已退回申请' : status === RefundStatus.done ? '退款已完成' : '已同意，正在退款',
      );
      onClose();
    },
  });
  if (!refund) return null;
  const { agree } = form.values;
  return (
    <FormDrawer
      title={waiting ? '复核退款' : '登记退回'}
      onClose={onClose}
      form={form}
      save={agree === false ? '不同意' : '同意退款'}
    >
      <div>
        <p className={classes['due-line']}>
          <strong className={classes['amount']}>{yuan(refund.amount)}</strong>，{refundedWords(refund)}
        </p>
        <Text size="sm">原因：{refund.reason}</Text>
        <Text size="sm" c="dimmed">
          {`${refund.askedby} 于 ${refund.createtime} 申请。复核须由另一位人员独立判断。`}
        </Text>
      </div>
      {waiting && (
        <EnumRadio
          {...form.field('agree')}
          label="结论"
          of={{ options: ANSWERS }}
          value={agree === false ? 0 : 1}
          onChange={(value: unknown) => form.set('agree', value === 1)}
        />
      )}
      {agree !== false && isOffline && refund.amount > 0 && (
        <TextInput
          {...form.field('refundpayno')}
          label="退款的银行流水号"
          required
          autoComplete="off"
          description="请先从银行退回款项，再登记流水号"
        />
      )}
      <LongTextField {...form.field('answer')} required={agree === false} maxLength={200} />
    </FormDrawer>
  );
}

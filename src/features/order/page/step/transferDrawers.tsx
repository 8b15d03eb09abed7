import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { MoneyField } from '#ui/form/MoneyField.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { confirmOfflinePay, recordTransfer, rejectOfflinePay } from '#features/order/order.contract.ts';
import { yuan, type OrderDetail } from '#features/order/page/order.labels.ts';
import { Voucher } from '#features/order/page/Voucher.tsx';
import type { StepProps } from '#features/order/page/step/stepProps.ts';
import classes from '#features/order/page/order.module.css';

/** What the buyer owes, and the voucher to compare with. */
const Due = ({ order: { payamount, insname, voucherurl } }: { order: OrderDetail }) => (
  <>
    <p className={classes['due-line']}>
      {insname} 应付 <strong className={classes['amount']}>{yuan(payamount)}</strong>
    </p>
    {voucherurl && <Voucher url={voucherurl} />}
  </>
);

/** 登记到账: one human types what the bank's statement says. */
export function RecordDrawer({ order, onClose }: StepProps) {
  const [today] = useState(() => shanghaiDate(new Date()));
  const form = useActionForm(recordTransfer, {
    initial: { orderno: order.orderno, date: today },
    successMessage: '已登记，请另一位人员核对后确认',
    showsRefusal: true,
    onDone: onClose,
  });
  return (
    <FormDrawer title="登记到账" onClose={onClose} form={form} save="登记">
      <Due order={order} />
      <TextInput {...form.field('payno')} label="银行流水号" autoComplete="off" data-autofocus />
      <DayField {...form.field('date')} max={today} />
      <MoneyField {...form.field('amount')} description="按银行流水填写，不照抄应付金额" />
      <Text size="sm" c="dimmed">
        登记后订单仍是支付中。须由您以外的一位人员再次核对流水号和金额，确认后才算支付。
      </Text>
    </FormDrawer>
  );
}

/** 确认到账: another human types number and amount again. */
export function ConfirmDrawer({ order, onClose }: StepProps) {
  const form = useActionForm(confirmOfflinePay, {
    initial: { orderno: order.orderno },
    successMessage: '已确认到账，商品已交付买方',
    showsRefusal: true,
    onDone: onClose,
  });
  return (
    <FormDrawer title="确认到账" onClose={onClose} form={form} save="确认到账">
      <Due order={order} />
      <Text size="sm" c="dimmed">
        {`${order.transfer?.recordedby ?? '同事'}已登记到账。请您独立查看银行流水，再填写一次；与登记一致才能确认。`}
      </Text>
      <TextInput {...form.field('payno')} label="银行流水号" required autoComplete="off" data-autofocus />
      <MoneyField {...form.field('amount')} />
    </FormDrawer>
  );
}

/** 驳回凭证: the seller found no such transfer. */
export function RejectDrawer({ order, onClose }: StepProps) {
  const form = useActionForm(rejectOfflinePay, {
    initial: { orderno: order.orderno },
    successMessage: '已驳回，买方可以重新提交',
    showsRefusal: true,
    onDone: onClose,
  });
  return (
    <FormDrawer title="驳回凭证" onClose={onClose} form={form} save="驳回" isDanger>
      <Due order={order} />
      <LongTextField {...form.field('reason')} maxLength={200} placeholder="如：银行流水中没有这笔款项，或金额与订单不符" />
      <Text size="sm" c="dimmed">
        买方会看到原因，可以核对后重新提交凭证。
      </Text>
    </FormDrawer>
  );
}

import { Text, TextInput } from '@mantine/core';
import { useUser } from '#ui/api/session.ts';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { cancelOrder, updateInvoice } from '#features/order/order.contract.ts';
import { isBuyer } from '#features/order/page/order.labels.ts';
import type { StepProps } from '#features/order/page/step/stepProps.ts';

/** 取消订单, by the buyer or the seller. */
export function CancelDrawer({ order, onClose }: StepProps) {
  const form = useActionForm(cancelOrder, {
    initial: { orderno: order.orderno },
    successMessage: '订单已取消',
    showsRefusal: true,
    onDone: onClose,
  });
  return (
    <FormDrawer title="取消订单" onClose={onClose} form={form} save="取消订单" isDanger>
      <LongTextField {...form.field('reason')} label="取消原因" maxLength={200} />
      <Text size="sm" c="dimmed">
        取消后不能恢复，商品的库存和次数退回卖方。取消以后才到账的款项会自动退回。
      </Text>
    </FormDrawer>
  );
}

/** 开票: the buyer names the title, the seller notes the number of the invoice. */
export function InvoiceDrawer({ order, onClose }: StepProps) {
  const isOwn = isBuyer(order, useUser().musercode);
  const { orderno, invoicetitle, taxno, invoiceno } = order;
  const form = useActionForm(updateInvoice, {
    initial: { orderno, ...(isOwn ? { invoicetitle, taxno } : { invoiceno }) },
    showsRefusal: true,
    onDone: onClose,
  });
  return (
    <FormDrawer title={isOwn ? '开票信息' : '登记发票'} onClose={onClose} form={form}>
      {isOwn ? (
        <>
          <TextInput {...form.field('invoicetitle')} placeholder="机构全称" data-autofocus />
          <TextInput {...form.field('taxno')} placeholder="统一社会信用代码" autoComplete="off" />
          <Text size="sm" c="dimmed">
            卖方开票后，抬头和税号不能再修改。抬头留空表示不开票。
          </Text>
        </>
      ) : (
        <>
          <Text size="sm">
            {invoicetitle ? `抬头：${invoicetitle}${taxno ? `，税号 ${taxno}` : ''}` : '买方没有填写开票信息。'}
          </Text>
          <TextInput {...form.field('invoiceno')} autoComplete="off" data-autofocus />
        </>
      )}
    </FormDrawer>
  );
}

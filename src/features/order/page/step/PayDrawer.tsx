import { isOnline, PayChannel } from '#domain/order/order.ts';
import { UploadField } from '#blocks/file/UploadField.tsx';
import { EnumRadio } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { notify } from '#ui/feedback/notify.ts';
import { payOrder } from '#features/order/order.contract.ts';
import { yuan } from '#features/order/page/order.labels.ts';
import type { StepProps } from '#features/order/page/step/stepProps.ts';
import classes from '#features/order/page/order.module.css';

const { transfer, offline } = PayChannel;

/** 去支付: by a transfer with its voucher, offline, or online at the gateway. */
export function PayDrawer({
  order,
  onClose,
  onPaying,
}: StepProps & { onPaying: (gateway: { payurl: string; qrcode: string }) => void }) {
  const { orderno, payamount, sellername, paychannels } = order;
  const chosen = order.paychannel && paychannels.includes(order.paychannel) ? order.paychannel : transfer;
  const form = useActionForm(payOrder, {
    initial: { orderno, paychannel: chosen },
    successMessage: '',
    showsRefusal: true,
    onDone: ({ payurl, qrcode }) => {
      if (payurl) onPaying({ payurl, qrcode });
      else notify.done('已提交，等待卖方核对到账');
      onClose();
    },
  });
  const channel = form.values.paychannel ?? transfer;
  const { voucherfileid } = form.values;
  return (
    <FormDrawer title="支付订单" onClose={onClose} form={form} save={isOnline(channel) ? '去支付' : '提交'}>
      <p className={classes['due-line']}>
        应付 <strong className={classes['amount']}>{yuan(payamount)}</strong>，收款方 {sellername}
      </p>
      <EnumRadio
        {...form.field('paychannel')}
        of={{ options: PayChannel.options.filter(({ value }) => paychannels.includes(value)) }}
      />
      {channel === transfer && (
        <ul className={classes['hint']}>
          <li>请从本机构的对公账户转账到卖方在合同中提供的账户。</li>
          <li>金额须正好是 {yuan(payamount)}，多付或少付都无法核对。</li>
          <li>转账附言请写订单号 {orderno}。</li>
          <li>卖方由两人核对银行流水，核对后商品自动交付。</li>
        </ul>
      )}
      {channel === offline && (
        <ul className={classes['hint']}>
          <li>请与卖方当面或按约定方式付清 {yuan(payamount)}。</li>
          <li>提交后由卖方两人核对，核对后商品自动交付。</li>
        </ul>
      )}
      {!isOnline(channel) && (
        <UploadField
          {...form.field('voucherfileid')}
          required={channel === transfer}
          use="voucher"
          most={1}
          value={voucherfileid ? [voucherfileid] : []}
          onPick={([fileid]) => form.set('voucherfileid', fileid)}
        />
      )}
      {isOnline(channel) && (
        <ul className={classes['hint']}>
          <li>下一步显示支付二维码，支付完成后订单自动更新。</li>
          <li>15 分钟内没有结果时订单回到待支付，可以重新支付。</li>
        </ul>
      )}
    </FormDrawer>
  );
}

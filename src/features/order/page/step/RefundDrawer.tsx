import { NumberInput, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { needsSecondPerson } from '#domain/order/refund.ts';
import { PayChannel, RefundStatus } from '#domain/order/order.ts';
import { notify } from '#ui/feedback/notify.ts';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { MoneyField } from '#ui/form/MoneyField.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import type { OrderItem } from '#features/order/order.contract.ts';
import { yuan } from '#features/order/page/order.labels.ts';
import type { StepProps } from '#features/order/page/step/stepProps.ts';
import { refundOrder } from '#features/order/refund/refund.contract.ts';
import classes from '#features/order/page/order.module.css';

type Quantities = Readonly<Record<number, number>>;

/** Returns what the request asks: the quantities above zero; as goodwill the first item with none. */
const asksOf = (items: readonly OrderItem[], quantities: Quantities, isGoodwill: boolean) => {
  const asks = items.flatMap(({ seq }) => ((quantities[seq] ?? 0) > 0 ? [{ seq, qty: quantities[seq] ?? 0 }] : []));
  return isGoodwill ? items.slice(0, 1).map(({ seq }) => ({ seq, qty: 0 })) : asks;
};
const valueOf = (items: readonly OrderItem[], quantities: Quantities) =>
  items.reduce((sum, { seq, price }) => sum + price * (quantities[seq] ?? 0), 0);

/** 退款: quantities with their price, less with a reason, or money alone as goodwill. */
export function RefundDrawer({ order, onClose }: StepProps) {
  const { orderno, items, payamount, refundamount, paychannel } = order;
  const left = payamount - refundamount;
  const [quantities, setQuantities] = useState<Quantities>({});
  const [isGoodwill, setIsGoodwill] = useState(false);
  const form = useActionForm(refundOrder, {
    initial: { orderno, items: [] },
    successMessage: '',
    showsRefusal: true,
    onDone: ({ status }) => {
      notify.done(status === RefundStatus.waiting ? '已提交，请另一位人员复核' : '退款已发起');
      onClose();
    },
  });
  const full = Math.min(valueOf(items, quantities), left);
  const change = (next: Quantities, goodwill: boolean) => {
    setQuantities(next);
    setIsGoodwill(goodwill);
    form.set('items', asksOf(items, next, goodwill));
    // The amount follows the quantities. Who types another one afterwards refunds less.
    const nextValue = Math.min(valueOf(items, next), left);
    form.set('amount', goodwill || nextValue === 0 ? undefined : nextValue);
  };
  const asks = asksOf(items, quantities, isGoodwill);
  const { amount } = form.values;
  const isLess = typeof amount === 'number' && !isGoodwill && amount < full;
  return (
    <FormDrawer title="退款" onClose={onClose} form={form} save="提交退款" width={560}>
      <p className={classes['due-line']}>
        已付 <strong className={classes['amount']}>{yuan(payamount)}</strong>，还可退{' '}
        <strong className={classes['amount']}>{yuan(left)}</strong>
      </p>
      <Switch
        label="只退款，不退商品"
        description="用于补偿，须由另一位人员复核"
        checked={isGoodwill}
        onChange={(event) => change({}, event.currentTarget.checked)}
      />
      {!isGoodwill && (
        <div role="group" aria-label="退款商品" data-path="items" tabIndex={-1}>
          {items.map((item) => (
            <Ask
              key={item.seq}
              item={item}
              qty={quantities[item.seq] ?? 0}
              onChange={(qty) => change({ ...quantities, [item.seq]: qty }, false)}
            />
          ))}
          {form.error('items') && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {form.error('items')}
            </Text>
          )}
        </div>
      )}
      <MoneyField
        {...form.field('amount')}
        required={isGoodwill}
        description={
          isGoodwill ? `不超过 ${yuan(left)}` : isLess ? `商品价款 ${yuan(full)}，少退的请在原因中说明` : '按价款计算，可以少退'
        }
      />
      <LongTextField {...form.field('reason')} maxLength={200} />
      <Text size="sm" c="dimmed">
        {needsSecondPerson(paychannel ?? PayChannel.offline, asks.length > 0 ? asks : [{ seq: 0, qty: 1 }])
          ? '提交后由另一位人员复核，同意后收回商品并登记退款。'
          : '提交后立即收回商品，款项由支付渠道原路退回。'}
      </Text>
    </FormDrawer>
  );
}

/** The quantity of one item that goes back. */
function Ask({ item, qty, onChange }: { item: OrderItem; qty: number; onChange: (qty: number) => void }) {
  const { goodsname, price, refundable } = item;
  return (
    <div className={classes['ask']}>
      <div>
        <p>{goodsname}</p>
        <span className={classes['quiet']}>{refundable > 0 ? `${yuan(price)} × 可退 ${refundable} 份` : '没有可退的份数'}</span>
      </div>
      <NumberInput
        aria-label={`${goodsname} 退款数量`}
        value={qty}
        min={0}
        max={refundable}
        allowDecimal={false}
        allowNegative={false}
        disabled={refundable === 0}
        onChange={(value) => onChange(typeof value === 'number' ? value : 0)}
      />
    </div>
  );
}

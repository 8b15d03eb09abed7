import { Drawer, Radio, Text, TextInput } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { formatYuan } from '#domain/base/money.ts';
import { GoodsType, isOnline, PayChannel } from '#domain/order/order.ts';
import type { RequestOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { call } from '#ui/api/call.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import { notify } from '#ui/feedback/notify.ts';
import { EmptyState, ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { MoreFields } from '#ui/form/MoreFields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { getGoodsDetail, getGoodsPageList } from '#features/goods/goods.contract.ts';
import { clientkeyOf, emptyCart, useCart, type CartLine } from '#features/goods/shop/cart.ts';
import { CartLines, type CartGoods } from '#features/goods/shop/CartLines.tsx';
import { getOrderPageList, getOrderStatusCount, insertOrder } from '#features/order/order.contract.ts';
import classes from './shop.module.css';

const NOT_FOUND = 130001;
const TITLE = '选购清单';
const channels = PayChannel.options.filter(({ value }) => !isOnline(value));

/** Reads the goods of the cart as they are on sale now. */
function useCartGoods(lines: readonly CartLine[]) {
  const reads = useQueries({
    queries: lines.map(({ goodsid }) => ({
      queryKey: [getGoodsDetail.name, { goodsid }],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(getGoodsDetail, { goodsid }, signal),
      meta: { quiet: true },
    })),
  });
  const isGone = (error: unknown) => error instanceof ApiError && error.code === NOT_FOUND;
  return {
    isLoading: reads.some(({ data, error }) => data === undefined && !error),
    // A failed renewal leaves the goods that were read before: nothing typed is lost.
    error: reads.find(({ data, error }) => data === undefined && error && !isGone(error))?.error,
    retry: () => reads.forEach((read) => void read.refetch()),
    items: lines.map((line, index): CartGoods => {
      const read = reads[index];
      return { ...line, goods: isGone(read?.error) ? undefined : read?.data };
    }),
  };
}

/** 选购清单: quantities, receiver, invoice, channel, and the order itself. */
export function CartDrawer({ onClose }: { onClose: () => void }) {
  const { lines, insname } = useCart();
  const { isLoading, error, retry, items } = useCartGoods(lines);
  if (lines.length > 0 && !isLoading && !error) return <OrderForm items={items} insname={insname} onClose={onClose} />;
  return (
    <Drawer opened onClose={onClose} title={TITLE} size="min(600px, 100vw)">
      {lines.length === 0 ? (
        <EmptyState title="清单还是空的" hint="在选购页把需要的商品加入清单，再一起提交订单" />
      ) : error ? (
        <ErrorState error={error} retry={retry} />
      ) : (
        <Skeletons.Form />
      )}
    </Drawer>
  );
}

function OrderForm({ items, insname, onClose }: { items: readonly CartGoods[]; insname: string; onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [invalidIds, setInvalidIds] = useState<ReadonlySet<number>>(new Set());
  const orderno = useRef('');
  const total = items.reduce((sum, { goods, qty }) => sum + (goods?.price ?? 0) * qty, 0);
  const hasThing = items.some(({ goods }) => goods?.goodstype === GoodsType.thing);

  /** Orders at the prices that the drawer shows. After a refusal it shows the newest prices and stocks. */
  const send = async (request: RequestOf<typeof insertOrder>) => {
    const { receiver, receiverphone, receiveraddress, ...rest } = request;
    const order = {
      ...rest,
      ...(hasThing ? { receiver, receiverphone, receiveraddress } : {}),
      items: items.flatMap(({ goods, goodsid, qty }) => (goods ? [{ goodsid, qty, price: goods.price }] : [])),
    };
    try {
      const answer = await call(insertOrder, { ...order, clientkey: clientkeyOf(order) });
      orderno.current = answer.orderno;
      return answer;
    } catch (error) {
      void invalidateActions(client, [getGoodsDetail, getGoodsPageList]);
      throw error;
    }
  };
  const form = useActionForm(insertOrder, {
    initial: { items: items.map(({ goodsid }) => ({ goodsid, qty: 1 })), paychannel: PayChannel.transfer },
    through: { send, within: 'order' },
    invalidates: [getGoodsPageList, getGoodsDetail, getOrderPageList, getOrderStatusCount],
    successMessage: '订单已提交',
    onDone: () => {
      emptyCart();
      onClose();
      navigate(`/operations/orderManagement/${orderno.current}`);
    },
  });
  const submit = (event?: FormEvent<HTMLFormElement>) => {
    event?.preventDefault();
    const wrong = items.find(({ goodsid, goods }) => !goods || invalidIds.has(goodsid));
    if (!wrong) return form.submit();
    notify.warn(wrong.goods ? '请先更正数量' : '清单里有已下架的商品，请先移除');
    form.place.current?.querySelector<HTMLElement>(`[data-goods="${wrong.goodsid}"] :is(input, button)`)?.focus();
  };
  const setValid = (goodsid: number, isValid: boolean) =>
    setInvalidIds((before) => {
      const next = new Set(before);
      if (isValid) next.delete(goodsid);
      else next.add(goodsid);
      return next;
    });
  const channel = form.field('paychannel');
  return (
    <FormDrawer
      title={TITLE}
      onClose={onClose}
      form={{ ...form, submit }}
      width={600}
      save={total === 0 ? '提交订单' : `提交订单 ${formatYuan(total)} 元`}
    >
      <Text size="sm" c="dimmed">
        出售方：{insname}
      </Text>
      <div data-path="items" tabIndex={-1} role="group" aria-label="商品">
        <CartLines items={items} onValid={setValid} />
        {form.error('items') && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert" mt={6}>
            {form.error('items')}
          </Text>
        )}
      </div>
      <p className={classes['total']}>
        合计 <b>{formatYuan(total)}</b> 元
      </p>
      {hasThing && (
        <fieldset className={classes['group']}>
          <legend>收货信息</legend>
          <TextInput {...form.field('receiver')} required maxLength={30} autoComplete="name" />
          <TextInput {...form.field('receiverphone')} required inputMode="tel" autoComplete="tel" />
          <TextInput {...form.field('receiveraddress')} required maxLength={200} autoComplete="street-address" />
        </fieldset>
      )}
      {total > 0 && (
        <Radio.Group
          label="支付方式"
          error={channel.error}
          value={form.values.paychannel ?? ''}
          onChange={(next) => form.set('paychannel', next)}
        >
          <div className={classes['channels']} data-path="paychannel" tabIndex={-1}>
            {channels.map(({ value, label }) => (
              <Radio
                key={value}
                value={value}
                label={label}
                description={
                  value === PayChannel.transfer
                    ? '7 天内转账，在订单里上传凭证，出售方核对后生效'
                    : '与出售方约定付款，核对后生效'
                }
              />
            ))}
          </div>
        </Radio.Group>
      )}
      {total > 0 && (
        <MoreFields title="需要发票">
          <TextInput {...form.field('invoicetitle')} maxLength={60} placeholder="单位全称" />
          <TextInput {...form.field('taxno')} maxLength={20} />
        </MoreFields>
      )}
      <LongTextField {...form.field('remark')} maxLength={200} />
    </FormDrawer>
  );
}

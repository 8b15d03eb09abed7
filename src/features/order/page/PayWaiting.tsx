import { Anchor, Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { OrderStatus, type PayChannelCode } from '#domain/order/order.ts';
import type { ResponseOf } from '#contract/action.ts';
import { callWithoutRecovery } from '#ui/api/call.ts';
import { invalidateActions, useActionMutation } from '#ui/api/useAction.ts';
import { QrPicture } from '#ui/display/QrPicture.tsx';
import { Section } from '#ui/display/Section.tsx';
import { getOrderDetail, getOrderPageList, getOrderStatusCount, getPayResult, payOrder } from '#features/order/order.contract.ts';
import { yuan } from '#features/order/page/order.labels.ts';
import classes from '#features/order/page/order.module.css';

/** Milliseconds between two questions for the result: at first a person is paying, later the gateway is slow. */
const SOON_MS = 4000;
const LATER_MS = 20_000;
const SOON_TIMES = 20;

type Gateway = Pick<ResponseOf<typeof payOrder>, 'payurl' | 'qrcode'>;

interface Props {
  orderno: string;
  /** 分 */
  amount: number;
  paychannel: PayChannelCode;
  /** where to pay; undefined after a reload */
  gateway: Gateway | undefined;
  onGateway: (gateway: Gateway) => void;
}

/** A payment that a person makes at the gateway. The page asks for the result while it is visible, and then shows the order anew. */
export function PayWaiting({ orderno, amount, paychannel, gateway, onGateway }: Props) {
  useResult(orderno);
  // The same payment again: the gateway answers the same address.
  const show = useActionMutation(payOrder, { invalidates: [], onDone: onGateway });
  return (
    <Section title="在线支付">
      <div className={classes['waiting']}>
        {gateway?.qrcode && <QrPicture text={gateway.qrcode} label="支付二维码" />}
        <div>
          <Text fw={500}>{gateway ? `扫码支付 ${yuan(amount)}` : '这笔支付还没有结果'}</Text>
          {gateway?.payurl && (
            <Anchor href={gateway.payurl} target="_blank" rel="noreferrer">
              在新窗口打开支付页面
            </Anchor>
          )}
          {!gateway && (
            <Button
              variant="default"
              size="xs"
              my={6}
              loading={show.isPending}
              onClick={() => show.mutate({ orderno, paychannel })}
            >
              显示支付二维码
            </Button>
          )}
          <Text size="sm" c="dimmed" mt={4}>
            支付完成后本页自动更新，请不要重复付款。
          </Text>
        </div>
      </div>
    </Section>
  );
}

/** Asks for the result of a payment until there is one. */
function useResult(orderno: string): void {
  const client = useQueryClient();
  useEffect(() => {
    let count = 0;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      if (document.visibilityState === 'visible') {
        count += 1;
        const answer = await callWithoutRecovery(getPayResult, { orderno }).catch(() => undefined);
        if (answer && answer.orderstatus !== OrderStatus.paying)
          return void invalidateActions(client, [getOrderDetail, getOrderPageList, getOrderStatusCount]);
      }
      timer = setTimeout(() => void ask(), count < SOON_TIMES ? SOON_MS : LATER_MS);
    };
    timer = setTimeout(() => void ask(), SOON_MS);
    return () => clearTimeout(timer);
  }, [client, orderno]);
}

import { Button } from '@mantine/core';
import { isOnline, OrderStatus, PayChannel } from '#domain/order/order.ts';
import { formatYuan } from '#domain/base/money.ts';
import { useUser } from '#ui/api/session.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { Clock } from '#ui/display/Clock.tsx';
import { Facts, Section } from '#ui/display/Section.tsx';
import { nextWords, STATUS_TONES, yuan, type OrderDetail } from '#features/order/page/order.labels.ts';
import { findSteps, type OrderStep } from '#features/order/page/step/steps.ts';
import classes from '#features/order/page/order.module.css';

interface Props {
  order: OrderDetail;
  /** the reader's institution bought the order */
  isOwn: boolean;
  startStep: (step: OrderStep) => void;
}

/** The status of an order, what happens next, and a button for each step that the server accepts. */
export function OrderHead({ order, isOwn, startStep }: Props) {
  const { musercode } = useUser();
  const isWaiting = order.orderstatus === OrderStatus.pending || order.orderstatus === OrderStatus.failed;
  return (
    <Section>
      <div className={classes['head']}>
        <div>
          <h2>{order.goodsname}</h2>
          <div className={classes['line']} style={{ marginTop: 6 }}>
            <EnumBadge of={OrderStatus} code={order.orderstatus} tones={STATUS_TONES} />
            {isWaiting && order.expiretime !== '' && <Clock deadline={order.expiretime} />}
            <span className={classes['quiet']}>订单号 {order.orderno}</span>
          </div>
        </div>
        <div className={classes['due']}>
          <strong>{yuan(order.payamount)}</strong>
          {order.refundamount > 0 && <span className={classes['quiet']}>已退 {yuan(order.refundamount)}</span>}
        </div>
      </div>
      <div className={classes['next']} role="status">
        <p>{nextWords(order, isOwn)}</p>
        <Steps order={order} isOwn={isOwn} startStep={startStep} />
      </div>
      <Facts
        facts={[
          ...(isOwn ? [] : ([['买方', order.insname]] as const)),
          ...(order.sellermusercode === musercode ? [] : ([['卖方', order.sellername]] as const)),
          ['支付方式', PayChannel.label(order.paychannel)],
          ['下单时间', order.createtime],
          ...(isWaiting ? ([['支付截止', order.expiretime]] as const) : []),
          ...(order.paytime ? [paidFact(order)] : []),
          ...(order.payno ? ([['支付流水号', order.payno]] as const) : []),
          ...(order.totalamount === order.payamount ? [] : ([['商品金额', `${formatYuan(order.totalamount)} 元`]] as const)),
          ...(order.remark ? ([['买方备注', order.remark]] as const) : []),
        ]}
      />
    </Section>
  );
}

/** When the order was paid. The statement of a bank names the day only. */
const paidFact = ({ paychannel, paytime }: OrderDetail) =>
  paychannel !== null && isOnline(paychannel) ? (['支付时间', paytime] as const) : (['到账日期', paytime.slice(0, 10)] as const);

function Steps({ order, isOwn, startStep }: Props) {
  const steps = findSteps(order, isOwn);
  if (steps.length === 0) return null;
  return (
    <div className={classes['buttons']} data-noprint>
      {steps.map(({ step, label, isMain, isEnd }) => (
        <Button
          key={step}
          {...(isMain ? {} : isEnd ? { variant: 'subtle', color: 'red' } : { variant: 'default' })}
          onClick={() => startStep(step)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

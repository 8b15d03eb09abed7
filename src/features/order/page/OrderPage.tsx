import { Button } from '@mantine/core';
import { useState } from 'react';
import { isOnline, OrderStatus } from '#domain/order/order.ts';
import { ApiError } from '#contract/apiError.ts';
import { pathOf } from '#contract/menu.ts';
import { useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Link, useParams } from '#ui/router/router.tsx';
import { getOrderDetail } from '#features/order/order.contract.ts';
import { isBuyer, type OrderDetail } from '#features/order/page/order.labels.ts';
import { OrderHead } from '#features/order/page/OrderHead.tsx';
import { OrderItems } from '#features/order/page/OrderItems.tsx';
import { BuyerFacts, OrderLog, Refunds, Transfer } from '#features/order/page/OrderParts.tsx';
import { PayWaiting } from '#features/order/page/PayWaiting.tsx';
import type { OrderStep } from '#features/order/page/step/steps.ts';
import classes from '#features/order/page/order.module.css';

const StepDrawer = lazyDialog(() => import('#features/order/page/step/StepDrawer.tsx').then((file) => file.StepDrawer));

/** The refusal of an order that does not exist or belongs to others, and of a text that is no order number. */
const NOT_FOUND = 130001;
/** The other side acts meanwhile, and the link of the voucher is valid for ten minutes. */
const RENEWAL_MS = 4 * 60_000;
const isOrderno = (text: string) => /^\d{20}$/.test(text);

/** The page of one order. Messages link to it. */
export default function OrderPage() {
  const { orderno = '' } = useParams();
  const read = useActionQuery(getOrderDetail, isOrderno(orderno) ? { orderno } : undefined, { quiet: true, every: RENEWAL_MS });
  if (!isOrderno(orderno) || (read.error instanceof ApiError && read.error.code === NOT_FOUND))
    return (
      <EmptyState title="没有这个订单" hint="订单号不完整，或者它不属于本机构">
        <Button component={Link} to={pathOf('operations.orders')}>
          返回订单管理
        </Button>
      </EmptyState>
    );
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(order) => <Order key={orderno} order={order} />}
    </Loaded>
  );
}

function Order({ order }: { order: OrderDetail }) {
  const { musercode } = useUser();
  const [step, setStep] = useState<OrderStep>();
  // The address of the gateway comes once, with the payment that this page began.
  const [gateway, setGateway] = useState<{ payurl: string; qrcode: string }>();
  const isOwn = isBuyer(order, musercode);
  const isWaitingOnline = isOwn && order.orderstatus === OrderStatus.paying && isOnline(order.paychannel ?? '');
  return (
    <div className={classes['order']}>
      <div className={`${classes['top']} ${classes['column']}`}>
        <OrderHead order={order} isOwn={isOwn} startStep={setStep} />
        {isWaitingOnline && order.paychannel !== null && (
          <PayWaiting
            orderno={order.orderno}
            amount={order.payamount}
            paychannel={order.paychannel}
            gateway={gateway}
            onGateway={setGateway}
          />
        )}
      </div>
      <div className={classes['column']}>
        <OrderItems order={order} />
        <Transfer order={order} />
        <Refunds order={order} />
      </div>
      <div className={classes['column']}>
        <BuyerFacts order={order} isOwn={isOwn} />
        <OrderLog order={order} />
      </div>
      {step && <StepDrawer key={step} step={step} order={order} onPaying={setGateway} onClose={() => setStep(undefined)} />}
    </div>
  );
}

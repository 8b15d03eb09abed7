import type { orderActions } from '#features/order/order.contract.ts';
import type { OrderDetail } from '#features/order/page/order.labels.ts';

/** A step with a form. 登记交付 has none: its buttons stand at the items. */
export type OrderStep = Exclude<(typeof orderActions)[number], 'deliver'>;

interface StepButton {
  step: OrderStep;
  label: string;
  /** the step that the order waits for */
  isMain: boolean;
  /** the step ends something, such as the order */
  isEnd: boolean;
}

/** The steps in the order of their buttons: the one that the order waits for stands first. */
const BUTTONS: readonly OrderStep[] = [
  ...(['pay', 'confirmtransfer', 'recordtransfer', 'answerrefund', 'refund', 'invoice', 'rejecttransfer', 'cancel'] as const),
];
const MAIN: readonly OrderStep[] = ['pay', 'confirmtransfer', 'answerrefund'];
const END: readonly OrderStep[] = ['cancel', 'rejecttransfer'];

function labelOf(step: OrderStep, order: OrderDetail, isOwn: boolean): string {
  switch (step) {
    case 'pay':
      return order.orderstatus === 4 ? '重新支付' : '去支付';
    case 'recordtransfer':
      return order.transfer ? '重新登记到账' : '登记到账';
    case 'invoice':
      return isOwn ? (order.invoicetitle ? '修改开票信息' : '申请开票') : order.invoiceno ? '修改发票号码' : '开票';
    default:
      return {
        cancel: '取消订单',
        confirmtransfer: '确认到账',
        rejecttransfer: '驳回凭证',
        refund: '退款',
        answerrefund: order.refunds.some(({ status }) => status === 0) ? '复核退款' : '登记退回',
      }[step];
  }
}

/** Returns the buttons of an order: one for each step that the server names, and no other. */
export function findSteps(order: OrderDetail, isOwn: boolean): StepButton[] {
  const open = BUTTONS.filter((step) => order.actions.includes(step));
  const main = open.find((step) => MAIN.includes(step)) ?? (open.includes('recordtransfer') ? 'recordtransfer' : undefined);
  return open.map((step) => ({ step, label: labelOf(step, order, isOwn), isMain: step === main, isEnd: END.includes(step) }));
}

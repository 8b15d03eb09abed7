import type { StepProps } from '#features/order/page/step/stepProps.ts';
import type { OrderStep } from '#features/order/page/step/steps.ts';
import { AnswerRefundDrawer } from '#features/order/page/step/AnswerRefundDrawer.tsx';
import { CancelDrawer, InvoiceDrawer } from '#features/order/page/step/orderDrawers.tsx';
import { PayDrawer } from '#features/order/page/step/PayDrawer.tsx';
import { RefundDrawer } from '#features/order/page/step/RefundDrawer.tsx';
import { ConfirmDrawer, RecordDrawer, RejectDrawer } from '#features/order/page/step/transferDrawers.tsx';

/** The form of a step of an order. */
export function StepDrawer({
  step,
  onPaying,
  ...props
}: StepProps & { step: OrderStep; onPaying: (gateway: { payurl: string; qrcode: string }) => void }) {
  switch (step) {
    case 'pay':
      return <PayDrawer {...props} onPaying={onPaying} />;
    case 'cancel':
      return <CancelDrawer {...props} />;
    case 'recordtransfer':
      return <RecordDrawer {...props} />;
    case 'confirmtransfer':
      return <ConfirmDrawer {...props} />;
    case 'rejecttransfer':
      return <RejectDrawer {...props} />;
    case 'refund':
      return <RefundDrawer {...props} />;
    case 'answerrefund':
      return <AnswerRefundDrawer {...props} />;
    case 'invoice':
      return <InvoiceDrawer {...props} />;
  }
}

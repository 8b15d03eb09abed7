import type { OrderDetail } from '#features/order/page/order.labels.ts';

/** The props of the form of a step of an order. */
export interface StepProps {
  order: OrderDetail;
  onClose: () => void;
}

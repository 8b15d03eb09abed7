/**
 * What a payment provider must do for us. A channel of a real provider implements this and nothing else; tests and the demonstration
 * use the local gateway (`localGateway.ts`).
 */

/** What happened to a payment or a repayment at the gateway. Amounts are 分. */
export interface PayNotice {
  /** the gateway's number of the payment, or of the repayment */
  payno: string;
  orderno: string;
  /** our number of the refund, for repayments */
  refundno?: string;
  amount: number;
  /** the seller whose money it is, as `create` named it; absent for repayments */
  seller?: string;
  state: 'success' | 'fail' | 'refunded' | 'refundfailed';
  time: Date;
}

export interface PayGateway {
  /** Begins a payment. Returns where a person pays: an address, and a text for a QR code. */
  create: (order: {
    orderno: string;
    amount: number;
    title: string;
    seller: string;
  }) => Promise<{ payurl: string; qrcode: string }>;
  /** What the gateway knows of an order's payment; undefined while nobody has paid. */
  query: (orderno: string) => Promise<PayNotice | undefined>;
  /** All payments and repayments of a day of Shanghai, for the reconciliation. */
  list: (day: string) => Promise<readonly PayNotice[]>;
  /** Pays back. The same `refundno` again pays back once. */
  refund: (refund: { refundno: string; orderno: string; payno: string; amount: number }) => Promise<void>;
  /** What the gateway knows of a repayment; undefined while it has not ended. */
  queryRefund: (refundno: string) => Promise<PayNotice | undefined>;
  /** Reads a notice; throws when its signature is not the gateway's. `isOld`: a query must prove it. */
  readNotice: (
    headers: Readonly<Record<string, string | undefined>>,
    body: Buffer,
    now: Date,
  ) => { notice: PayNotice; isOld: boolean };
}

/** The gateways by channel (01, 02). A channel without one is not offered. */
export type PayGateways = Readonly<Partial<Record<string, PayGateway>>>;

import { Text } from '@mantine/core';
import { InvoiceStatus, isOnline, OrderStatus, RefundStatus } from '#domain/order/order.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { EventTimeline } from '#ui/display/EventTimeline.tsx';
import { Facts, Section } from '#ui/display/Section.tsx';
import {
  REFUND_TONES,
  refundedWords,
  refundWords,
  yuan,
  type OrderDetail,
  type Refund,
} from '#features/order/page/order.labels.ts';
import { Voucher } from '#features/order/page/Voucher.tsx';
import classes from '#features/order/page/order.module.css';

interface Props {
  order: OrderDetail;
}

/** The transfer: the voucher of the buyer, and what the seller recorded. */
export function Transfer({ order: { voucherurl, transfer, paychannel, orderstatus } }: Props) {
  if ((paychannel !== null && isOnline(paychannel)) || (!voucherurl && !transfer)) return null;
  return (
    <Section title="转账与核对">
      <div className={classes['transfer']}>
        {voucherurl && <Voucher url={voucherurl} />}
        <div>
          {transfer ? (
            <Facts
              facts={[
                ['银行流水号', transfer.payno],
                ['到账日期', transfer.date],
                ['到账金额', yuan(transfer.amount)],
                ['登记人', transfer.recordedby],
              ]}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {orderstatus === OrderStatus.paying ? '卖方还没有登记到账。' : '卖方没有核对上这笔转账。'}
            </Text>
          )}
        </div>
      </div>
    </Section>
  );
}

/** The refunds of an order, the latest first. */
export function Refunds({ order: { refunds } }: Props) {
  if (refunds.length === 0) return null;
  return (
    <Section title="退款">
      {refunds.map((refund) => (
        <RefundEntry key={refund.refundno} refund={refund} />
      ))}
    </Section>
  );
}

function RefundEntry({ refund }: { refund: Refund }) {
  const next = refundWords(refund);
  return (
    <article className={classes['refund']} aria-label={`退款 ${yuan(refund.amount)}`}>
      <div className={classes['line']}>
        <strong className={classes['amount']}>{yuan(refund.amount)}</strong>
        <EnumBadge of={RefundStatus} code={refund.status} tones={REFUND_TONES} />
        <span className={classes['quiet']}>{refund.refundno}</span>
      </div>
      <p>{refundedWords(refund)}</p>
      {refund.reason && <p>原因：{refund.reason}</p>}
      <Text size="sm" c="dimmed">
        {[
          `${refund.askedby} ${refund.createtime}`,
          refund.answeredby && `${refund.answeredby}复核`,
          refund.donetime && `完成于 ${refund.donetime}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {refund.answer && <p>说明：{refund.answer}</p>}
      {next && <p>{next}</p>}
    </article>
  );
}

/** Where things go, and the invoice. */
export function BuyerFacts({ order, isOwn }: Props & { isOwn: boolean }) {
  const { receiver, receiverphone, receiveraddress, invoicestatus, invoicetitle, taxno, invoiceno } = order;
  return (
    <>
      {(receiver || receiveraddress) && (
        <Section title="收货信息">
          <Facts
            facts={[
              ['收货人', receiver],
              ['电话', receiverphone],
              ['地址', receiveraddress],
            ]}
          />
        </Section>
      )}
      <Section title="发票">
        {invoicestatus === InvoiceStatus.none ? (
          <Text size="sm" c="dimmed">
            {isOwn ? '没有填写开票信息。支付后可以申请开票。' : '买方没有申请开票。'}
          </Text>
        ) : (
          <Facts
            facts={[
              ['状态', InvoiceStatus.label(invoicestatus)],
              ['抬头', invoicetitle],
              ['税号', taxno],
              ...(invoiceno ? ([['发票号码', invoiceno]] as const) : []),
            ]}
          />
        )}
      </Section>
    </>
  );
}

/** The log of an order, the latest first. */
export function OrderLog({ order }: Props) {
  return (
    <Section title="订单记录">
      <EventTimeline
        label="订单记录"
        events={order.log
          .map(({ time, event, fromstatus, tostatus, content, operatorname }, index) => ({
            key: index,
            at: time,
            title: fromstatus === tostatus ? event : `${event} → ${OrderStatus.label(tostatus)}`,
            who: operatorname,
            body: content,
          }))
          .reverse()}
      />
    </Section>
  );
}

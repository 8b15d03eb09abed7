import { Button, Text } from '@mantine/core';
import { IconBox, IconHeartHandshake, IconSchool, IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import { formatNumber } from '#domain/base/number.ts';
import { GoodsType, wasPaid } from '#domain/order/order.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { Section } from '#ui/display/Section.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { deliverOrder, type OrderItem } from '#features/order/order.contract.ts';
import { contentWords, isDelivered, validityWords, yuan, type OrderDetail } from '#features/order/page/order.labels.ts';
import classes from '#features/order/page/order.module.css';

const ICONS = { '01': IconTicket, '02': IconSchool, '03': IconHeartHandshake, '04': IconBox } as const;

/** What was bought: content, validity, price, and how many may go back. */
export function OrderItems({ order }: { order: OrderDetail }) {
  return (
    <Section title="商品">
      {order.items.map((item) => (
        <Item key={item.seq} item={item} order={order} />
      ))}
      <dl className={`${classes['sums']} ${classes['total']}`}>
        <div>
          <dt>应付</dt>
          <dd>{yuan(order.payamount)}</dd>
        </div>
        {order.refundamount > 0 && (
          <div>
            <dt>已退</dt>
            <dd>{yuan(order.refundamount)}</dd>
          </div>
        )}
      </dl>
    </Section>
  );
}

function Item({ item, order }: { item: OrderItem; order: OrderDetail }) {
  const isPaid = wasPaid(order.orderstatus);
  const left = item.qty - item.refundedqty;
  return (
    <article className={classes['item']}>
      <ItemCover item={item} />
      <div>
        <h3>{item.goodsname}</h3>
        <Text size="sm" c="dimmed">
          {contentWords(item)}
        </Text>
        <Text size="sm" c="dimmed">
          {validityWords(item, isPaid)}
        </Text>
        {isPaid && (
          <Text size="sm" c="dimmed">
            {[
              item.refundedqty > 0 && `已退 ${formatNumber(item.refundedqty)} 份`,
              left > 0 && (item.refundable > 0 ? `可退 ${formatNumber(item.refundable)} 份` : `不可退：${whyNot(item)}`),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        )}
      </div>
      <div className={classes['price']}>
        <div>{yuan(item.amount)}</div>
        <span className={classes['quiet']}>{`${yuan(item.price)} × ${formatNumber(item.qty)}`}</span>
        {order.actions.includes('deliver') && isDelivered(item) && <DeliverButton item={item} orderno={order.orderno} />}
      </div>
    </article>
  );
}

/** Why nothing of an item may go back. */
const whyNot = (item: OrderItem): string =>
  item.goodstype === GoodsType.counts ? '次数已使用或已发放' : item.goodstype === GoodsType.course ? '已有人学完课时' : '已交付';

function DeliverButton({ item: { seq, goodsname, delivered }, orderno }: { item: OrderItem; orderno: string }) {
  const deliver = useActionMutation(deliverOrder, { successMessage: delivered === 1 ? '已撤回交付登记' : '已登记交付' });
  const change = async () => {
    const text =
      delivered === 1 ? `撤回“${goodsname}”的交付登记？撤回后可以退款。` : `登记“${goodsname}”已交付？已交付的商品不能退款。`;
    if (await confirm({ text, yes: delivered === 1 ? '撤回' : '登记交付' }))
      deliver.mutate({ orderno, seq, delivered: delivered === 1 ? 0 : 1 });
  };
  return (
    <div style={{ marginTop: 6 }} data-noprint>
      <Button
        variant="default"
        size="compact-sm"
        loading={deliver.isPending}
        aria-label={`${delivered === 1 ? '撤回交付' : '登记交付'} ${goodsname}`}
        onClick={() => void change()}
      >
        {delivered === 1 ? '撤回交付' : '登记交付'}
      </Button>
    </div>
  );
}

/** The picture of the goods, or the sign of their kind. */
function ItemCover({ item: { goodstype, coverurl } }: { item: OrderItem }) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const Icon = ICONS[goodstype];
  return (
    <span className={classes['cover']} aria-hidden>
      {coverurl && coverurl !== brokenUrl ? (
        <img src={coverurl} alt="" loading="lazy" decoding="async" onError={() => setBrokenUrl(coverurl)} />
      ) : (
        <Icon size={26} stroke={1.3} />
      )}
    </span>
  );
}

import { formatYuan } from '#domain/base/money.ts';
import { formatNumber } from '#domain/base/number.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import type { List } from '#ui/list/useList.ts';
import { getOrderStatusCount, type getOrderPageList } from '#features/order/order.contract.ts';
import { yuan } from '#features/order/page/order.labels.ts';
import classes from '#features/order/page/order.module.css';

type OrderList = List<typeof getOrderPageList>;

/** The statuses with the number and the amount of their orders. A tile filters the list by its status and keeps all other filters. */
export function StatusTiles({ list }: { list: OrderList }) {
  const { side, musercode, begindate, enddate } = list.request as Record<string, string | undefined>;
  const request = Object.fromEntries(
    Object.entries({ side, musercode, begindate, enddate }).filter(([, value]) => value !== undefined),
  );
  const { data } = useActionQuery(getOrderStatusCount, request, { quiet: true, keepPrevious: true });
  const chosen = [list.filters['orderstatus'] ?? []].flat();
  const { orderstatus: _chosen, ...others } = list.filters;
  const all = {
    name: '全部',
    status: undefined,
    count: data?.reduce((sum, { count }) => sum + count, 0),
    amount: data?.reduce((sum, { amount }) => sum + amount, 0),
  };
  const tiles = [
    all,
    ...(data ?? []).map(({ orderstatus, statusname, ...figures }) => ({ name: statusname, status: orderstatus, ...figures })),
  ];
  return (
    <div className={classes['statuses']} role="group" aria-label="订单状态">
      {tiles.map(({ name, status, count, amount }) => (
        <button
          key={name}
          type="button"
          className={classes['status']}
          aria-pressed={status === undefined ? chosen.length === 0 : chosen.length === 1 && chosen[0] === String(status)}
          onClick={() => list.setFilters(status === undefined ? others : { ...others, orderstatus: status })}
        >
          <span>{name}</span>
          <b>{count === undefined ? '—' : formatNumber(count)}</b>
          <small>{amount === undefined ? ' ' : yuan(amount)}</small>
        </button>
      ))}
    </div>
  );
}

/** The sums of all orders that fit the filters, below the list. */
export function OrderSums({ list }: { list: OrderList }) {
  const sums = list.answer?.sums;
  if (!sums || list.total === 0) return null;
  const figures = [
    ['金额合计', sums.totalamount],
    ['已付', sums.payamount],
    ['已退', sums.refundamount],
  ] as const;
  return (
    <dl className={classes['sums']} aria-label="符合条件的全部订单合计（元）">
      {figures.map(([name, fen]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatYuan(fen)} 元</dd>
        </div>
      ))}
    </dl>
  );
}

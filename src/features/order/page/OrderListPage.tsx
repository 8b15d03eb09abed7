import { Anchor, Button, SegmentedControl } from '@mantine/core';
import { IconShoppingCart } from '@tabler/icons-react';
import { formatYuan } from '#domain/base/money.ts';
import { holdsGoods, InvoiceStatus, OrderStatus, PayChannel } from '#domain/order/order.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { ExportButton, filtersOf } from '#blocks/export/ExportButton.tsx';
import { InstitutionFilter } from '#blocks/institution/InstitutionFilter.tsx';
import { can, useUser } from '#ui/api/session.ts';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { EnumBadge } from '#ui/display/badges.tsx';
import { Clock } from '#ui/display/Clock.tsx';
import { PageStack } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { exportOrderList, getOrderPageList, insertOrder, type OrderRow } from '#features/order/order.contract.ts';
import { orderPath, reconcilePath, shopPath, STATUS_TONES } from '#features/order/page/order.labels.ts';
import { OrderSums, StatusTiles } from '#features/order/page/OrderTiles.tsx';
import { getReconcileList } from '#features/order/reconcile/reconcile.contract.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import classes from '#features/order/page/order.module.css';

const column = columnsOf(getOrderPageList);
const money = { width: 112, align: 'right' } as const;
const goods = column.of('goodsname', '商品', ({ orderno, goodsname }) => (
  <div className={classes['goods']}>
    <span data-long>{goodsname}</span>
    <span className={classes['quiet']}>{orderno}</span>
  </div>
));
const buyer = column('insname', '买方', { width: 130 });
const seller = column('sellername', '卖方', { width: 120 });
const facts = [
  column('payamount', '金额（元）', formatYuan, { ...money, sort: true }),
  column('refundamount', '已退（元）', (fen) => (fen > 0 ? formatYuan(fen) : '—'), { ...money, width: 100 }),
  column.of('orderstatus', '状态', (row) => <Status row={row} />, { width: 106 }),
  column('paychannel', '支付方式', PayChannel.label, { width: 84 }),
  column('createtime', '下单时间', (time) => <span className={classes['amount']}>{time}</span>, { width: 140, sort: true }),
  column('paytime', '支付时间', (time) => (time ? <span className={classes['amount']}>{time}</span> : '—'), {
    ...{ width: 146, sort: true, hidden: true },
  }),
  column('invoicestatus', '发票', InvoiceStatus.label, { width: 84, hidden: true }),
];
/** Each side reads the name of the other; who buys and sells reads both. */
const columnSets = {
  bought: [goods, seller, ...facts],
  sold: [goods, buyer, ...facts],
  both: [goods, buyer, seller, ...facts],
} as const;

/** The status, and the time left of an order that waits for its payment. */
function Status({ row: { orderstatus, expiretime } }: { row: OrderRow }) {
  const isWaiting = holdsGoods(orderstatus) && orderstatus !== OrderStatus.paying;
  return (
    <span className={classes['state']}>
      <EnumBadge of={OrderStatus} code={orderstatus} tones={STATUS_TONES} />
      {isWaiting && expiretime !== '' && <Clock deadline={expiretime} />}
    </span>
  );
}

/** 订单管理: what the institution bought and sold; the platform reads all orders. */
export default function OrderListPage() {
  const list = useList(getOrderPageList);
  const navigate = useNavigate();
  const { musercode } = useUser();
  const isSeller = can(exportOrderList);
  const isShopper = can(insertOrder);
  const isPlatform = musercode === platformCode;
  const side = list.filters['side'];
  const hasFilters = Object.keys(list.filters).some((name) => name !== 'side');
  const shownSide = !isSeller ? 'bought' : side === 'sold' || side === 'bought' ? side : 'both';
  const shop = isShopper && (
    <Button component={Link} to={shopPath} leftSection={<IconShoppingCart size={16} aria-hidden />}>
      选购
    </Button>
  );
  return (
    <PageStack>
      <StatusTiles list={list} />
      <ListPage
        list={list}
        also={['side', 'orderstatus']}
        filters={
          <>
            <TextFilter name="orderno" label="订单号" placeholder="可只填其中几位" />
            <TextFilter name="goodsname" label="商品名称" />
            <EnumFilter name="paychannel" label="支付方式" of={PayChannel} />
            <DateRangeFilter from="begindate" to="enddate" label="下单日期" />
            {isSeller && can(getMUserPageList) && <InstitutionFilter label="买方" />}
          </>
        }
        lead={
          isSeller && (
            <div className={classes['line']}>
              <SegmentedControl
                aria-label="范围"
                size="xs"
                value={side === 'sold' || side === 'bought' ? side : ''}
                onChange={(next) => {
                  const { side: _side, ...others } = list.filters;
                  list.setFilters(next === '' ? others : { ...others, side: next });
                }}
                data={[
                  { value: '', label: isPlatform ? '全部机构' : '全部' },
                  { value: 'sold', label: '我卖的' },
                  ...(isShopper ? [{ value: 'bought', label: '我买的' }] : []),
                ]}
              />
              {can(getReconcileList) && (
                <Anchor component={Link} size="sm" to={reconcilePath}>
                  每日对账
                </Anchor>
              )}
            </div>
          )
        }
        toolbar={
          <>
            <ExportButton action={exportOrderList} request={filtersOf(list.request)} total={list.total} title="订单" />
            {shop}
          </>
        }
      >
        <DataTable
          list={list}
          columns={columnSets[shownSide]}
          rowKey="orderno"
          label="订单列表"
          onOpen={({ orderno }) => navigate(orderPath(orderno))}
          actions={({ orderno, goodsname }) => (
            <Button
              variant="subtle"
              size="compact-sm"
              component={Link}
              to={orderPath(orderno)}
              aria-label={`查看订单 ${orderno} ${goodsname}`}
            >
              查看
            </Button>
          )}
          empty={
            hasFilters ? (
              <EmptyState filtered reset={() => list.setFilters(side === undefined ? {} : { side })} />
            ) : (
              <EmptyState
                title="还没有订单"
                hint={
                  isShopper && !isSeller
                    ? '选购测评次数、课程和服务后，订单显示在这里'
                    : '下级机构选购您上架的商品后，订单显示在这里'
                }
              >
                {shop}
              </EmptyState>
            )
          }
        />
        <OrderSums list={list} />
      </ListPage>
    </PageStack>
  );
}

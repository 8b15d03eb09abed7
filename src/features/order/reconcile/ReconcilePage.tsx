import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { formatYuan } from '#domain/base/money.ts';
import { formatNumber } from '#domain/base/number.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { RowOf } from '#contract/page.ts';
import { InstitutionFilter } from '#blocks/institution/InstitutionFilter.tsx';
import { can, useUser } from '#ui/api/session.ts';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { Badge } from '#ui/display/badges.tsx';
import { PageStack } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { getReconcileList } from '#features/order/reconcile/reconcile.contract.ts';

const ReconcileDrawer = lazyDialog(() =>
  import('#features/order/reconcile/ReconcileDrawer.tsx').then((file) => file.ReconcileDrawer),
);

const column = columnsOf(getReconcileList);
const columns = [
  column('day', '日期', { width: 120 }),
  column('insname', '卖方', { width: 200 }),
  column('paid', '收款（元）', formatYuan, { width: 140, align: 'right' }),
  column('refunded', '退款（元）', formatYuan, { width: 140, align: 'right' }),
  column(
    'isbalanced',
    '结果',
    (isbalanced, { faults }) =>
      isbalanced === 1 ? <Badge tone="green">平</Badge> : <Badge tone="orange">{`不平 ${formatNumber(faults)} 项`}</Badge>,
    { width: 120 },
  ),
  column('createtime', '核对时间', (time) => time.slice(0, 16), { width: 150 }),
];

/** 每日对账: each day, orders against payments, ledger, held counts and stock. */
export default function ReconcilePage() {
  return can(getReconcileList) ? <Days /> : <EmptyState title="对账由卖方查看" hint="本机构只购买商品，没有对账结果" />;
}

function Days() {
  const list = useList(getReconcileList);
  const isPlatform = useUser().musercode === platformCode;
  const [opened, setOpened] = useState<RowOf<typeof getReconcileList>>();
  return (
    <PageStack>
      <ListPage
        list={list}
        filters={
          <>
            <DateRangeFilter from="begindate" to="enddate" label="日期" />
            {isPlatform && <InstitutionFilter label="卖方" />}
          </>
        }
        lead={
          <Text size="sm" c="dimmed">
            每天核对前一天：订单与支付、次数流水、冻结次数、库存逐项相符为“平”。
          </Text>
        }
      >
        <DataTable
          list={list}
          columns={columns}
          rowKey="key"
          label="对账结果"
          onOpen={setOpened}
          actions={(row) => (
            <Button variant="subtle" size="compact-sm" aria-label={`查看 ${row.day} 的对账`} onClick={() => setOpened(row)}>
              查看
            </Button>
          )}
          {...(Object.keys(list.filters).length === 0
            ? { empty: <EmptyState title="还没有对账结果" hint="有订单以后，系统每天凌晨核对前一天" /> }
            : {})}
        />
      </ListPage>
      {opened && (
        <ReconcileDrawer
          musercode={opened.musercode}
          insname={opened.insname}
          day={opened.day}
          onClose={() => setOpened(undefined)}
        />
      )}
    </PageStack>
  );
}

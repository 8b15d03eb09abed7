import { Drawer, Text } from '@mantine/core';
import { formatYuan } from '#domain/base/money.ts';
import { formatNumber } from '#domain/base/number.ts';
import type { ResponseOf } from '#contract/action.ts';
import { pathOf } from '#contract/menu.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { Loaded } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';
import { getReconcileDetail } from '#features/order/reconcile/reconcile.contract.ts';
import table from '#ui/display/PlainTable.module.css';

type Line = ResponseOf<typeof getReconcileDetail>['lines'][number];

/** The units of the lines: payments are 分, the others are counts and units of goods. */
const MONEY: readonly Line['kind'][] = ['paid', 'refunded', 'gateway'];
const figure = ({ kind }: Line, value: number) => (MONEY.includes(kind) ? `${formatYuan(value)} 元` : formatNumber(value));

/** The lines of one day: expected and actual, and the orders that do not agree. */
export function ReconcileDrawer({
  musercode,
  insname,
  day,
  onClose,
}: {
  musercode: string;
  insname: string;
  day: string;
  onClose: () => void;
}) {
  const read = useActionQuery(getReconcileDetail, { musercode, day }, { quiet: true });
  return (
    <Drawer opened onClose={onClose} title={`${day} 对账`} size="min(720px, 100vw)">
      <Text size="sm" c="dimmed" mb="sm">
        {insname}
      </Text>
      <Loaded read={read}>
        {({ lines }) => (
          <div className={table['frame']}>
            <table className={`${table['table']} ${table['cards']}`} aria-label="对账明细">
              <thead>
                <tr>
                  <th scope="col">项目</th>
                  <th scope="col">应为</th>
                  <th scope="col">实际</th>
                  <th scope="col">结果</th>
                  <th scope="col">不符的订单</th>
                </tr>
              </thead>
              <tbody>
                {lines.map((line, index) => (
                  <tr key={index}>
                    <th scope="row">{line.title}</th>
                    <td data-head="应为">{figure(line, line.expected)}</td>
                    <td data-head="实际">{figure(line, line.actual)}</td>
                    <td data-head="结果">
                      {line.isbalanced === 1 ? <Badge tone="green">平</Badge> : <Badge tone="orange">不平</Badge>}
                    </td>
                    <td data-head="不符的订单">
                      {line.ordernos.length === 0
                        ? '—'
                        : line.ordernos.map((orderno) => (
                            <div key={orderno}>
                              <Link to={`${pathOf('operations.orders')}/${orderno}`}>{orderno}</Link>
                            </div>
                          ))}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </Drawer>
  );
}

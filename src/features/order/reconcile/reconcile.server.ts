import { shanghaiTime } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import * as contract from '#features/order/reconcile/reconcile.contract.ts';
import * as queries from '#features/order/reconcile/reconcile.queries.ts';

/** Reading the daily comparisons: a seller its own, the platform those of all sellers. */

type Asker = Pick<ReadContext<'staff'>, 'caller'>;

/** Refuses (110004) another seller than the caller's institution, except for the platform. */
function assertSeller({ caller }: Asker, musercode: string | undefined): void {
  if (musercode !== undefined && musercode !== caller.musercode && caller.musercode !== platformCode) throw problems.notAllowed();
}

const sumOf = (lines: readonly contract.ReconcileLine[], kind: 'paid' | 'refunded') =>
  lines.filter((line) => line.kind === kind).reduce((sum, { actual }) => sum + actual, 0);

const getReconcileList = handle(contract.getReconcileList, async (request, ctx) => {
  const { page, pageSize, musercode, begindate, enddate } = request;
  assertSeller(ctx, musercode);
  const seller = musercode ?? (ctx.caller.musercode === platformCode ? undefined : ctx.caller.musercode);
  const { total, rows } = await queries.findDays(ctx.scope, { page, pageSize, musercode: seller, begindate, enddate });
  return {
    total,
    rows: rows.map((row) => {
      const lines = row.lines as contract.ReconcileLine[];
      return {
        key: `${row.musercode} ${row.day}`,
        ...{ musercode: row.musercode, insname: row.insname, day: row.day, isbalanced: row.isbalanced },
        ...{ paid: sumOf(lines, 'paid'), refunded: sumOf(lines, 'refunded') },
        faults: lines.filter(({ isbalanced }) => isbalanced === 0).length,
        createtime: shanghaiTime(row.createtime),
      };
    }),
  };
});

const getReconcileDetail = handle(contract.getReconcileDetail, async ({ musercode, day }, ctx) => {
  assertSeller(ctx, musercode);
  const { rows } = await queries.findDays(ctx.scope, {
    ...{ page: 1, pageSize: 1, begindate: day, enddate: day },
    musercode: musercode ?? ctx.caller.musercode,
  });
  const [row] = rows;
  if (!row) throw problems.notFound({ what: '这一天的对账结果' });
  return {
    ...{ musercode: row.musercode, insname: row.insname, day: row.day },
    createtime: shanghaiTime(row.createtime),
    lines: row.lines as contract.ReconcileLine[],
  };
});

export const reconcileHandlers = [getReconcileList, getReconcileDetail];

import { formatNumber } from '#domain/base/number.ts';
import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { GoodsType, InvoiceStatus, OrderStatus, PayChannel } from '#domain/order/order.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { writeWorksheet, type ExportColumn } from '#server/workbook/write.ts';
import { planNameOf } from '#features/assesscount/planName.ts';
import * as contract from '#features/order/order.contract.ts';
import * as queries from '#features/order/order.queries.ts';

/** 导出订单: one row an item. The amounts of an order stand in each of its rows, so sums come from the item's own amount. */

const columns: readonly ExportColumn[] = [
  { head: '订单号', width: 24 },
  { head: '买方机构', width: 26 },
  { head: '卖方机构', width: 22 },
  { head: '状态' },
  { head: '下单时间', width: 18 },
  { head: '支付时间', width: 18 },
  { head: '支付方式', width: 12 },
  { head: '流水号', width: 24 },
  { head: '序号', kind: 'number' },
  { head: '商品名称', width: 30 },
  { head: '商品类型', width: 12 },
  { head: '方案', width: 26 },
  { head: '单价（元）', width: 12 },
  { head: '数量', kind: 'number' },
  { head: '小计（元）', width: 12 },
  { head: '每份次数', kind: 'number' },
  { head: '有效期至', width: 12 },
  { head: '已退数量', kind: 'number' },
  { head: '是否交付', width: 10 },
  { head: '订单实付（元）', width: 14 },
  { head: '订单已退（元）', width: 14 },
  { head: '发票', width: 10 },
  { head: '发票抬头', width: 26 },
  { head: '税号', width: 22 },
  { head: '发票号码', width: 22 },
  { head: '备注', width: 30 },
];
/** An export has at most this many items. */
const MOST_ITEMS = 50_000;
/** The export reads this many items at a time. */
const PAGE_SIZE = 5000;

/** An amount of 分 in 元 with two decimals. A text keeps the decimals in every program that opens the workbook. */
const toYuan = (amount: number) => (amount / 100).toFixed(2);
const toMinute = (time: Date | null) => (time ? shanghaiTime(time).slice(0, 16) : '');

const toCells = (item: Awaited<ReturnType<typeof queries.findSoldItems>>[number]): (string | number)[] => [
  ...[item.orderno, item.insname, item.sellername, OrderStatus.label(item.orderstatus)],
  ...[toMinute(item.createtime), toMinute(item.paytime), item.paychannel === null ? '' : PayChannel.label(item.paychannel)],
  ...[item.payno ?? '', item.seq, item.goodsname, GoodsType.label(item.goodstype)],
  ...[item.plancode === null ? '' : planNameOf(item.plancode, item.planname), toYuan(item.price), item.qty, toYuan(item.amount)],
  ...[item.countqty, item.enddate ?? '', item.refundedqty],
  item.goodstype === GoodsType.service || item.goodstype === GoodsType.thing ? (item.delivered === 1 ? '是' : '否') : '',
  ...[toYuan(item.payamount), toYuan(item.refundamount), InvoiceStatus.label(item.invoicestatus)],
  ...[item.invoicetitle, item.taxno, item.invoiceno, item.remark],
];

const exportOrderList = handle(contract.exportOrderList, async (request, { scope, caller, now, audit, progress }) => {
  const filters = queries.toOrderFilters(request);
  const total = await queries.countItems(scope, caller.musercode, filters);
  if (total > MOST_ITEMS)
    throw problems.invalid(
      { message: `共 ${formatNumber(total)} 条，一次最多导出 ${formatNumber(MOST_ITEMS)} 条，请缩小日期范围` },
      { field: 'begindate' },
    );
  const rows: (string | number)[][] = [];
  for (let page = 1; (page - 1) * PAGE_SIZE < total; page += 1) {
    rows.push(...(await queries.findSoldItems(scope, caller.musercode, filters, { page, pageSize: PAGE_SIZE })).map(toCells));
    progress(rows.length, total);
  }
  const { sums } = await queries.findOrders(scope, caller.musercode, { ...filters, page: 1, pageSize: 1 });
  const stamp = shanghaiTime(now);
  audit({ detail: { filters: request, rows: rows.length } });
  return {
    filename: `订单_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({
      name: '订单',
      heads: columns,
      rows,
      note: [
        `${caller.name} 于 ${stamp} 导出，共 ${sums.total} 张订单、${rows.length} 件商品`,
        `合计：实付 ${toYuan(sums.payamount)} 元，已退 ${toYuan(sums.refundamount)} 元`,
      ],
      properties: { 导出人: caller.name, 导出时间: stamp },
    }),
  };
});

export const exportHandlers = [exportOrderList];

import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readWorkbook } from '#server/workbook/read.ts';
import * as contract from '#features/order/order.contract.ts';
import { openCounter, sellGoods } from '#testing/content/counter.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** The heads and the rows of an export, below its notes. */
async function exportAs({ as }: TestServer, who: 'fang' | 'super', filters: Parameters<ReturnType<TestServer['as']>>[1] = {}) {
  const { filename, body } = await as(who)(contract.exportOrderList, filters as Record<string, never>);
  const { rows } = await readWorkbook(await buffer(body as Readable), filename);
  const lines = rows.map((row) => row.map(String));
  const heads = lines.findIndex((row) => row.includes('订单号'));
  return { filename, notes: lines.slice(0, heads).flat(), heads: lines[heads] ?? [], rows: lines.slice(heads + 1) };
}

test('方敏 exports her orders: one row an item, amounts in 元 with two decimals, and text stays text', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { payByTransfer } = await openCounter(server);
  const counts = await sellGoods(server, { price: 50_050 });
  const service = await sellGoods(server, { goodsname: '=HYPERLINK("http://x","督导")', goodstype: '03', price: 80_000 });
  const { orderno } = await as('ma')(contract.insertOrder, {
    ...{
      items: [
        { goodsid: counts, qty: 2 },
        { goodsid: service, qty: 1 },
      ],
      remark: '+86 来电前请先短信',
      invoicetitle: '晨光中学',
    },
  });
  await payByTransfer(orderno, 180_100);
  const open = await as('ma')(contract.insertOrder, { items: [{ goodsid: counts, qty: 1 }] });

  const { filename, notes, heads, rows } = await exportAs(server, 'fang');
  expect(filename).toBe('订单_2025-10-08.xlsx');
  expect(notes.join(' ')).toContain('共 2 张订单、3 件商品');
  expect(notes.join(' ')).toContain('合计：实付 1801.00 元，已退 0.00 元');
  const cell = (row: readonly string[] | undefined, head: string) => row?.[heads.indexOf(head)];
  const ofMa = rows.filter((row) => cell(row, '订单号') === orderno);
  expect(
    ofMa.map((row) => ['商品名称', '单价（元）', '数量', '小计（元）', '订单实付（元）', '状态'].map((head) => cell(row, head))),
  ).toEqual([
    ['测评次数包（100 次）', '500.50', '2', '1001.00', '1801.00', '已支付'],
    ['=HYPERLINK("http://x","督导")', '800.00', '1', '800.00', '1801.00', '已支付'],
  ]);
  expect(ofMa.map((row) => [cell(row, '方案'), cell(row, '每份次数'), cell(row, '是否交付'), cell(row, '备注')])).toEqual([
    ['不限方案', '100', '', '+86 来电前请先短信'],
    ['', '0', '否', '+86 来电前请先短信'],
  ]);
  expect(rows.filter((row) => cell(row, '订单号') === open.orderno)).toHaveLength(1);
  // The filters of the screen hold for the file.
  expect((await exportAs(server, 'fang', { orderstatus: [3] })).rows).toHaveLength(2);
  expect((await exportAs(server, 'fang', { musercode: 'M_RENAI' })).rows).toHaveLength(0);
  expect((await exportAs(server, 'fang', { side: 'bought' })).rows).toHaveLength(0);
  expect((await exportAs(server, 'super')).rows).toHaveLength(3);
  // The export leaves its trace, and buyers and strangers have none.
  expect(await sqlAsOwner("select 1 from audit.log where action = 'as.m.order.exportOrderList' and result = 0")).toHaveLength(5);
  for (const person of ['ma', 'lin', 'zhou', 'duty'] as const)
    await expect(as(person)(contract.exportOrderList, {})).rejects.toMatchObject({ code: 110004 });
});

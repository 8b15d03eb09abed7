import { createHash } from 'node:crypto';
import { localGateway, type SignedNotice } from '#server/pay/localGateway.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import * as order from '#features/order/order.contract.ts';
import { takeNotice } from '#features/order/takeNotice.ts';
import { aContentFile } from '#testing/content/contents.ts';
import type { Person } from '#testing/people.ts';
import type { TestServer } from '#testing/server.ts';

/**
 * The counter of 安澜心理: 方敏 and 田悦 sell, 马主任 buys for 晨光中学. 田悦 is the second human of transfers and refunds.
 * The goods are rows, so that tests of orders need no pictures.
 */

type Row = Readonly<Record<string, unknown>>;

/** Adds goods on sale as a row: a package of 100 counts for any plan at 500 元, unless the row says otherwise. Returns its number. */
export async function sellGoods(database: Pick<TestServer, 'sqlAsOwner'>, row: Row = {}): Promise<number> {
  const coverfileid = await aContentFile(database, { mime: 'image/webp', biztype: 'goods', ispublic: 1 });
  const isPackage = (row['goodstype'] ?? '01') === '01';
  const full = {
    ...{
      musercode: 'M_ANLAN',
      goodsname: '测评次数包（100 次）',
      goodstype: '01',
      price: 50_000,
      listingstatus: 1,
      createby: 'U_FANG',
    },
    coverfileid,
    ...(isPackage ? { plancode: '*', qty: 100 } : {}),
    ...row,
  };
  const names = Object.keys(full);
  const [added] = await database.sqlAsOwner<{ goodsid: string }>(
    `insert into goods (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning goodsid`,
    Object.values(full),
  );
  return Number(added?.goodsid);
}

/** Adds a second seller to 安澜心理, with a session like those of `people.ts`. Returns calls in the name of 田悦. */
async function addTian({ sqlAsOwner, withToken }: TestServer) {
  const token = createHash('sha256').update('tian').digest('hex');
  await sqlAsOwner(`insert into sysuser (userid, musercode, sysusername, realname) values ('U_TIAN', 'M_ANLAN', 'tian', '田悦')`);
  await sqlAsOwner(
    `insert into auth.account (accountid, musercode, userid, loginname, pwdhash) values ('U_TIAN', 'M_ANLAN', 'U_TIAN', 'tian', '')`,
  );
  await sqlAsOwner(
    `insert into sysuserrole (userid, roleid, musercode) select 'U_TIAN', roleid, 'M_ANLAN' from role where rolekey = 'provideradmin'`,
  );
  await sqlAsOwner(
    `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle, stepuptime)
     values ($1, 'staff', 'M_ANLAN', 'U_TIAN', now() + interval '1 day', '1 day', now())`,
    [token],
  );
  return withToken('tian');
}

/** Opens the counter: 安澜心理 has 5,000 counts to sell, and both online channels have a local gateway. */
export async function openCounter(server: TestServer) {
  const { as, services, clock } = server;
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 5000 });
  const tian = await addTian(server);
  const options = { secret: 'tests only', publicUrl: services.publicUrl };
  const gateways = { '01': localGateway(options), '02': localGateway(options) };
  services.gateways = gateways;
  type Channel = keyof typeof gateways;
  /** The server receives a notice of a gateway, as often as it is sent. */
  const receive = async (channel: Channel, signed: SignedNotice | undefined, times = 1) => {
    if (!signed) throw new Error('the gateway has sent nothing');
    for (let time = 0; time < times; time += 1) {
      const { notice } = gateways[channel].readNotice(signed.headers, Buffer.from(signed.body), clock.now);
      await takeNotice(services, channel, notice, clock.now);
    }
  };
  return {
    tian,
    gateways,
    receive,
    /** 马主任, or another buyer, orders units of some goods. Returns the number of the order. */
    buy: async (items: readonly { goodsid: number; qty: number }[], who: Person = 'ma') =>
      (await as(who)(order.insertOrder, { items: [...items] })).orderno,
    /** The buyer pays by a transfer; 方敏 records it and 田悦 confirms. */
    payByTransfer: async (orderno: string, amount: number, payno = `B${orderno}`) => {
      await as('ma')(order.payOrder, { orderno, paychannel: '04' });
      await as('fang')(order.recordTransfer, { orderno, payno, date: '2025-10-08', amount });
      return tian(order.confirmOfflinePay, { orderno, payno, amount });
    },
    /** The buyer pays through a gateway, whose notice arrives so often. */
    payOnline: async (orderno: string, channel: Channel = '01', times = 1) => {
      await as('ma')(order.payOrder, { orderno, paychannel: channel });
      await receive(channel, gateways[channel].pay(orderno, true, clock.now), times);
    },
  };
}

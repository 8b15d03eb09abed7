import { shanghaiTime } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Pools } from '#server/db/pools.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { findExpiringKeys } from '#features/apikey/apikey.queries.ts';
import { notifyAdministrators } from '#features/notice/administrators.queries.ts';

/** So many days before a key ends, its institution is told: the other system then needs a new one. */
const NOTICE_DAYS = 14;

/** Notifies institutions once of each key that ends soon. Returns the number of new notices. */
export async function notifyOfExpiringKeys({ authn, nested }: Pick<Pools, 'authn' | 'nested'>, now: Date): Promise<number> {
  const keys = await findExpiringKeys(authn, NOTICE_DAYS);
  if (keys.length === 0) return 0;
  const notices = keys.map(({ keyid, musercode, keyname, expiretime }) => ({
    musercode,
    title: `对接密钥“${keyname}”将于 ${shanghaiTime(expiretime).slice(0, 10)} 到期`,
    content: '到期后使用它的系统读不到数据。需要继续对接，请新建密钥交给对方，更换后停用旧的。',
    link: '/apiKeys',
    dedupekey: `apikey:${keyid}`,
  }));
  return runAsSystem({ authn, nested }, platformCode, (scope) => notifyAdministrators(scope, notices, now));
}

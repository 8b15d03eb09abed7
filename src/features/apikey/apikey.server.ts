import { randomBytes } from 'node:crypto';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { isPermitted } from '#contract/action.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import { KEY_SCOPES, type KeyScope } from '#contract/apikey/openToKeys.ts';
import { problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { assertMayManageRights } from '#server/dispatch/rights.ts';
import { KEY_TOKEN } from '#server/security/tokenStart.ts';
import * as contract from '#features/apikey/apikey.contract.ts';
import * as queries from '#features/apikey/apikey.queries.ts';

/** Characters of a key that its institution sees later. */
const PREFIX = KEY_TOKEN.length + 6;

const getApiKeys = handle(contract.getApiKeys, async (_, { caller, authn }) => {
  assertMayManageRights(caller);
  const rows = await queries.findKeys(authn, caller.musercode);
  return {
    keys: rows.map(({ createtime, expiretime, lastseen, scopes, ...row }) => ({
      ...row,
      scopes: scopes as KeyScope[],
      createtime: shanghaiTime(createtime),
      expiretime: shanghaiTime(expiretime),
      lasttime: lastseen.getTime() > createtime.getTime() ? shanghaiTime(lastseen) : null,
    })),
  };
});

/**
 * Throws 110004 when a group has a call that the institution may make and the caller may not: nobody gives a key a right that they lack.
 */
function assertMayGive(scopes: readonly KeyScope[], { caller, allowOf }: Pick<Context<'staff'>, 'caller' | 'allowOf'>) {
  const { codes, institutioncodes, musertype, navextra } = caller;
  for (const name of scopes.flatMap((scope): readonly string[] => KEY_SCOPES[scope].calls)) {
    const allow = allowOf(name);
    if (allow && isPermitted(allow, institutioncodes, musertype, navextra) && !isPermitted(allow, codes, musertype, navextra))
      throw problems.notAllowed(undefined, { field: 'scopes' });
  }
}

const insertApiKey = handle(contract.insertApiKey, async ({ keyname, scopes, permin, days }, ctx) => {
  const { caller, authn, origin, audit } = ctx;
  assertMayManageRights(caller);
  assertMayGive(scopes, ctx);
  for (const rule of ['results', 'cases'] as const)
    if (scopes.includes(rule) && !canReadField(caller, rule)) throw problems.notAllowed(undefined, { field: 'scopes' });
  const valid = (await queries.findKeys(authn, caller.musercode)).filter((key) => key.state === 'valid');
  if (valid.length >= contract.MOST_KEYS)
    throw problems.wrongState({ why: `最多 ${contract.MOST_KEYS} 个有效的密钥，请先停用不用的` });
  if (valid.some((key) => key.keyname === keyname))
    throw problems.duplicate({ what: `名为“${keyname}”的密钥` }, { field: 'keyname' });
  const key = `${KEY_TOKEN}${randomBytes(32).toString('base64url')}`;
  const { musercode, name: createby } = caller;
  await queries.insertKey(authn, {
    tokenhash: hashToken(key),
    musercode,
    keyname,
    prefix: key.slice(0, PREFIX),
    scopes: [...new Set(scopes)],
    permin,
    days,
    createby,
    ip: origin.ip,
  });
  audit({ detail: { keyname, scopes, permin, days } });
  return { key };
});

const endApiKey = handle(contract.endApiKey, async ({ keyid }, { caller, authn, audit }) => {
  assertMayManageRights(caller);
  const keyname = await queries.endKey(authn, caller.musercode, keyid);
  if (keyname === undefined) throw problems.notFound({ what: '密钥' });
  audit({ objectid: keyid, detail: { keyname } });
  return {};
});

/** The handlers of 对接密钥. */
export const apiKeyHandlers = [getApiKeys, insertApiKey, endApiKey];

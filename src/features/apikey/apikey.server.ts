import { randomBytes } from 'node:crypto';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { isPermitted } from '#contract/action.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import { KEY_SCOPES, keyScopes, type KeyScope } from '#contract/apikey/openToKeys.ts';
import { problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { assertMayManageRights } from '#server/dispatch/rights.ts';
import { KEY_TOKEN } from '#server/security/tokenStart.ts';
import * as contract from '#features/apikey/apikey.contract.ts';
import * as queries from '#features/apikey/apikey.queries.ts';

/** Characters of a key that its institution sees later. */
const PREFIX = KEY_TOKEN.length + 6;

const getApiKeys = handle(contract.getApiKeys, async (_, ctx) => {
  const { caller, authn } = ctx;
  assertMayManageRights(caller);
  const rows = await queries.findKeys(authn, caller.musercode);
  return {
    open: keyScopes.filter((scope) => isOpen(scope, ctx)),
    keys: rows.map(({ createtime, expiretime, lastseen, scopes, ...row }) => ({
      ...row,
      scopes: scopes as KeyScope[],
      createtime: shanghaiTime(createtime),
      expiretime: shanghaiTime(expiretime),
      lasttime: lastseen.getTime() > createtime.getTime() ? shanghaiTime(lastseen) : null,
    })),
  };
});

type Rights = Pick<Context<'staff'>, 'caller' | 'allowOf'>;
/** Whether an account of the caller's institution with these codes may make every call of a group. */
const mayMakeAll = (scope: KeyScope, codes: ReadonlySet<string>, { caller: { musertype, navextra }, allowOf }: Rights) =>
  KEY_SCOPES[scope].calls.every((name) => {
    const allow = allowOf(name);
    return allow && isPermitted(allow, codes, musertype, navextra);
  });
/** Whether the institution has a group. A key with another one would open by itself when the institution gets the rights. */
const isOpen = (scope: KeyScope, rights: Rights) => mayMakeAll(scope, rights.caller.institutioncodes, rights);

/** Throws unless the institution has the groups and the caller holds their rights: nobody gives a key a right that they lack. */
function assertMayGive(scopes: readonly KeyScope[], rights: Rights) {
  const closed = scopes.filter((scope) => !isOpen(scope, rights)).map((scope) => KEY_SCOPES[scope].title);
  if (closed.length > 0) throw problems.wrongState({ why: `本机构没有开通：${closed.join('、')}` }, { field: 'scopes' });
  if (!scopes.every((scope) => mayMakeAll(scope, rights.caller.codes, rights)))
    throw problems.notAllowed(undefined, { field: 'scopes' });
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

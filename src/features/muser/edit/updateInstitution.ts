import type { z } from 'zod';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { codeOf } from '#contract/menu.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { generateOneTimePassword } from '#server/security/oneTimePassword.ts';
import { hashPassword } from '#server/security/password.ts';
import { isCommonPassword } from '#server/security/weakPassword.ts';
import { notifyAccount } from '#features/notice/notice.queries.ts';
import type { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { contactFields } from '#features/muser/edit/fields.contract.ts';
import { resetFactor } from '#features/account/factor.queries.ts';
import { replaceLogo } from '#features/muser/logo.ts';
import { requireBelow } from '#features/access/institutionAccess.ts';
import { regionColumns } from '#features/muser/region.ts';
import * as queries from '#features/muser/muser.queries.ts';

type Changes = Omit<z.output<(typeof updateMUser)['request']>, 'pwd' | 'oldpwd'>;

/**
 * Changes an institution. Managers of an institution below may change all editable fields. Its own account and its staff with 用户管理
 * may change only short name and contacts. All other changes are refused with 130001 or 110004.
 */
export async function editMUser(ctx: Context<'staff'>, { musercode, version: _, ...fields }: Changes) {
  const { scope, caller } = ctx;
  const isOwn = musercode === caller.musercode;
  const changedKeys = Object.keys(fields).filter((key) => fields[key as keyof typeof fields] !== undefined);
  if (changedKeys.length === 0) throw problems.invalid({ message: '没有需要修改的内容' });
  if (isOwn) {
    if (caller.userid !== null && !caller.codes.has(codeOf('organization.users'))) throw problems.notAllowed();
    const forbidden = changedKeys.find((key) => !(key in contactFields));
    if (forbidden) throw problems.notAllowed(undefined, { field: forbidden });
  }
  const place = isOwn ? undefined : await requireBelow(scope, caller, musercode);
  if (
    place &&
    fields.insname !== undefined &&
    (await queries.isNameUsed(scope, place.parentmusercode, fields.insname, musercode))
  )
    throw problems.duplicate({ what: '同名机构' }, { field: 'insname' });
  const hasRegionChange = changedKeys.some((key) => key === 'provincecode' || key === 'citycode' || key === 'districtcode');
  const { provincecode, citycode, districtcode, logofileid, ...plain } = fields;
  const region = hasRegionChange ? await regionColumns(scope, { provincecode, citycode, districtcode }) : {};
  const columns = Object.fromEntries(
    Object.entries(plain)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, value === '' ? null : value]),
  );
  const updatedRow = await queries.changeMUser(scope, musercode, { ...columns, ...region });
  if (!updatedRow) throw problems.notFound({ what: '机构' });
  if (logofileid !== undefined) await replaceLogo(ctx, musercode, logofileid);
  ctx.audit({ objectid: musercode, detail: { changed: changedKeys } });
}

/** Sets the first password of an institution below the caller and ends its sessions. Refuses common passwords with 120004. */
export async function setMUserPassword(ctx: Context<'staff'>, musercode: string, pwd: string) {
  await requireBelow(ctx.scope, ctx.caller, musercode);
  await setFirstPassword(ctx, musercode, await hashFirstPassword(ctx, pwd));
}

/** Sets a generated one-time password for an institution below the caller, ends its sessions and returns the password. */
export async function renewMUserPassword(ctx: Context<'staff'>, musercode: string): Promise<string> {
  await requireBelow(ctx.scope, ctx.caller, musercode);
  const { onetime, hash } = generateOneTimePassword(ctx.cipher.pepper);
  await setFirstPassword(ctx, musercode, hash);
  return onetime;
}

async function setFirstPassword({ scope, audit }: Context<'staff'>, musercode: string, hash: string) {
  await queries.createAccount(scope, musercode, await queries.findUsername(scope, musercode), hash);
  audit({ objectid: musercode, detail: { reset: 'pwd' } });
}

/** Returns the hash of a first password that the client chose. Refuses common passwords with 120004. */
export async function hashFirstPassword({ cipher }: Pick<Context, 'cipher'>, pwd: string): Promise<string> {
  if (await isCommonPassword(pwd)) throw problems.passwordWeak(undefined, { field: 'pwd' });
  return hashPassword(pwd, cipher.pepper);
}

/** Removes the second factor of an institution's own account, ends its sessions and notifies the account. */
export async function resetInstitutionFactor(ctx: Context<'staff'>, musercode: string) {
  const { scope, caller, now, audit } = ctx;
  await requireBelow(scope, caller, musercode);
  await resetFactor(scope, musercode);
  await notifyAccount(
    scope,
    { musercode, userid: null },
    {
      title: '二次验证已被重置',
      content: `${caller.name} 于 ${shanghaiTime(now)} 重置了本账号的二次验证，登录均已退出。如非本机构要求，请联系服务商。`,
    },
    now,
  );
  audit({ objectid: musercode });
}

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
import { placeLogo } from '#features/muser/logo.ts';
import { requireBelow } from '#features/access/institutionAccess.ts';
import { regionColumns } from '#features/muser/region.ts';
import * as queries from '#features/muser/muser.queries.ts';

type Changes = Omit<z.output<(typeof updateMUser)['request']>, 'pwd' | 'oldpwd'>;

/**
 * Changes an institution. One below the caller: everything that may be changed, by whoever looks after it. The caller's own: only how
 * it is called and reached, by its own account or by holders of 用户管理. Anything else is 130001 or 110004.
 */
export async function editMUser(ctx: Context<'staff'>, { musercode, version, ...fields }: Changes) {
  const { scope, caller } = ctx;
  const own = musercode === caller.musercode;
  const changed = Object.keys(fields).filter((key) => fields[key as keyof typeof fields] !== undefined);
  if (changed.length === 0) throw problems.invalid({ message: '没有需要修改的内容' });
  if (own) {
    if (caller.userid !== null && !caller.codes.has(codeOf('organization.users'))) throw problems.notAllowed();
    const forbidden = changed.find((key) => !(key in contactFields));
    if (forbidden) throw problems.notAllowed(undefined, { field: forbidden });
  }
  const place = own ? undefined : await requireBelow(scope, caller, musercode);
  if (
    place &&
    fields.insname !== undefined &&
    (await queries.nameIsTaken(scope, place.parentmusercode, fields.insname, musercode))
  )
    throw problems.duplicate({ what: '同名机构' }, { field: 'insname' });
  if (fields.seedetail === 1 && place?.musertype !== '003')
    throw problems.invalid({ message: '只有主管部门可以设置查看个人明细' }, { field: 'seedetail' });
  const moved = changed.some((key) => key === 'provincecode' || key === 'citycode' || key === 'districtcode');
  const { provincecode, citycode, districtcode, logofileid, ...plain } = fields;
  const region = moved ? await regionColumns(scope, { provincecode, citycode, districtcode }) : {};
  const columns = Object.fromEntries(
    Object.entries(plain)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, value === '' ? null : value]),
  );
  const after = await queries.changeMUser(scope, musercode, version, { ...columns, ...region });
  if (!after) throw version === undefined ? problems.notFound({ what: '机构' }) : problems.changedMeanwhile();
  if (logofileid !== undefined) await placeLogo(ctx, musercode, logofileid);
  ctx.audit({ objectid: musercode, detail: { changed } });
}

/** Sets the first password of an institution below the caller and ends its sessions. `pwd` comes from the client and must not be common. */
export async function setMUserPassword(ctx: Context<'staff'>, musercode: string, pwd: string) {
  await requireBelow(ctx.scope, ctx.caller, musercode);
  await giveFirstPassword(ctx, musercode, await hashFirstPassword(ctx, pwd));
}

/** Gives an institution below the caller a generated one-time password and ends its sessions. Answers the password. */
export async function renewMUserPassword(ctx: Context<'staff'>, musercode: string): Promise<string> {
  await requireBelow(ctx.scope, ctx.caller, musercode);
  const { onetime, hash } = generateOneTimePassword(ctx.cipher.pepper);
  await giveFirstPassword(ctx, musercode, hash);
  return onetime;
}

async function giveFirstPassword({ scope, audit }: Context<'staff'>, musercode: string, hash: string) {
  await queries.createAccount(scope, musercode, await queries.findUsername(scope, musercode), hash);
  audit({ objectid: musercode, detail: { reset: 'pwd' } });
}

/** The hash to store of a first password that the client chose. Refuses common passwords (120004). */
export async function hashFirstPassword({ cipher }: Pick<Context, 'cipher'>, pwd: string): Promise<string> {
  if (await isCommonPassword(pwd)) throw problems.passwordWeak(undefined, { field: 'pwd' });
  return hashPassword(pwd, cipher.pepper);
}

/** Takes the second factor of an institution's own account away, ends its sessions and leaves it a message. */
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

import { pinyin } from 'pinyin-pro';
import { maskName, maskPhone } from '#domain/mask.ts';
import { codeOf } from '#contract/menu.ts';
import type { Staff } from '#server/caller.ts';
import type { Vault } from '#server/vault.ts';

/**
 * Who reads names: never somebody who acts in another's account; holders of 查看未脱敏信息, and staff narrowed to their own teams, who teach these very children.
 * Everybody else sees the family name and stars.
 */
export const readsNames = (caller: Staff): boolean =>
  !caller.loginasby && (caller.narrowed || caller.codes.has(codeOf('person.unmasked')));

/** A person's name as this caller may see it in a list. */
export const nameFor = (caller: Staff, username: string): string => (readsNames(caller) ? username : maskName(username));

/** A telephone in a list: masked for everybody; the whole number is a reveal of its own. */
export const phoneInList = (vault: Vault, musercode: string, sealed: string | null): string =>
  sealed ? maskPhone(vault.open(musercode, 'cuser.phone', sealed)) : '';

/** Columns that hold a telephone, sealed and findable. */
export const sealedPhone = (vault: Vault, musercode: string, phone: string | undefined | null) =>
  phone
    ? { phonesealed: vault.seal(musercode, 'cuser.phone', phone), phonehash: vault.blind(musercode, 'cuser.phone', phone) }
    : { phonesealed: null, phonehash: null };

/** How a name sorts and is found by its sound: full pinyin and initials. */
export const soundOf = (username: string) => ({
  pinyin: pinyin(username, { toneType: 'none', type: 'array', surname: 'head' }).join('').toLowerCase(),
  initials: pinyin(username, { pattern: 'first', toneType: 'none', type: 'array', surname: 'head' }).join('').toLowerCase(),
});

import { maskName, maskPhone } from '#domain/base/mask.ts';
import { codeOf } from '#contract/menu.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Vault } from '#server/security/fieldCipher.ts';

/**
 * Whether a member of staff reads full names. Holders of 查看未脱敏信息 do, and staff who see only their own teams, because they teach
 * these children. Nobody does while acting in another's account. All others see the family name and stars.
 */
export const readsNames = (caller: Staff): boolean =>
  !caller.loginasby && (caller.narrowed || caller.codes.has(codeOf('person.unmasked')));

/** A person's name as this caller may see it in a list. */
export const nameFor = (caller: Staff, username: string): string => (readsNames(caller) ? username : maskName(username));

/** A telephone in a list: masked for everybody; a reveal action shows the whole number. */
export const phoneInList = (vault: Vault, musercode: string, sealed: string | null): string =>
  sealed ? maskPhone(vault.open(musercode, 'cuser.phone', sealed)) : '';

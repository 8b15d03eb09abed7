import { maskName, maskPhone } from '#domain/base/mask.ts';
import { codeOf } from '#contract/menu.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/**
 * Whether a member of staff reads full names. Holders of 查看未脱敏信息 do, and staff who see only their own teams, because they teach
 * these children. Nobody does while acting in another's account. All others see the family name and stars.
 */
export const canReadNames = (caller: Staff): boolean =>
  !caller.loginasby && (caller.ownTeamsOnly || caller.codes.has(codeOf('person.unmasked')));

/** A person's name as this caller may see it in a list. */
export const displayName = (caller: Staff, username: string): string => (canReadNames(caller) ? username : maskName(username));

/** A telephone in a list: masked for everybody; a reveal action shows the whole number. */
export const maskedPhone = (vault: FieldCipher, musercode: string, sealed: string | null): string =>
  sealed ? maskPhone(vault.decrypt(musercode, 'cuser.phone', sealed)) : '';

import { maskName, maskPhone } from '#domain/base/mask.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** True when a member of staff may read full names (`contract/fieldAccess.ts`). All others see the family name and stars. */
export const canReadNames = (caller: Staff): boolean => canReadField(caller, 'names');

/** Returns a person's name for lists: full or masked, as this caller may see it. */
export const displayName = (caller: Staff, username: string): string => (canReadNames(caller) ? username : maskName(username));

/** Returns the masked telephone number for lists. All callers see it masked; a reveal action shows the whole number. */
export const maskedPhone = (cipher: FieldCipher, musercode: string, sealed: string | null): string =>
  sealed ? maskPhone(cipher.decrypt(musercode, 'cuser.phone', sealed)) : '';

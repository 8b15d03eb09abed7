import { pinyin } from 'pinyin-pro';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** The columns of a telephone: encrypted, and as a keyed hash that can be searched. */
export const encryptPhone = (vault: FieldCipher, musercode: string, phone: string | undefined | null) =>
  phone
    ? {
        phonesealed: vault.encrypt(musercode, 'cuser.phone', phone),
        phonehash: vault.blindIndex(musercode, 'cuser.phone', phone),
      }
    : { phonesealed: null, phonehash: null };

/** The columns by which a name is sorted and found: full pinyin and initials. */
export const pinyinOf = (username: string) => ({
  pinyin: pinyin(username, { toneType: 'none', type: 'array', surname: 'head' }).join('').toLowerCase(),
  initials: pinyin(username, { pattern: 'first', toneType: 'none', type: 'array', surname: 'head' }).join('').toLowerCase(),
});

/** A guardian as a form or a sheet names them. */
export interface GuardianInput {
  name: string;
  relation: string;
  phonenumber?: string | null | undefined;
}

/** The row of a guardian of a person. */
export const guardianColumns = (
  vault: FieldCipher,
  { cuserid, musercode }: { cuserid: string; musercode: string },
  { name, relation, phonenumber }: GuardianInput,
) => ({ cuserid, musercode, name, relation, ...encryptPhone(vault, musercode, phonenumber) });

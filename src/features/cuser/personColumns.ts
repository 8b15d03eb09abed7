import { pinyin } from 'pinyin-pro';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** Returns the columns of a telephone: its encrypted text, and a keyed hash for searches. */
export const encryptPhone = (cipher: FieldCipher, musercode: string, phone: string | undefined | null) =>
  phone
    ? {
        phonesealed: cipher.encrypt(musercode, 'cuser.phone', phone),
        phonehash: cipher.blindIndex(musercode, 'cuser.phone', phone),
      }
    : { phonesealed: null, phonehash: null };

/** Returns the columns that sort and find a name: its full pinyin and its initials. */
export const pinyinOf = (username: string) => ({
  pinyin: pinyin(username, { toneType: 'none', type: 'array', surname: 'head' }).join('').toLowerCase(),
  initials: pinyin(username, { pattern: 'first', toneType: 'none', type: 'array', surname: 'head' }).join('').toLowerCase(),
});

/** A guardian from a form or a worksheet. */
export interface GuardianInput {
  name: string;
  relation: string;
  phonenumber?: string | null | undefined;
}

/** Returns the row of a guardian of a person. */
export const guardianColumns = (
  cipher: FieldCipher,
  { cuserid, musercode }: { cuserid: string; musercode: string },
  { name, relation, phonenumber }: GuardianInput,
) => ({ cuserid, musercode, name, relation, ...encryptPhone(cipher, musercode, phonenumber) });

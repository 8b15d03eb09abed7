import { changeTexts } from '#server/rotation/jsonText.ts';
import { COPIED_MEMBERS, type Encrypted } from '#server/sealing/encryptedColumns.ts';
import { isCodedAnswer, type Sealing } from '#server/sealing/sealedColumns.ts';
import { looksSealed } from '#server/sealing/textSealer.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** A row for which a value is sealed anew. `context` is what the value is bound to. */
export interface SealedIn {
  musercode: string;
  context: string;
}

/** Returns the JSON text of a sealed column with the current key: sealed texts sealed anew, and plain ones sealed. */
export function resealTexts(cipher: FieldCipher, column: string, sealing: Exclude<Sealing, 'own'>, json: string): string {
  const isFree = isFreeIn(column, sealing);
  return changeTexts(json, (text, path) => {
    if (looksSealed(text)) return cipher.texts.reseal(text);
    return isFree(text, path) ? cipher.texts.seal(text) : text;
  });
}

function isFreeIn(column: string, sealing: Exclude<Sealing, 'own'>): (text: string, path: readonly string[]) => boolean {
  // The feature that writes answers decides by the text itself.
  if (column === 'examform.answers' || column === 'examlateanswer.value') return (text) => !isCodedAnswer(text);
  if (typeof sealing === 'string') return () => true;
  return (_, path) => path.some((name) => sealing.members.includes(name));
}

/** Returns the JSON text of an encrypted column, or of its member, with the current key. */
export function reencrypt(cipher: FieldCipher, { member }: Encrypted, { musercode, context }: SealedIn, json: string): string {
  return changeTexts(json, (text, path) =>
    text === '' || (member !== undefined && path.at(-1) !== member) ? text : cipher.reencrypt(musercode, context, text),
  );
}

/** Returns the JSON text of copies of rows with the current key. */
export function resealCopies(cipher: FieldCipher, musercode: string, json: string): string {
  return changeTexts(json, (text, path, row) => {
    const member = path.at(-1) ?? '';
    const context = COPIED_MEMBERS[member];
    if (context !== undefined && text !== '') return cipher.reencrypt(musercode, context, text);
    if (member === 'idnohash' || member === 'scanhash')
      return cipher.isCurrent(text)
        ? text
        : cipher.wrapIndex(musercode, member === 'idnohash' ? 'cuser.idno' : 'cuser.scan', text);
    if (member === 'phonehash' && typeof row.phonesealed === 'string' && row.phonesealed !== '')
      return cipher.blindIndex(musercode, 'cuser.phone', cipher.decrypt(musercode, 'cuser.phone', row.phonesealed));
    return looksSealed(text) ? cipher.texts.reseal(text) : text;
  });
}

import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** The code in the parents' link of one child. It names the child to the server and tells nobody else anything. */
export const childCodeOf = (cipher: FieldCipher, musercode: string, cuserid: string): string =>
  cipher.blindIndex(musercode, 'guardian.link', cuserid);

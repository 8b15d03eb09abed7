import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** The code in the parents' link of one child. It names the child to the server and tells nobody else anything. */
export const childCodeOf = (cipher: FieldCipher, musercode: string, cuserid: string): string =>
  cipher.blindIndex(musercode, 'guardian.link', cuserid);

/** Whether a link has the code of this child. Links from before a rotation of the key stay valid until the old key is removed. */
export const isChildCode = (cipher: FieldCipher, child: { musercode: string; cuserid: string }, code: string): boolean =>
  cipher.blindIndexes(child.musercode, 'guardian.link', child.cuserid).includes(code);

/**
 * Codes people type from a slip of paper: eight characters of Crockford's base32, which has no I, L, O and U. What is read as one of
 * these is taken for the character it looks like; blanks and dashes are left out.
 */
export const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const codeLength = 8;

/** The code a person meant, or undefined when it cannot be one. */
export function readAssessCode(typed: string): string | undefined {
  const code = typed.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0');
  return code.length === codeLength && [...code].every((text) => codeAlphabet.includes(text)) ? code : undefined;
}

/** A code from eight random bytes: 32 divides 256, so every character is as likely as any other. */
export const codeFrom = (bytes: Uint8Array): string =>
  [...bytes.subarray(0, codeLength)].map((byte) => codeAlphabet[byte % 32]).join('');

/** As it is printed: two groups of four. */
export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

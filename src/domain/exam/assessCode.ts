/**
 * Assessment codes, which people type from a slip of paper: eight characters of Crockford's base32, which has no I, L, O and U.
 * The parser reads I and L as 1, and O as 0. It ignores blanks and dashes.
 */
export const assessCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const assessCodeLength = 8;

/** The code of a typed text, or undefined when the text is no code. */
export function parseAssessCode(typed: string): string | undefined {
  const code = typed.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0');
  return code.length === assessCodeLength && [...code].every((character) => assessCodeAlphabet.includes(character))
    ? code
    : undefined;
}

/** A code from eight random bytes. 32 divides 256, so all characters are equally likely. */
export const assessCodeFromBytes = (bytes: Uint8Array): string =>
  [...bytes.subarray(0, assessCodeLength)].map((byte) => assessCodeAlphabet[byte % 32]).join('');

/** The code as it is printed: two groups of four. */
export const formatAssessCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

import { isTagOf, type FieldCipher } from '#server/security/fieldCipher.ts';

/** The code below the QR code of a printed report: its number, its version and ten signs that only this server can make. */

/** Signs that are not mistaken for each other (Crockford). */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TAG_LENGTH = 10;

/** The tags of all keys, the current one first: paper lives longer than a key. */
const tagsOf = (cipher: FieldCipher, reportcode: string, version: number): string[] =>
  cipher.hmacs('report-verify', `${reportcode} ${version}`).map((hash) => {
    const bytes = Buffer.from(hash, 'base64url');
    return Array.from(bytes.subarray(0, TAG_LENGTH), (byte) => SIGNS[byte % SIGNS.length]).join('');
  });

/** Returns the code of a printed version of a report. */
export const toVerifyCode = (cipher: FieldCipher, reportcode: string, version: number): string =>
  `${reportcode}-${version}-${tagsOf(cipher, reportcode, version)[0] as string}`;

/** Returns the address that checks a code. */
export const verifyLink = (publicUrl: string, code: string): string => `${publicUrl}/c/v/${code}`;

/** Whether the number of a report is one of a group report. */
export const isTeamReportCode = (reportcode: string): boolean => reportcode.startsWith('TR');

/** Returns the report and version of a code; undefined when this server has not made it. */
export function parseVerifyCode(cipher: FieldCipher, code: string): { reportcode: string; version: number } | undefined {
  const [, reportcode = '', version = '', tag = ''] =
    /^(R\d{10,18}|TR\d{8,16})-(\d{1,6})-([0-9A-Z]{10})$/.exec(code.trim().toUpperCase()) ?? [];
  return tag !== '' && isTagOf(tag, tagsOf(cipher, reportcode, Number(version)))
    ? { reportcode, version: Number(version) }
    : undefined;
}

import { timingSafeEqual } from 'node:crypto';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** The code below the QR code of a printed report: its number, its version and ten signs that only this server can make. */

/** Signs that are not mistaken for each other (Crockford). */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TAG_LENGTH = 10;

function tagOf(cipher: FieldCipher, reportcode: string, version: number): string {
  const bytes = Buffer.from(cipher.hmac('report-verify', `${reportcode} ${version}`), 'base64url');
  return Array.from(bytes.subarray(0, TAG_LENGTH), (byte) => SIGNS[byte % SIGNS.length]).join('');
}

/** Returns the code of a printed version of a report. */
export const toVerifyCode = (cipher: FieldCipher, reportcode: string, version: number): string =>
  `${reportcode}-${version}-${tagOf(cipher, reportcode, version)}`;

/** Returns the address that checks a code. */
export const verifyLink = (publicUrl: string, code: string): string => `${publicUrl}/c/v/${code}`;

/** Whether the number of a report is one of a group report. */
export const isTeamReportCode = (reportcode: string): boolean => reportcode.startsWith('TR');

/** Returns the report and version of a code; undefined when this server has not made it. */
export function parseVerifyCode(cipher: FieldCipher, code: string): { reportcode: string; version: number } | undefined {
  const [, reportcode = '', version = '', tag = ''] =
    /^(R\d{10,18}|TR\d{8,16})-(\d{1,6})-([0-9A-Z]{10})$/.exec(code.trim().toUpperCase()) ?? [];
  const expected = tagOf(cipher, reportcode, Number(version));
  return tag !== '' && timingSafeEqual(Buffer.from(tag), Buffer.from(expected))
    ? { reportcode, version: Number(version) }
    : undefined;
}

import { timingSafeEqual } from 'node:crypto';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** The file behind a link: its key in the store, and the name and type it is handed out with. */
export interface LinkedFile {
  key: string;
  filename: string;
  mime: string;
}

/** Where the links of `signFile` are answered (fileRoute.ts). */
export const filePath = '/files';

/**
 * An address under which a browser fetches one file without a session: the file's key, name, type and last second, with an HMAC
 * over them. Nothing of it can be changed or carried over to another file.
 * @param until when it ends; undefined for public files, whose links last as long as the file
 */
export function signFile(vault: FieldCipher, { key, filename, mime }: LinkedFile, until: Date | undefined): string {
  const facts = Buffer.from(JSON.stringify([key, filename, mime, until ? Math.ceil(until.getTime() / 1000) : 0])).toString(
    'base64url',
  );
  return `${filePath}?k=${facts}.${vault.hmac('file-link', facts)}`;
}

/** The file of a link's `k`, or undefined when it is altered, over, or no link at all. */
export function verifyLink(vault: FieldCipher, k: string, now: Date): (LinkedFile & { lasting: boolean }) | undefined {
  const [facts = '', tag = ''] = k.split('.');
  const right = Buffer.from(vault.hmac('file-link', facts));
  const given = Buffer.from(tag);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const [key, filename, mime, until] = JSON.parse(Buffer.from(facts, 'base64url').toString()) as [string, string, string, number];
  if (until !== 0 && until * 1000 < now.getTime()) return undefined;
  return { key, filename, mime, lasting: until === 0 };
}

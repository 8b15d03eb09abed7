import { isTagOf, type FieldCipher } from '#server/security/fieldCipher.ts';

/** The file of a link: its key in the store, its file name and its type. */
export interface LinkedFile {
  key: string;
  filename: string;
  mime: string;
}

/** The path of the links of `signFile`; fileRoute.ts answers them. */
export const filePath = '/files';

/**
 * Returns an address for one file that needs no session: the file's key, name, type and expiry, with an HMAC over them.
 * A caller cannot change any part of it.
 * @param until the expiry; undefined for public files, whose links never expire
 */
export function signFile(cipher: FieldCipher, { key, filename, mime }: LinkedFile, until: Date | undefined): string {
  const facts = Buffer.from(JSON.stringify([key, filename, mime, until ? Math.ceil(until.getTime() / 1000) : 0])).toString(
    'base64url',
  );
  return `${filePath}?k=${facts}.${cipher.hmac('file-link', facts)}`;
}

/** Returns the file of a link's `k`; undefined when the link was altered, has expired, or is malformed. */
export function verifyLink(cipher: FieldCipher, k: string, now: Date): (LinkedFile & { lasting: boolean }) | undefined {
  const [facts = '', tag = '', ...more] = k.split('.');
  if (more.length > 0) return undefined;
  if (!isTagOf(tag, cipher.hmacs('file-link', facts))) return undefined;
  const [key, filename, mime, until] = JSON.parse(Buffer.from(facts, 'base64url').toString()) as [string, string, string, number];
  if (until !== 0 && until * 1000 < now.getTime()) return undefined;
  return { key, filename, mime, lasting: until === 0 };
}

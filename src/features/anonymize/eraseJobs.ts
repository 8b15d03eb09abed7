import { gunzipSync } from 'node:zlib';
import type { Scope } from '#server/db/scope.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import * as queries from '#features/anonymize/anonymize.queries.ts';

/** Whether a text contains one of the words. */
const hasWord = (text: string, words: readonly string[]): boolean => words.some((word) => text.includes(word));

/**
 * Erases what the exports and imports of an institution store about a person: filters with the name, staged rows, error texts and the
 * data of an undo, which would bring the old values back. A namesake's export or undo ends too; staff then start it again.
 */
export async function eraseJobs(
  { scope, cipher, now }: { scope: Scope; cipher: FieldCipher; now: Date },
  musercode: string,
  words: readonly string[],
): Promise<void> {
  const open = (kind: string, text: unknown): string => {
    if (typeof text !== 'string') return '';
    const opened = cipher.decrypt(musercode, 'job.body', text);
    return kind === 'export' ? opened : gunzipSync(Buffer.from(opened, 'base64')).toString('utf8');
  };
  for (const { jobid, kind, title, request, result } of await queries.findJobs(scope, musercode)) {
    const { body, ...filters } = request as Record<string, unknown>;
    const { undo, ...counts } = (result ?? {}) as Record<string, unknown>;
    const texts = [title, JSON.stringify(filters), JSON.stringify(counts), open(kind, body), open(kind, undo)];
    if (texts.some((text) => hasWord(text, words))) await queries.eraseJob(scope, jobid, now);
  }
}

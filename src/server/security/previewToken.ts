import { isTagOf, type FieldCipher } from '#server/security/fieldCipher.ts';

/** The form version that a preview shows, with the item texts of an institution. */
export interface PreviewedForm {
  formcode: string;
  /** a published version, or `draft` */
  version: string;
  musercode: string;
}

const PURPOSE = 'form-preview';

/** Returns a token for one form version: its names and the expiry, with an HMAC over them. Nobody without the key makes another one. */
export function signPreview(cipher: FieldCipher, { formcode, version, musercode }: PreviewedForm, until: Date): string {
  const facts = [formcode, version, musercode, Math.floor(until.getTime() / 1000)];
  const text = Buffer.from(JSON.stringify(facts)).toString('base64url');
  return `${text}.${cipher.hmac(PURPOSE, text)}`;
}

/** Returns the form version of a token; undefined when the token was altered or has expired. */
export function readPreviewToken(cipher: FieldCipher, token: string, now: Date): PreviewedForm | undefined {
  const [text = '', tag = '', ...more] = token.split('.');
  if (more.length > 0) return undefined;
  if (!isTagOf(tag, cipher.hmacs(PURPOSE, text))) return undefined;
  const facts = JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, string, string, number];
  const [formcode, version, musercode, until] = facts;
  return until * 1000 < now.getTime() ? undefined : { formcode, version, musercode };
}

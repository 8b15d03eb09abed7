import type { FieldCipher } from '#server/security/fieldCipher.ts';
import { CODE_PURPOSE, codeText } from '#features/consent/guardian/guardianCode.ts';

/** A column whose values a feature encrypts with `FieldCipher`. The expressions are SQL of its table, `t`. */
export interface Encrypted {
  /** what the value is bound to */
  readonly context: string;
  /** the institution whose key encrypts; by default that of the row */
  readonly musercode?: string;
  /** the value stands under this member of a JSON value, at any depth */
  readonly member?: string;
  /** a column with a hash of the same value, made anew with it */
  readonly hash?: {
    readonly column: string;
    readonly of: (cipher: FieldCipher, row: { musercode: string; cuserid: string; text: string }) => string;
  };
}

const telephone: Encrypted = {
  context: `'cuser.phone'`,
  hash: { column: 'phonehash', of: (cipher, { musercode, text }) => cipher.blindIndex(musercode, 'cuser.phone', text) },
};

/** The encrypted columns of every table. `rotation.test.ts` compares the list with the names of all columns. */
export const ENCRYPTED_COLUMNS: Readonly<Record<string, Readonly<Record<string, Encrypted>>>> = {
  cuser: { phonesealed: telephone, idnosealed: { context: `'cuser.idno'` } },
  guardian: { phonesealed: telephone },
  guardianconsent: {
    codesealed: {
      context: `'guardian.code'`,
      hash: { column: 'codehash', of: (cipher, { cuserid, text }) => cipher.storedHash(CODE_PURPOSE, codeText(cuserid, text)) },
    },
  },
  safetyplan: { helpers: { context: `'safetyplan.phone'`, member: 'phonesealed' } },
  casetransfer: { personsealed: { context: `'casetransfer.person'`, musercode: 't.receivercode' } },
  consult: { answers: { context: `'consult.answers'` }, summary: { context: `'consult.summary'` } },
  consultlog: { content: { context: `'consultlog.content'` } },
  consultnote: { note: { context: `'consultnote.note'` } },
  noticechannel: { secretsealed: { context: `'noticechannel.' || t.channel` } },
  webhook: { secretsealed: { context: `'webhook.secret'` }, oldsecretsealed: { context: `'webhook.secret'` } },
  orders: { receiverphone: { context: `'order:' || t.orderno` } },
  job: { request: { context: `'job.body'`, member: 'body' }, result: { context: `'job.body'`, member: 'undo' } },
  'auth.filekey': { sealed: { context: `'filekey.sealed'`, musercode: `'files'` } },
  'auth.totp': {
    sealed: {
      context: `'auth.totp.' || t.accountid`,
      musercode: '(select a.musercode from auth.account a where a.accountid = t.accountid)',
    },
  },
};

/** Blind indexes of values that are stored nowhere. A later key wraps them (`FieldCipher.wrapIndex`). */
export const WRAPPED_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cuser: { idnohash: 'cuser.idno', scanhash: 'cuser.scan' },
};

/**
 * Columns with copies of rows as they are stored. Their sealed texts and encrypted members are sealed anew in the same way as the rows,
 * so that the undo of a merge finds the rows as it left them.
 */
export const COPY_COLUMNS: Readonly<Record<string, readonly string[]>> = { cusermerge: ['changes', 'cases'] };
/** The context of the encrypted members of a copy. */
export const COPIED_MEMBERS: Readonly<Record<string, string>> = {
  phonesealed: 'cuser.phone',
  idnosealed: 'cuser.idno',
  codesealed: 'guardian.code',
};

/** Hashes of secrets that only their holders know. They end with their rows, so an earlier key stays until then. */
export const SECRET_HASHES: Readonly<Record<string, { readonly column: string; readonly live: string; readonly title: string }>> =
  {
    'auth.account': { column: 'pwdhash', live: `t.pwdhash <> ''`, title: '登录密码' },
    'auth.recovery': { column: 'codehash', live: 't.used is null', title: '恢复码' },
    'auth.screencode': { column: 'codehash', live: 't.expiretime > now()', title: '大屏配对码' },
    testlink: { column: 'secrethash', live: 't.expiretime > now() and t.usedtime is null', title: '测评链接和测评码' },
    kiosk: { column: 'secrethash', live: 't.expiretime > now() and t.revokedtime is null', title: '自助测评设备' },
  };

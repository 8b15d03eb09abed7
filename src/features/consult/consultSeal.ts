import type { ConsultAnswers } from '#features/consult/register/register.contract.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** The sealed texts of consultations, each bound to its column and institution. */
type SealedColumn = 'consult.answers' | 'consult.summary' | 'consultlog.content' | 'consultnote.note';

/** Seals a text of a consultation. `musercode` is that of the registration. An empty text stays null. */
export const sealText = (cipher: FieldCipher, musercode: string, column: SealedColumn, text: string): string | null =>
  text === '' ? null : cipher.encrypt(musercode, column, text);

/** Opens a sealed text of a consultation; '' for null. */
export const openText = (cipher: FieldCipher, musercode: string, column: SealedColumn, sealed: string | null): string =>
  sealed === null ? '' : cipher.decrypt(musercode, column, sealed);

/** Seals the answers of a form. */
export const sealAnswers = (cipher: FieldCipher, musercode: string, answers: ConsultAnswers): string =>
  cipher.encrypt(musercode, 'consult.answers', JSON.stringify(answers));

/** Opens the answers of a form; none for a registration without a form. */
export const openAnswers = (cipher: FieldCipher, musercode: string, sealed: string | null): ConsultAnswers =>
  sealed === null ? {} : (JSON.parse(cipher.decrypt(musercode, 'consult.answers', sealed)) as ConsultAnswers);

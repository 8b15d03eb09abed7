/**
 * What a receiver on the platform gets (docs/decisions/0032): who the person is and how to reach them, why the case exists, and the
 * summary that the sender wrote. No answers, scores, interviews, plans, files or log lines.
 */
export interface TransferPackage {
  username: string;
  gender: string;
  birthday: string | null;
  appid: string;
  phonenumber: string | null;
  address: string | null;
  /** without guardians who are suspected of harm */
  guardians: { name: string; relation: string; phonenumber: string | null }[];
  suspectname: string;
  selfharm: boolean;
  reason: string;
  summary: string;
}
/** The column to which the encryption is bound. */
export const PACKAGE_COLUMN = 'casetransfer.person';

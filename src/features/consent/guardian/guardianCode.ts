import { randomInt } from 'node:crypto';
import { maskPhone } from '#domain/base/mask.ts';
import { addHours } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import * as queries from '#features/consent/guardian/guardian.queries.ts';

/**
 * The code that shows that the guardian of the roster agrees. It goes to the roster's telephone, never to one that the person typed.
 * The local default of sending: staff read it in the list 监护人同意待核实 and call that telephone.
 */

/** Staff may call in the evening, so a code is valid for a day. */
const CODE_HOURS = 24;
const MAX_TRIES = 5;
const sealContext = 'guardian.code';

/** The purpose of the hash of a code, and what it covers. */
export const CODE_PURPOSE = 'guardian.code';
export const codeText = (cuserid: string, code: string): string => `${cuserid}:${code}`;

/** Makes a code for the guardian of the roster and puts it on the list; returns the masked telephone. */
export async function sendGuardianCode(
  scope: Scope,
  { cuserid, musercode, cipher, now }: { cuserid: string; musercode: string; cipher: FieldCipher; now: Date },
): Promise<{ phone: string }> {
  const consent = await queries.findGuardianConsent(scope, cuserid);
  if (!consent || consent.status !== 0) throw problems.wrongState({ why: '现在不需要监护人验证码' });
  const guardian = await queries.findRosterGuardian(scope, cuserid);
  if (!guardian?.phonesealed) throw problems.wrongState({ why: '学校名册中没有监护人电话，请联系老师' });
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  await queries.saveCode(scope, consent.guardianconsentid, {
    guardianid: guardian.guardianid,
    codesealed: cipher.encrypt(musercode, sealContext, code),
    codehash: cipher.storedHash(CODE_PURPOSE, codeText(cuserid, code)),
    now,
  });
  return { phone: maskPhone(cipher.decrypt(musercode, 'cuser.phone', guardian.phonesealed)) };
}

/** Reads a stored code aloud for staff. */
export const readGuardianCode = (cipher: FieldCipher, musercode: string, sealed: string) =>
  cipher.decrypt(musercode, sealContext, sealed);

/** Whether the code is right. After five wrong tries or a day the person needs a new one. */
export async function checkGuardianCode(
  scope: Scope,
  { cuserid, code, cipher, now }: { cuserid: string; code: string; cipher: FieldCipher; now: Date },
): Promise<'right' | 'wrong' | 'none'> {
  const consent = await queries.findGuardianConsent(scope, cuserid);
  if (!consent || consent.status !== 0 || !consent.codehash || !consent.codetime) return 'none';
  if (consent.codetries >= MAX_TRIES || now > addHours(consent.codetime, CODE_HOURS)) return 'none';
  if (cipher.storedHashes(CODE_PURPOSE, codeText(cuserid, code)).includes(consent.codehash)) return 'right';
  await queries.countWrongCode(scope, consent.guardianconsentid);
  return 'wrong';
}

import { isSameHuman } from '#domain/warning/decision/secondPerson.ts';
import { refusalToAnswer, type RequestSubject } from '#domain/warning/decision/secondRequest.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import { findAbleStaff } from '#features/warning/handover/handover.queries.ts';
import { findHumanKeys } from '#features/warning/humans.queries.ts';
import type { WarningRecord } from '#features/warning/warning.queries.ts';

/** A member of staff who may be the second person. */
export interface SecondCandidate {
  userid: string;
  realname: string;
  insname: string;
}

/**
 * The members of staff who may answer a request: able, another human than the asker, and no suspect. Those of the institution; without
 * one, the duty staff of the nearest institution above, or its other able staff.
 */
export async function findSecondPersons(
  scope: Scope,
  row: Pick<WarningRecord, 'musercode' | 'suspectuserids'>,
  facts: WarningFacts,
  subject: RequestSubject,
  asker: readonly string[],
  now: Date,
): Promise<SecondCandidate[]> {
  const suspects: string[] = [];
  for (const userid of row.suspectuserids) suspects.push(`u:${userid}`, ...(await findHumanKeys(scope, userid)));
  const candidates: (SecondCandidate & { musercode: string; isDuty: boolean })[] = [];
  for (const { userid, realname, insname, musercode, roles } of await findAbleStaff(scope, row.musercode, now)) {
    const keys = await findHumanKeys(scope, userid);
    const isRefused = refusalToAnswer(facts, subject, asker, keys) !== '' || isSameHuman(keys, suspects);
    if (!isRefused) candidates.push({ userid, realname, insname, musercode, isDuty: roles.includes('warningduty') });
  }
  const own = candidates.filter(({ musercode }) => musercode === row.musercode);
  const nearest = candidates.filter(({ musercode }) => musercode === candidates[0]?.musercode);
  const chosen = [own, nearest.filter(({ isDuty }) => isDuty), nearest].find((group) => group.length > 0) ?? [];
  return chosen.map(({ userid, realname, insname }) => ({ userid, realname, insname }));
}

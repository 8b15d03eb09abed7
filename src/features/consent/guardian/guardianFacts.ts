import { ageOn } from '#domain/base/calendar.ts';
import { guardianDuty, type GuardianFacts } from '#domain/exam/consent.ts';
import type { TeenGuardian } from '#domain/exam/consentTerms.ts';

/** A person with what the duty of the guardian depends on. */
export interface DutyPerson {
  appid: string;
  birthday: string | null;
  source: string;
  eduphase: string | null;
}

const STUDENTS = '000000002';
const UNIVERSITY = '05';
/** cuser.source of persons who entered with a code or by a scan, without a name */
const ANONYMOUS: ReadonlySet<string> = new Set(['03', '04']);

/** The facts that decide about the guardian of a person. */
export const findGuardianFacts = ({ appid, birthday, source, eduphase }: DutyPerson, now: Date): GuardianFacts => ({
  age: birthday ? ageOn(birthday, now) : null,
  isPupil: appid === STUDENTS && eduphase !== UNIVERSITY,
  isAnonymous: ANONYMOUS.has(source) && birthday === null,
});

/** Whether the guardian of a person must agree. */
export const needsConsent = (person: DutyPerson, teen: TeenGuardian, now: Date): boolean =>
  guardianDuty(findGuardianFacts(person, now), teen) === '01';

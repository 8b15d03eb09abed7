import { ageOn } from '#domain/base/calendar.ts';
import type { FormUse } from '#features/plan/formLicence.ts';

/** A person left out, with the reason the wizard shows. */
export interface Exclusion {
  cuserid: string;
  username: string;
  teamname: string;
  reason: string;
}

/** What decides whether a person can be asked. */
interface Candidate {
  cuserid: string;
  username: string;
  teamname: string;
  birthday: string | null;
  enabled: number;
}

/**
 * Separates the candidates who can be asked on a day from those who cannot, with the reasons. A questionnaire is only asked at the
 * ages it was made for (scales.md, `agemin`/`agemax`, whole years inclusive). Persons without a date of birth are included and
 * counted in `unknownage`.
 */
export function checkEligibility<Person extends Candidate>(candidates: readonly Person[], forms: readonly FormUse[], on: Date) {
  const included: Person[] = [];
  const exclusions: Exclusion[] = [];
  let unknownage = 0;
  for (const person of candidates) {
    const reason = findObstacle(person, forms, on);
    if (reason) exclusions.push({ cuserid: person.cuserid, username: person.username, teamname: person.teamname, reason });
    else {
      included.push(person);
      if (!person.birthday) unknownage++;
    }
  }
  return { included, exclusions, unknownage };
}

function findObstacle(person: Candidate, forms: readonly FormUse[], on: Date): string | undefined {
  if (person.enabled !== 1) return '受测者已停用';
  if (!person.birthday) return undefined;
  const age = ageOn(person.birthday, on);
  for (const { formname, agemin, agemax } of forms) {
    if (agemin !== null && age < agemin) return `${age} 岁，“${formname}”适用于 ${agemin} 岁及以上`;
    if (agemax !== null && age > agemax) return `${age} 岁，“${formname}”适用于 ${agemax} 岁及以下`;
  }
  return undefined;
}

import { ageOn } from '#domain/base/calendar.ts';
import type { FormUse } from '#features/plan/formLicence.ts';

/** A person who cannot take part, with the reason that the wizard shows. */
export interface Exclusion {
  cuserid: string;
  username: string;
  teamname: string;
  reason: string;
}

/** The data of a person that decide about eligibility. */
interface Candidate {
  cuserid: string;
  username: string;
  teamname: string;
  birthday: string | null;
  enabled: number;
}

/**
 * Returns the candidates who can take part on a day, and the others with the reasons. Each questionnaire has an age range
 * (scales.md, `agemin`/`agemax`, whole years inclusive). Persons without a date of birth are included and counted in `unknownage`.
 */
export function checkEligibility<Person extends Candidate>(candidates: readonly Person[], forms: readonly FormUse[], day: Date) {
  const included: Person[] = [];
  const exclusions: Exclusion[] = [];
  let unknownage = 0;
  for (const person of candidates) {
    const reason = findObstacle(person, forms, day);
    if (reason) exclusions.push({ cuserid: person.cuserid, username: person.username, teamname: person.teamname, reason });
    else {
      included.push(person);
      if (!person.birthday) unknownage++;
    }
  }
  return { included, exclusions, unknownage };
}

function findObstacle(person: Candidate, forms: readonly FormUse[], day: Date): string | undefined {
  if (person.enabled !== 1) return '受测者已停用';
  if (!person.birthday) return undefined;
  const age = ageOn(person.birthday, day);
  for (const { formname, agemin, agemax } of forms) {
    if (agemin !== null && age < agemin) return `${age} 岁，“${formname}”适用于 ${agemin} 岁及以上`;
    if (agemax !== null && age > agemax) return `${age} 岁，“${formname}”适用于 ${agemax} 岁及以下`;
  }
  return undefined;
}

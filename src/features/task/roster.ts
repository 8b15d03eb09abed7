import { ageOn } from '#domain/calendar.ts';
import type { FormUse } from '#features/plan/usable.ts';
import type { Candidate } from '#features/task/task.queries.ts';

export interface Exclusion {
  cuserid: string;
  username: string;
  teamname: string;
  reason: string;
}

type Asked = Pick<Candidate, 'cuserid' | 'username' | 'teamname' | 'birthday' | 'enabled'>;

/**
 * Who of the candidates can be asked on a day, and who cannot and why: a questionnaire is only asked at the ages it was
 * made for (scales.md, `agemin`/`agemax`, whole years inclusive). Who has no date of birth is asked; the wizard says how many.
 */
export function gate<Person extends Asked>(candidates: readonly Person[], forms: readonly FormUse[], on: Date) {
  const included: Person[] = [];
  const exclusions: Exclusion[] = [];
  let unknownage = 0;
  for (const person of candidates) {
    const reason = whyNot(person, forms, on);
    if (reason) exclusions.push({ cuserid: person.cuserid, username: person.username, teamname: person.teamname, reason });
    else {
      included.push(person);
      if (!person.birthday) unknownage++;
    }
  }
  return { included, exclusions, unknownage };
}

function whyNot(person: Asked, forms: readonly FormUse[], on: Date): string | undefined {
  if (person.enabled !== 1) return '受测者已停用';
  if (!person.birthday) return undefined;
  const age = ageOn(person.birthday, on);
  for (const { formname, agemin, agemax } of forms) {
    if (agemin !== null && age < agemin) return `${age} 岁，“${formname}”适用于 ${agemin} 岁及以上`;
    if (agemax !== null && age > agemax) return `${age} 岁，“${formname}”适用于 ${agemax} 岁及以下`;
  }
  return undefined;
}

import { sql } from 'kysely';
import { parseTeamName } from '#domain/person/grades.ts';
import type { Scope } from '#server/db/scope.ts';
import type { EntryPerson } from '#features/respond/entry/entry.queries.ts';

/**
 * The pupil with this name, class and birthday who has no number. The class may be written in any of the usual ways. Undefined unless
 * exactly one pupil matches; name, birthday and class of a record that was merged into the pupil's count, too. A pupil with a number signs
 * in with it, so that a classmate cannot use a birthday instead.
 */
export async function findPersonByClass(
  scope: Scope,
  filter: { username: string; classname: string; birthday: string },
): Promise<EntryPerson | undefined> {
  const { rows } = await sql<EntryPerson & { classes: string[] }>`
    select distinct c.cuserid, c.appid, c.username, c.gender, c.birthday,
      coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
      array_remove(array[concat(a.gradename, a.classname)] || array(
        select t.teamname
        from teamroster r
          join assessteam t on t.teamcode = r.teamcode and t.isdeleted = 0
        where r.cuserid = c.cuserid and r.status = 1) || array(
        select concat(o.gradename, o.classname)
        from cuserarchive o
        where o.cuserid = c.cuserid and o.closereason = '06' and o.isdeleted = 0), '') as classes
    from cuser b
      join cuser c on c.cuserid = coalesce(b.mergedinto, b.cuserid)
      left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
    where b.username = ${filter.username} and b.birthday = ${filter.birthday}::date and c.isdeleted = 0 and c.enabled = 1
      and coalesce(a.studentno, a.employeeno, '') = ''
    limit 20`.execute(scope.db);
  const ownClass = classKey(filter.classname);
  const matches = rows.filter(({ classes }) => classes.some((name) => classKey(name) === ownClass));
  const [person] = matches;
  if (!person || matches.length > 1) return undefined;
  const { classes: _, ...entryPerson } = person;
  return entryPerson;
}

/** A class for comparison: its grade and number, otherwise its name. */
function classKey(text: string): string {
  const { gradecode, gradename, classname } = parseTeamName(text);
  return classname ? `${gradecode || gradename}#${classname}` : text.normalize('NFKC').replace(/\s/g, '');
}

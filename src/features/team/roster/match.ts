import { isMaskedName } from '#contract/workbook/cell.ts';
import type { KnownPerson, KnownTeam, PlanOptions, Records } from '#features/team/roster/records.ts';
import { numberOf, type ImportRow } from '#features/team/roster/row.ts';

/** The person of a row, or why there is none; undefined for a new person. */
type Match =
  | { person: KnownPerson; warning?: { key: string; message: string } }
  | { key: string; why: string }
  | { warning: { key: string; message: string } }
  | undefined;

/**
 * Returns a function that matches a row to a person. Its keys in order are 受测者编号, ID number, 学号/工号/建册号, name and telephone
 * (supplement-people-statistics.md, section 6), then the name within the team, then name and birthday with a warning.
 */
export function createMatcher(records: Records, options: PlanOptions): (row: ImportRow, team: KnownTeam | undefined) => Match {
  const { kind, hashPhone, hashIdno, formatName } = options;
  const number = numberOf[kind];
  const groupPersons = (keyOf: (person: KnownPerson) => string | null, merged?: (person: KnownPerson) => readonly string[]) => {
    const groups = new Map<string, KnownPerson[]>();
    const add = (key: string | null, person: KnownPerson) => {
      if (key !== null) groups.set(key, [...(groups.get(key) ?? []), person]);
    };
    for (const person of records.persons) add(keyOf(person), person);
    // The keys of merged records come second: the key of a present record wins.
    if (merged) for (const person of records.persons) for (const key of merged(person)) add(key, person);
    return groups;
  };
  const byCuserid = groupPersons(
    (person) => person.cuserid,
    ({ merged }) => merged.codes,
  );
  const byIdno = groupPersons(
    (person) => person.idnohash,
    ({ merged }) => merged.idnos,
  );
  const byNumber = groupPersons(
    (person) => person.number,
    ({ merged }) => merged.numbers,
  );
  const byPhone = groupPersons((person) => person.phonehash && `${person.username}\0${person.phonehash}`);
  const byName = groupPersons((person) => person.username);

  /** The person of the row's certain keys. */
  const findCertain = (row: ImportRow): Match => {
    const idnohash = row.idno ? hashIdno(row.idno) : null;
    const found = [
      {
        key: 'cuserid',
        title: '受测者编号',
        text: row.cuserid,
        person: row.cuserid ? byCuserid.get(row.cuserid)?.[0] : undefined,
      },
      { key: 'idno', title: '身份证件号', text: null, person: idnohash ? byIdno.get(idnohash)?.[0] : undefined },
      { ...number, text: row.number, person: row.number ? byNumber.get(row.number)?.[0] : undefined },
    ];
    if (row.cuserid && !found[0]?.person) return { key: 'cuserid', why: `系统中没有编号为“${row.cuserid}”的人员，请核对或清空` };
    const [first, ...others] = found.flatMap(({ person, ...key }) => (person ? [{ person, ...key }] : []));
    if (!first) return undefined;
    const other = others.find(({ person }) => person.cuserid !== first.person.cuserid);
    if (other) return { key: other.key, why: `${first.title}和${other.title}在系统中属于两个人，请核对` };
    if (idnohash && first.person.idnohash && first.person.idnohash !== idnohash && !first.person.merged.idnos.includes(idnohash))
      return { key: 'idno', why: '与系统中该人员的证件号不同，请核对' };
    if (first.person.username === row.username || isMaskedName(row.username)) return { person: first.person };
    return {
      key: 'username',
      why: `系统中 ${first.text ?? '该证件号'} 是“${formatName(first.person.username)}”，与“${row.username}”不同，请核对`,
    };
  };

  return (row, team) => {
    const certain = findCertain(row);
    if (certain) return certain;
    if (isMaskedName(row.username))
      return { key: 'username', why: `姓名被遮盖，也没有编号能认出人员：请填写完整姓名、受测者编号或${number.title}` };
    // Two numbers are two pupils. A woman or an employee may get a new number.
    const isOnePerNumber = kind === 'roster' || kind === 'students';
    const idnohash = row.idno ? hashIdno(row.idno) : null;
    const canMatch = (person: KnownPerson) =>
      (!idnohash || !person.idnohash) && (!isOnePerNumber || !row.number || !person.number);
    const phoneMatches = (row.phone ? (byPhone.get(`${row.username}\0${hashPhone(row.phone)}`) ?? []) : []).filter(canMatch);
    if (phoneMatches.length === 1) return { person: phoneMatches[0] as KnownPerson };
    const namesakes = (byName.get(row.username) ?? []).filter((person) => canMatch(person) && (!row.number || !person.number));
    const members = team ? namesakes.filter((person) => team.members.includes(person.cuserid)) : [];
    if (members.length === 1) return { person: members[0] as KnownPerson };
    if (members.length > 1)
      return { key: number.key, why: `该团体已有 ${members.length} 位“${formatName(row.username)}”，请填写学号/工号以区分` };
    const birthdayMatches = row.birthday ? namesakes.filter((person) => person.birthday === row.birthday) : [];
    if (birthdayMatches.length === 1)
      return {
        person: birthdayMatches[0] as KnownPerson,
        warning: { key: 'username', message: '按姓名和出生日期认定为系统中的同一人，请核对' },
      };
    return namesakes.length > 0 && !row.number
      ? {
          warning: {
            key: 'username',
            message: `系统中已有同名人员，未填${kind === 'roster' || kind === 'students' ? '学号/工号' : number.title}，将作为新人员添加，请核对`,
          },
        }
      : undefined;
  };
}

import { composeNumber, isClassNumber } from './classNumbers.ts';
import { halfWidth, type Cell, type DeriveInput, type Derived, type RowCells } from './column.ts';
import {
  composeTeamName,
  namesOtherGrade,
  normalizeClassName,
  parseGrade,
  parseTeamName,
  phaseOfEntryAge,
  schoolYearOf,
  usualAgeOf,
} from '#domain/person/grades.ts';

/** What an import of persons adds to a sheet, and what it compares within a row. */

const birthYear = (text: string | undefined): number | undefined => {
  const year = Number(/^\D*((?:19|20)\d{2})/.exec(text ?? '')?.[1]);
  return year > 1900 ? year : undefined;
};
const entryYear = (text: string): number | undefined => {
  const year = /(?:^|\D)((?:20)?\d{2})级/.exec(text)?.[1];
  return year ? Number(year.length === 2 ? `20${year}` : year) : undefined;
};

/** The phase of pupils who entered in a year, by the middle of their ages in that year. */
function findPhase(rows: DeriveInput['rows'], entry: number) {
  const ages = rows.flatMap((row) => {
    const born = birthYear(row['birthday']);
    const same = [row['grade'], row['classname'], row['teamname']].some((text) => text && entryYear(text) === entry);
    return born && same ? [entry - born] : [];
  });
  const middle = ages.sort((a, b) => a - b)[Math.floor(ages.length / 2)];
  return middle === undefined ? undefined : phaseOfEntryAge(middle);
}

/** Returns a function that reads the grade and the class of a row from 年级, 班级 and 团体名称. */
function gradeReader({ rows, today }: Pick<DeriveInput, 'rows' | 'today'>) {
  const year = schoolYearOf(today);
  const phases = new Map<number, ReturnType<typeof findPhase>>();
  return (row: Readonly<Record<string, string>>) => {
    const entry = [row['grade'], row['classname'], row['teamname']].map((text) => entryYear(text ?? '')).find(Boolean);
    if (entry && !phases.has(entry)) phases.set(entry, findPhase(rows, entry));
    const context = { year, eduphase: entry ? phases.get(entry) : undefined };
    const own = parseTeamName(row['classname'] || row['teamname'] || '', context);
    const grade = row['grade'] ? parseGrade(row['grade'], context) : own;
    const eduphase = grade.eduphase ?? own.eduphase ?? context.eduphase;
    return {
      ...grade,
      eduphase,
      own,
      classname: row['classname'] ? normalizeClassName(row['classname'], grade.gradecode) : own.classname,
    };
  };
}

const PHASE_NAMES: Readonly<Record<string, string>> = { '01': '小学', '02': '初中', '03': '高中', '04': '中职', '05': '大学' };

/** The relation that the head of a name says: 父亲姓名. */
const relationOf = (head: string | undefined) =>
  /^(父亲|爸爸)/.test(head ?? '') ? '父亲' : /^(母亲|妈妈)/.test(head ?? '') ? '母亲' : '';
/** The relations that the heads of the guardians say, for rows with these guardians. */
const deriveRelations = ({ heads }: DeriveInput, row: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    (['guardian', 'guardian2'] as const).flatMap((member) => {
      const relation = relationOf(heads.get(`${member}name`));
      return relation && row[`${member}name`] && !row[`${member}relation`] ? [[`${member}relation`, relation]] : [];
    }),
  );

/**
 * Returns a function that makes the class number of a row unique, and the note about it, when the number of a list is a class number.
 */
function classNumberReader(key: 'cuserno' | 'studentno', { heads, rows, today }: DeriveInput) {
  const head = heads.get(key) ?? '';
  const read = gradeReader({ rows, today });
  let example = '';
  const derive = (row: Readonly<Record<string, string>>): Record<string, string> => {
    const text = row[key] ?? '';
    if (text === '' || !isClassNumber(head)) return {};
    const { gradecode, classname } = read(row);
    const number = composeNumber({ gradecode, classname: classname || (row['teamname'] ?? '') }, text, today);
    if (number !== text) example ||= `${text} 成为 ${number}`;
    return { [key]: number };
  };
  return {
    derive,
    notes: () => (example ? [`“${head}”只在班内唯一，已与班级合成学号，例如 ${example}；作答时用合成的学号`] : []),
  };
}

/** 团体名称 from 年级 and 班级, or from 班级 alone when it carries the grade. */
export function deriveTeams(input: DeriveInput): Derived {
  const read = gradeReader(input);
  const numbers = classNumberReader('cuserno', input);
  let example = '';
  const cells = input.rows.map((row) => {
    const others = { ...deriveRelations(input, row), ...numbers.derive(row) };
    if (row['teamname'] || !row['classname']) return others;
    const { gradename, classname } = read(row);
    const teamname = composeTeamName(gradename, classname);
    example ||= teamname;
    return { ...others, teamname };
  });
  if (!example) return { cells, notes: numbers.notes() };
  const source = input.heads.has('grade') ? '“年级”和“班级”' : '“班级”';
  return { cells, notes: [`没有“团体名称”，由${source}组成，例如“${example}”`, ...numbers.notes()] };
}

/** 学段 from 年级, and 年级 from 班级 when it carries the grade. */
export function derivePhases(input: DeriveInput): Derived {
  const read = gradeReader(input);
  const numbers = classNumberReader('studentno', input);
  let example = '';
  const cells = input.rows.map((row) => {
    const { gradename, eduphase } = read(row);
    const label = eduphase ? PHASE_NAMES[eduphase] : undefined;
    if (!row['eduphase'] && label && gradename) example ||= `${gradename}为${label}`;
    return {
      ...numbers.derive(row),
      ...(row['grade'] || !gradename ? {} : { grade: gradename }),
      ...(row['eduphase'] || !label ? {} : { eduphase: label }),
    };
  });
  return { cells, notes: [...(example ? [`没有“学段”，由年级得出，例如${example}`] : []), ...numbers.notes()] };
}

/** Years that a pupil may be younger or older than usual for the grade. */
const AGE_TOLERANCE = 3;

/** Warns about a birthday that does not fit the grade or the ID number, and about a class of another grade. */
export function checkPersons(rows: readonly RowCells[], today: string): void {
  const texts = rows.map(({ cells }) =>
    Object.fromEntries(Object.entries(cells).map(([key, cell]) => [key, cell.error ? '' : String(cell.value ?? '')])),
  );
  const read = gradeReader({ rows: texts, today });
  const start = Number(schoolYearOf(today).slice(0, 4));
  rows.forEach(({ cells }, index) => {
    const row = texts[index] as Record<string, string>;
    const { gradecode, gradename, classname, own } = read(row);
    const usual = usualAgeOf(gradecode);
    const born = birthYear(row['birthday']);
    if (usual !== undefined && born && Math.abs(start - born - usual) > AGE_TOLERANCE)
      warn(cells['birthday'], `按出生日期是 ${start - born} 岁，与“${gradename}”不符，请核对`);
    const day = /\*{6}(\d{4})(\d{2})(\d{2})\*{4}|^\d{6}(\d{4})(\d{2})(\d{2})\d{3}[\dX]$/i.exec(row['idno'] ?? '');
    const idBirthday = day ? `${day[1] ?? day[4]}-${day[2] ?? day[5]}-${day[3] ?? day[6]}` : '';
    if (idBirthday && row['birthday'] && row['birthday'] !== idBirthday)
      warn(cells['birthday'], `证件号中的出生日期是 ${idBirthday}，与这里不同，请核对`);
    if (row['grade'] && namesOtherGrade(own.gradecode, gradecode))
      warn(
        cells[row['classname'] ? 'classname' : 'teamname'],
        `写的是“${own.gradename}”，与年级“${gradename}”不同，请核对；未改时年级按“${gradename}”，班级按“${row['classname'] ? classname : row['teamname']}”`,
      );
  });
}

/** Adds a warning to a cell that has no error. */
export function warn(cell: Cell | undefined, message: string): void {
  if (cell && !cell.error) cell.warning ??= message;
}

/** The day of birth in an ID number of 18 digits; '' for other texts. */
function idBirthday(text: string | undefined): string {
  const day = /^\d{6}((?:19|20)\d{2})(\d{2})(\d{2})\d{3}[\dX]$/.exec(
    halfWidth(text ?? '')
      .replace(/\s/g, '')
      .toUpperCase(),
  );
  return day ? `${day[1]}-${day[2]}-${day[3]}` : '';
}
/** The birthday that the ID number says, for a row without one. */
export const deriveBirthday = (row: Readonly<Record<string, string>>): Record<string, string> =>
  !row['birthday'] && idBirthday(row['idno']) ? { birthday: idBirthday(row['idno']) } : {};
/** The gender that the ID number says, for a row without one: its 17th digit is odd for men (GB 11643-1999). */
export const deriveGender = (row: Readonly<Record<string, string>>): Record<string, string> =>
  !row['gender'] && idBirthday(row['idno'])
    ? { gender: Number(halfWidth(row['idno'] as string).replace(/\s/g, '')[16]) % 2 === 1 ? '男' : '女' }
    : {};

/** Refuses and remarks a birthday that does not fit the ages of a list or the ID number. */
export function checkBirthday(
  cells: RowCells['cells'],
  today: string,
  { usual, possible }: Record<'usual' | 'possible', readonly [number, number]>,
): void {
  const cell = cells['birthday'];
  const birthday = cell && !cell.error ? String(cell.value ?? '') : '';
  if (!cell || birthday === '') return;
  const age = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4)) - (today.slice(5) >= birthday.slice(5) ? 0 : 1);
  if (age < possible[0] || age > possible[1]) cell.error = `${birthday} 出生的人今天 ${age} 岁，请核对`;
  else if (age < usual[0] || age > usual[1]) warn(cell, `按出生日期是 ${age} 岁，请核对`);
  const inNumber = idBirthday(String(cells['idno']?.value ?? ''));
  if (inNumber && inNumber !== birthday) warn(cell, `证件号中的出生日期是 ${inNumber}，与这里不同，请核对`);
}

import type { ArchiveValue } from '#domain/person/archive.ts';
import { TeamType } from '#domain/base/enums.ts';
import { parseGrade, parseTeamName, normalizeClassName, normalizeSchoolYear } from '#domain/person/grades.ts';
import type { RowOf } from '#contract/workbook/column.ts';
import type { rosterWorksheet } from '#contract/workbook/roster.columns.ts';
import type { studentWorksheet } from '#contract/workbook/student.columns.ts';

/** The team of a row. Year and name identify a team within one institution. */
export interface TeamValues {
  teamname: string;
  teamtype: string;
  year: string;
  gradecode: string;
  gradename: string;
  classname: string;
}

/** A valid row of either worksheet of persons. The import does not change a value whose field is null or absent. */
export interface ImportRow {
  row: number;
  username: string;
  number: string | null;
  phone: string | null;
  gender: string | null;
  birthday: string | null;
  archive: Record<string, ArchiveValue>;
  team: TeamValues | null;
  /** those marked as guardian first */
  guardians: { name: string; relation: string; phone: string | null }[];
  /** account name of the responsible member of staff */
  headteacher: string | null;
}

/** Column keys of the student or staff number in the two worksheets; a remark marks this cell. */
export const numberKey = { roster: 'cuserno', students: 'studentno' } as const;

export interface RowOptions {
  appid: string;
  /** school year of a class whose row has none */
  year: string;
}

/** Removes values that the row does not have. */
const dropEmpty = (values: Record<string, ArchiveValue>): Record<string, ArchiveValue> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''));

const toFlag = (value: boolean | null) => (value === null ? null : Number(value));

type GuardianValues = Pick<
  RowOf<typeof rosterWorksheet>,
  | 'guardianname'
  | 'guardianrelation'
  | 'guardianphone'
  | 'guardianmark'
  | 'guardian2name'
  | 'guardian2relation'
  | 'guardian2phone'
  | 'guardian2mark'
>;

/** The guardians of a row: with a mark in the sheet only the marked ones come first. */
function readGuardians(values: GuardianValues): ImportRow['guardians'] {
  const members = [
    {
      name: values.guardianname,
      relation: values.guardianrelation,
      phone: values.guardianphone,
      isMarked: values.guardianmark === true,
    },
    {
      name: values.guardian2name,
      relation: values.guardian2relation,
      phone: values.guardian2phone,
      isMarked: values.guardian2mark === true,
    },
  ];
  return members
    .sort((a, b) => Number(b.isMarked) - Number(a.isMarked))
    .flatMap(({ name, relation, phone }) => (name ? [{ name, relation: toRelation(relation ?? ''), phone }] : []));
}

/** 01 father, 02 mother, 03 another guardian; 51 and 52 are the codes of GB/T 4761. */
function toRelation(text: string): string {
  if (/[祖外养继]/.test(text)) return '03';
  return /父|爸|^51/.test(text) ? '01' : /母|妈|^52/.test(text) ? '02' : '03';
}

/** Reads a valid row of the roster. When it has no grade or class, the name of the class may contain them. */
export function readRosterRow(row: number, values: RowOf<typeof rosterWorksheet>, options: RowOptions): ImportRow {
  const isStudents = options.appid === '000000002';
  const teamtype = values.teamtype ?? (isStudents ? TeamType.class : TeamType.dept);
  const isClass = teamtype === TeamType.class;
  const year = values.year ? normalizeSchoolYear(values.year) : isClass ? options.year : '';
  const ownParts = isClass && values.classname ? parseTeamName(values.classname, { year }) : undefined;
  const nameParts = ownParts?.gradecode ? ownParts : isClass ? parseTeamName(values.teamname, { year }) : undefined;
  const grade = values.grade
    ? parseGrade(values.grade, { year })
    : { gradecode: nameParts?.gradecode ?? '', gradename: nameParts?.gradename ?? '' };
  const classname = values.classname ? normalizeClassName(values.classname) : (nameParts?.classname ?? '');
  return {
    row,
    username: values.username,
    number: values.cuserno,
    phone: values.phonenumber,
    gender: values.gender,
    birthday: values.birthday,
    archive: isStudents
      ? dropEmpty({
          ...(isClass ? { gradecode: grade.gradecode, gradename: grade.gradename, classname } : {}),
          boarding: toFlag(values.boarding),
          leftbehind: toFlag(values.leftbehind),
        })
      : {},
    team: { teamname: values.teamname.trim(), teamtype, year, gradecode: grade.gradecode, gradename: grade.gradename, classname },
    guardians: readGuardians(values),
    headteacher: null,
  };
}

/** Reads a valid row of the student register. The phase and the school year turn a year of entry into a grade. */
export function readStudentRow(row: number, values: RowOf<typeof studentWorksheet>, options: RowOptions): ImportRow {
  const grade = parseGrade(values.grade, { year: options.year, eduphase: values.eduphase });
  return {
    row,
    username: values.username,
    number: values.studentno,
    phone: values.phonenumber,
    gender: values.gender,
    birthday: values.birthday,
    archive: dropEmpty({
      eduphase: values.eduphase,
      gradecode: grade.gradecode,
      gradename: grade.gradename,
      classname: normalizeClassName(values.classname),
      college: values.college,
      dorm: values.dorm,
      boarding: toFlag(values.boarding),
      leftbehind: toFlag(values.leftbehind),
      remark: values.remark,
    }),
    team: null,
    guardians: readGuardians(values),
    headteacher: values.headteacher,
  };
}

import type { ArchiveValue } from '#domain/person/archive.ts';
import { TeamType } from '#domain/base/enums.ts';
import { parseGrade, parseTeamName, normalizeClassName, normalizeSchoolYear } from '#domain/person/grades.ts';
import type { RowOf } from '#contract/workbook/column.ts';
import type { rosterWorksheet } from '#contract/workbook/roster.columns.ts';
import type { studentWorksheet } from '#contract/workbook/student.columns.ts';

/** A team as the sheet names it; teams of one institution are told apart by year and name. */
export interface TeamValues {
  teamname: string;
  teamtype: string;
  year: string;
  gradecode: string;
  gradename: string;
  classname: string;
}

/** A good row of any person sheet in one shape. `null` and absent archive fields say nothing about the person. */
export interface Incoming {
  row: number;
  username: string;
  number: string | null;
  phone: string | null;
  gender: string | null;
  birthday: string | null;
  archive: Record<string, ArchiveValue>;
  team: TeamValues | null;
  guardian: { name: string; relation: string; phone: string | null } | null;
  /** account name of the member of staff in charge */
  headteacher: string | null;
}

/** Column keys of the two sheets that stand for the same thing, for remarks at the right cell. */
export const numberKey = { roster: 'cuserno', students: 'studentno' } as const;

export interface RowOptions {
  appid: string;
  /** school year of classes whose row names none */
  year: string;
}

const said = (values: Record<string, ArchiveValue>): Record<string, ArchiveValue> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''));

/** A good row of the roster. Where it names no grade or class, the name of the class may. */
export function fromRoster(row: number, values: RowOf<typeof rosterWorksheet>, options: RowOptions): Incoming {
  const student = options.appid === '000000002';
  const teamtype = values.teamtype ?? (student ? TeamType.class : TeamType.dept);
  const isclass = teamtype === TeamType.class;
  const year = values.year ? normalizeSchoolYear(values.year) : isclass ? options.year : '';
  const named = isclass ? parseTeamName(values.teamname) : undefined;
  const grade = values.grade
    ? parseGrade(values.grade, { year })
    : { gradecode: named?.gradecode ?? '', gradename: named?.gradename ?? '' };
  const classname = values.classname ? normalizeClassName(values.classname) : (named?.classname ?? '');
  return {
    row,
    username: values.username,
    number: values.cuserno,
    phone: values.phonenumber,
    gender: values.gender,
    birthday: values.birthday,
    archive: student && isclass ? said({ gradecode: grade.gradecode, gradename: grade.gradename, classname }) : {},
    team: { teamname: values.teamname.trim(), teamtype, year, gradecode: grade.gradecode, gradename: grade.gradename, classname },
    guardian: null,
    headteacher: null,
  };
}

/** A good row of the student register. A year of entry becomes a grade by phase and school year. */
export function fromStudents(row: number, values: RowOf<typeof studentWorksheet>, options: RowOptions): Incoming {
  const grade = parseGrade(values.grade, { year: options.year, eduphase: values.eduphase });
  const relation = values.guardianrelation ?? '';
  const yes = (value: boolean | null) => (value === null ? null : Number(value));
  return {
    row,
    username: values.username,
    number: values.studentno,
    phone: values.phonenumber,
    gender: values.gender,
    birthday: values.birthday,
    archive: said({
      eduphase: values.eduphase,
      gradecode: grade.gradecode,
      gradename: grade.gradename,
      classname: normalizeClassName(values.classname),
      college: values.college,
      dorm: values.dorm,
      boarding: yes(values.boarding),
      leftbehind: yes(values.leftbehind),
      remark: values.remark,
    }),
    team: null,
    guardian: values.guardianname
      ? {
          name: values.guardianname,
          relation:
            /父|爸/.test(relation) && !/[祖外养继]/.test(relation)
              ? '01'
              : /母|妈/.test(relation) && !/[祖外养继]/.test(relation)
                ? '02'
                : '03',
          phone: values.guardianphone,
        }
      : null,
    headteacher: values.headteacher,
  };
}

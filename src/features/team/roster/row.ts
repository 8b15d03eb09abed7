import type { ArchiveValue } from '#domain/person/archive.ts';
import { Appid, Gender, TeamType } from '#domain/base/enums.ts';
import { parseGrade, parseTeamName, normalizeClassName, normalizeSchoolYear } from '#domain/person/grades.ts';
import type { adultWorksheet } from '#contract/workbook/adult.columns.ts';
import { isMaskedName } from '#contract/workbook/cell.ts';
import type { RowOf } from '#contract/workbook/column.ts';
import type { PersonKind } from '#contract/workbook/importJob.ts';
import type { maternityWorksheet } from '#contract/workbook/maternity.columns.ts';
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

/** A valid row of a worksheet of persons. The import does not change a value whose field is null or absent. */
export interface ImportRow {
  row: number;
  appid: string;
  /** 受测者编号, the first of all keys */
  cuserid: string | null;
  /** the ID number of an adult; of minors the import takes none */
  idno: string | null;
  /** covered where `isMaskedName` says so */
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
  /** what a new person needs and this row does not have, by column */
  neededForNew: { key: string; message: string }[];
}

/** The column of the number that identifies a person in each worksheet, with its title. A remark marks this cell. */
export const numberOf = {
  roster: { key: 'cuserno', title: '学号/工号' },
  students: { key: 'studentno', title: '学号' },
  maternity: { key: 'checkupno', title: '建册号' },
  adults: { key: 'employeeno', title: '工号' },
} as const satisfies Record<PersonKind, { key: string; title: string }>;

/** The archive field that keeps this number. */
export const numberField = (kind: PersonKind, appid: string): 'checkupno' | 'studentno' | 'employeeno' =>
  kind === 'maternity' ? 'checkupno' : appid === Appid.students ? 'studentno' : 'employeeno';

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
    .flatMap(({ name, relation, phone }) =>
      name && !isMaskedName(name) ? [{ name, relation: toRelation(relation ?? ''), phone }] : [],
    );
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
  const classname = values.classname ? normalizeClassName(values.classname, grade.gradecode) : (nameParts?.classname ?? '');
  return {
    row,
    appid: options.appid,
    cuserid: values.cuserid,
    idno: null,
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
    neededForNew: [],
  };
}

/** Reads a valid row of the student register. The phase and the school year turn a year of entry into a grade. */
export function readStudentRow(row: number, values: RowOf<typeof studentWorksheet>, options: RowOptions): ImportRow {
  const grade = parseGrade(values.grade, { year: options.year, eduphase: values.eduphase });
  return {
    row,
    appid: Appid.students,
    cuserid: values.cuserid,
    idno: null,
    username: values.username,
    number: values.studentno,
    phone: values.phonenumber,
    gender: values.gender,
    birthday: values.birthday,
    archive: dropEmpty({
      eduphase: values.eduphase,
      gradecode: grade.gradecode,
      gradename: grade.gradename,
      classname: normalizeClassName(values.classname, grade.gradecode),
      college: values.college,
      dorm: values.dorm,
      boarding: toFlag(values.boarding),
      leftbehind: toFlag(values.leftbehind),
      remark: values.remark,
    }),
    team: null,
    guardians: readGuardians(values),
    headteacher: values.headteacher,
    neededForNew: [],
  };
}

/** Reads a valid row of template B. The contact of an emergency is a guardian of the relation 其他. */
export function readMaternityRow(row: number, values: RowOf<typeof maternityWorksheet>): ImportRow {
  const { lmpdate, edcdate, deliverydate } = values;
  return {
    row,
    appid: Appid.maternity,
    cuserid: values.cuserid,
    idno: values.idno,
    username: values.username,
    number: values.checkupno,
    phone: values.phonenumber,
    gender: Gender.female,
    birthday: values.birthday,
    archive: dropEmpty({
      lmpdate,
      edcdate,
      deliverydate,
      deliverymode: values.deliverymode,
      gravidity: values.gravidity,
      parity: values.parity,
      highrisk: toFlag(values.highrisk),
      highrisknote: values.highrisknote,
      fetuses: values.fetuses,
      bookhospital: values.bookhospital,
      remark: values.remark,
    }),
    team: null,
    guardians: toContacts(values.guardianname, values.guardianphone),
    headteacher: null,
    neededForNew:
      lmpdate || edcdate || deliverydate ? [] : [{ key: 'lmpdate', message: '新增人员需要填写末次月经或预产期（至少一项）' }],
  };
}

const toContacts = (name: string | null, phone: string | null): ImportRow['guardians'] =>
  name && !isMaskedName(name) ? [{ name, relation: '03', phone }] : [];
const NO_DISEASE = /^(无|没有|否|未患|未发现|无慢性?病|不详|未知)$/;
/** The diseases of a cell: 高血压、糖尿病. */
const toList = (text: string | null): string[] | null => {
  const items = (text ?? '')
    .split(/[、,，;；/\s]+/)
    .map((item) => item.trim())
    .filter((item) => item !== '' && !NO_DISEASE.test(item));
  return items.length > 0 ? items : null;
};

/** Reads a valid row of template C. The check has left out what the row's population has no field for. */
export function readAdultRow(row: number, values: RowOf<typeof adultWorksheet>): ImportRow {
  return {
    row,
    appid: values.appid,
    cuserid: values.cuserid,
    idno: values.idno,
    username: values.username,
    number: values.employeeno,
    phone: values.phonenumber,
    gender: values.gender,
    birthday: values.birthday,
    archive: dropEmpty({
      unitname: values.unitname,
      deptname: values.deptname,
      post: values.post,
      jobtype: values.jobtype,
      workyears: values.workyears,
      shiftwork: toFlag(values.shiftwork),
      livewith: values.livewith,
      adl: values.adl,
      chronic: toList(values.chronic),
      caregivername: values.caregivername && isMaskedName(values.caregivername) ? null : values.caregivername,
      caregiverphone: values.caregiverphone,
      remark: values.remark,
    }),
    team: null,
    guardians: [],
    headteacher: null,
    neededForNew: [],
  };
}

/**
 * School grades in ascending order, and how schools write them. The database stores the code and sorts by it;
 * users read the name. A text that names no known grade keeps its text and has no code.
 */

export interface Grade {
  /** Phase letter and year: P primary, J junior, S senior, V vocational, U university, M postgraduate. */
  code: string;
  name: string;
  /** EduPhase; postgraduates count as university. */
  eduphase: '01' | '02' | '03' | '04' | '05';
  aliases: readonly string[];
}

const digits = ['一', '二', '三', '四', '五', '六', '七', '八', '九'] as const;
const gradesOfPhase = (
  letter: string,
  eduphase: Grade['eduphase'],
  count: number,
  name: (digit: string) => string,
  aliases: (digit: string, year: number) => string[],
): Grade[] =>
  digits
    .slice(0, count)
    .map((digit, index) => ({ code: `${letter}${index + 1}`, name: name(digit), eduphase, aliases: aliases(digit, index + 1) }));

/** All grades, youngest first. 预初 is the sixth year where primary school has five (Shanghai). */
export const grades: readonly Grade[] = [
  ...gradesOfPhase(
    'P',
    '01',
    6,
    (d) => `小学${d}年级`,
    (d, n) => [`${d}年级`, `${n}年级`, `小${d}`, `小学${n}年级`],
  ),
  { code: 'J0', name: '预初', eduphase: '02', aliases: ['预备班', '初预', '预备年级'] },
  ...gradesOfPhase(
    'J',
    '02',
    4,
    (d) => `初${d}`,
    (d, n) => [
      `初中${d}年级`,
      `初中${n}年级`,
      `初${n}`,
      `初${d}年级`,
      ...(n <= 3 ? [`${digits[n + 5]}年级`, `${n + 6}年级`] : []),
    ],
  ),
  ...gradesOfPhase(
    'S',
    '03',
    3,
    (d) => `高${d}`,
    (d, n) => [
      `高中${d}年级`,
      `高中${n}年级`,
      `高${n}`,
      `高${d}年级`,
      `${n + 9}年级`,
      `十${d === '一' ? '' : d === '二' ? '一' : '二'}年级`,
    ],
  ),
  ...gradesOfPhase(
    'V',
    '04',
    3,
    (d) => `职${d}`,
    (d, n) => [`中职${d}年级`, `中职${n}年级`, `职高${d}`, `中专${d}年级`, `职${n}`],
  ),
  ...gradesOfPhase(
    'U',
    '05',
    5,
    (d) => `大${d}`,
    (d, n) => [`大学${d}年级`, `大学${n}年级`, `本科${d}年级`, `大专${d}年级`, `大${n}`],
  ),
  ...gradesOfPhase(
    'M',
    '05',
    3,
    (d) => `研${d}`,
    (d, n) => [`研究生${d}年级`, `硕士${d}年级`, `研${n}`],
  ),
];

const byCode = new Map(grades.map((grade, order) => [grade.code, { ...grade, order }]));
/** Names and aliases, longest first, so that 小学六年级 is found before 六年级. */
const gradeNames = grades
  .flatMap((grade) => [grade.name, ...grade.aliases].map((word) => ({ word, grade })))
  .sort((a, b) => b.word.length - a.word.length);

/** The grade with this code, if there is one. */
export const gradeOf = (code: string): Grade | undefined => byCode.get(code);
/** Compares grade codes by age. Unknown codes come last, in the order of their text. */
export const compareGrades = (a: string, b: string): number =>
  (byCode.get(a)?.order ?? 99) - (byCode.get(b)?.order ?? 99) || a.localeCompare(b);

export interface ParsedGrade {
  /** '' when the text names no known grade */
  gradecode: string;
  gradename: string;
  eduphase?: Grade['eduphase'];
}

/**
 * The grade of a text as schools write it: 初二, 八年级, 8年级, 高中一年级, 2023级. A year of entry becomes a grade only
 * with the phase and the school year; otherwise the text stays as it is.
 * @param context.year school year such as 2025-2026
 * @param context.eduphase EduPhase of the pupil when known
 */
export function parseGrade(
  text: string,
  context: { year?: string | undefined; eduphase?: string | null | undefined } = {},
): ParsedGrade {
  const plain = text.normalize('NFKC').replace(/\s/g, '');
  const entryYear = /^(?:(小|小学|初|初中|高|高中|大学|中职)?)((?:20)?\d{2})[级届]$/.exec(plain);
  if (entryYear) {
    const year = entryYear[2]!.length === 2 ? `20${entryYear[2]}` : entryYear[2];
    return gradeOfEntryYear(plain, entryYear[1] ?? '', Number(year), context);
  }
  const match = gradeNames.find(({ word }) => word === plain);
  if (!match) return { gradecode: '', gradename: text.trim() };
  // Where primary school has five years, 六年级 of a junior school is its preparatory year.
  const grade = match.grade.code === 'P6' && context.eduphase === '02' ? byCode.get('J0')! : match.grade;
  return { gradecode: grade.code, gradename: grade.name, eduphase: grade.eduphase };
}

const letterByPhase: Record<string, string> = { '01': 'P', '02': 'J', '03': 'S', '04': 'V', '05': 'U' };
const phaseByPrefix: Record<string, string> = {
  小: '01',
  小学: '01',
  初: '02',
  初中: '02',
  高: '03',
  高中: '03',
  中职: '04',
  大学: '05',
};

function gradeOfEntryYear(
  text: string,
  phase: string,
  entry: number,
  { year, eduphase }: { year?: string | undefined; eduphase?: string | null | undefined },
): ParsedGrade {
  const letter = letterByPhase[phaseByPrefix[phase] ?? eduphase ?? ''];
  const start = Number(/^\d{4}/.exec(year ?? '')?.[0]);
  // 届 is the year of leaving in some places and the year of entry in others, so the parser does not guess.
  const grade = letter && start && text.endsWith('级') ? byCode.get(`${letter}${start - entry + 1}`) : undefined;
  return grade ? { gradecode: grade.code, gradename: grade.name, eduphase: grade.eduphase } : { gradecode: '', gradename: text };
}

/** What a school writes for a class carries: the grade, if it is known, and the class. Texts are empty when the text has none. */
export interface ParsedTeam extends ParsedGrade {
  classname: string;
}

const CLASS_NUMBER = /^[([【]?0*([0-9]{1,2}|[一二三四五六七八九十]{1,3})[)\]】]?班$/;
const byYearOfSchool = (year: number): Grade | undefined =>
  byCode.get(year <= 6 ? `P${year}` : year <= 9 ? `J${year - 6}` : `S${year - 9}`);
const chineseYears = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];

/**
 * The grade and class of a team name: 初二(3)班, 七(1)班, 七1班 and 701 all say both; 1班 says the class only, 2024级1班 the year of entry.
 * @param context as for `parseGrade`
 */
export function parseTeamName(
  teamname: string,
  context: { year?: string | undefined; eduphase?: string | null | undefined } = {},
): ParsedTeam {
  const plain = teamname.normalize('NFKC').replace(/\s/g, '');
  const match = gradeNames.find(({ word }) => plain.startsWith(word));
  const entry = match ? undefined : /^(?:小学?|初中?|高中?|大学|中职)?(?:20)?\d{2}级/.exec(plain)?.[0];
  const rest = plain.slice((match?.word ?? entry ?? '').length);
  const number = CLASS_NUMBER.exec(rest)?.[1];
  const classname = number ? `${number}班` : '';
  if (match) return { ...parseGrade(match.word, context), classname };
  if (entry) return { ...parseGrade(entry, context), classname };
  return classname ? { gradecode: '', gradename: '', classname } : parseShortName(plain, context);
}

/** 七(1)班 and 701: the year of school, from 1 to 12, and the class. */
function parseShortName(plain: string, context: { eduphase?: string | null | undefined }): ParsedTeam {
  const words = /^([一二三四五六七八九十]{1,2})(?:[([【]0*([0-9]{1,2})[)\]】]班?|0*([0-9]{1,2})班)$/.exec(plain);
  const digitsOnly = /^0?(\d{1,2})(0[1-9]|[1-4]\d)班?$/.exec(plain);
  const year = words ? chineseYears.indexOf(words[1] as string) + 1 : Number(digitsOnly?.[1] ?? 0);
  const number = Number(words?.[2] ?? words?.[3] ?? digitsOnly?.[2] ?? 0);
  const grade = year >= 1 && year <= 12 && number > 0 ? byYearOfSchool(year) : undefined;
  return grade
    ? { ...parseGrade(grade.name, context), classname: `${number}班` }
    : { gradecode: '', gradename: '', classname: '' };
}

/** The name of a class as schools write it: 初一 and 1班 become 初一（1）班; a class with a name keeps it: 初一火箭班. */
export function composeTeamName(gradename: string, classname: string): string {
  const number = /^(\d{1,2})班$/.exec(classname)?.[1];
  const grade = gradename.replace(/^小学(?=[一二三四五六]年级)/, '');
  return grade && number ? `${grade}（${number}）班` : `${grade}${classname}`;
}

/** The usual age on 1 September of a grade's school year; undefined for grades that people enter at any age. */
export function usualAgeOf(gradecode: string): number | undefined {
  const year = Number(gradecode.slice(1));
  const first = { P: 6, J: 12, S: 15, V: 15 }[gradecode.charAt(0)];
  return first === undefined || Number.isNaN(year) ? undefined : gradecode === 'J0' ? 11 : first + year - 1;
}

/** The phase that pupils of this age enter: 6 primary, 12 junior, 15 senior, 18 university. Undefined between two phases. */
export function phaseOfEntryAge(age: number): Grade['eduphase'] | undefined {
  if (age >= 5 && age <= 8) return '01';
  if (age >= 11 && age <= 13) return '02';
  if (age >= 14 && age <= 16) return '03';
  return age >= 17 && age <= 25 ? '05' : undefined;
}

/**
 * The class name in one spelling: （3）, 3, 03班, 3 班, 七(3)班 and 703 become 3班; names such as 火箭班 stay.
 * @param gradecode the grade that the list says beside the class. A class that names another grade keeps its name: 1144班 of 初二.
 */
export function normalizeClassName(text: string, gradecode = ''): string {
  const plain = text.normalize('NFKC').replace(/\s/g, '');
  const number = /^[([【]?0*([0-9]{1,2})[)\]】]?班?$/.exec(plain)?.[1];
  if (number) return `${number}班`;
  const own = parseTeamName(text);
  return own.classname && !namesOtherGrade(own.gradecode, gradecode) ? own.classname : plain;
}

/** Whether a class names another grade than the list says. 六年级 and 预初 are one year, and a text without a grade agrees. */
export function namesOtherGrade(own: string, gradecode: string): boolean {
  const sixth = ['P6', 'J0'];
  return own !== '' && gradecode !== '' && own !== gradecode && !(sixth.includes(own) && sixth.includes(gradecode));
}

/** The team name for comparison, in half-width signs and without blanks: 初二（3）班 becomes 初二(3)班. */
export const normalizeTeamName = (text: string): string => text.normalize('NFKC').replace(/\s/g, '');

/** The school year of a Shanghai date (`YYYY-MM-DD`). A school year begins on 1 August. */
export function schoolYearOf(date: string): string {
  const year = Number(date.slice(0, 4)) - (Number(date.slice(5, 7)) >= 8 ? 0 : 1);
  return `${year}-${year + 1}`;
}

/** The school year in one spelling: 2025, 2025-26 and 2025—2026学年 become 2025-2026; other texts stay as they are. */
export function normalizeSchoolYear(text: string): string {
  const plain = text.normalize('NFKC').replace(/\s/g, '');
  const years = /^(20\d{2})(?:[-–—~至/](?:20)?\d{2})?(?:学年度?|年)?$/.exec(plain);
  return years ? `${years[1]}-${Number(years[1]) + 1}` : text.trim();
}

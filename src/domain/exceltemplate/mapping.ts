import { gradeOf, parseGrade } from '#domain/person/grades.ts';
import { indicatorOf } from '#domain/exceltemplate/indicators.ts';

/**
 * What fills a cell: an indicator, a place and a group of persons. `rows:…` reads the place or the group of each row from a column of
 * names, and fills the column downwards.
 */
export interface Mapping {
  indicator: string;
  /** region, district:330106, school:M001, rows:school, rows:district */
  place: string;
  /** a column such as A; '' without names */
  placecolumn: string;
  /** all, grade:P1, gender:01, rows:grade */
  people: string;
  peoplecolumn: string;
}

/** Whether the mapping fills its column downwards. */
export const isDownwards = ({ place, people }: Pick<Mapping, 'place' | 'people'>): boolean =>
  place.startsWith('rows:') || people.startsWith('rows:');

/** The kind and the code of a place or a group: `school:M001` is a school with the code M001. */
export const partsOfTarget = (target: string): { kind: string; code: string } => {
  const [kind = '', code = ''] = target.split(':');
  return kind === 'rows' ? { kind: 'rows', code } : { kind, code };
};

const COLUMN = /^[A-Z]{1,3}$/;

/** A fault of a mapping at its field. */
export interface MappingFault {
  field: keyof Mapping;
  message: string;
}

/** Returns what is wrong with a mapping; undefined when nothing is. Whether places exist is the server's question. */
export function findMappingFault(mapping: Mapping): MappingFault | undefined {
  const { indicator: code, place, placecolumn, people, peoplecolumn } = mapping;
  const indicator = indicatorOf(code);
  if (!indicator) return { field: 'indicator', message: '请选择指标' };
  const [where, who] = [partsOfTarget(place), partsOfTarget(people)];
  if (!/^(?:region|(?:district|school):\w+|rows:(?:school|district))$/.test(place))
    return { field: 'place', message: '请选择范围' };
  if (!/^(?:all|(?:grade|gender):\w+|rows:grade)$/.test(people)) return { field: 'people', message: '请选择人群' };
  const group = people === 'all' ? 'all' : who.kind === 'gender' ? 'gender' : 'grade';
  if (!indicator.groups.includes(group))
    return { field: 'people', message: `“${indicator.title}”不按${group === 'gender' ? '性别' : '年级'}公布，请选择“全部”` };
  if (indicator.of === 'form' && place !== 'region') return { field: 'place', message: `“${indicator.title}”只能用于全部范围` };
  if (where.kind === 'rows' && !COLUMN.test(placecolumn)) return { field: 'placecolumn', message: '请选择名称所在的列' };
  if (who.kind === 'rows' && !COLUMN.test(peoplecolumn)) return { field: 'peoplecolumn', message: '请选择年级所在的列' };
  return undefined;
}

/** A name as rows of a form write it: without spaces, brackets in one form. */
const plainName = (text: string): string => text.normalize('NFKC').replace(/\s/g, '');
/** Shorter endings of names fit too many institutions. */
const SHORT_NAME = 4;

/**
 * Returns the item that a row names: the one of that name, else the only one whose name ends so. A form often leaves out the city
 * (晨光中学 for 云栖市晨光中学).
 */
export function findByName<T>(items: readonly T[], nameOf: (item: T) => string, text: string): T | undefined {
  const name = plainName(text);
  if (!name) return undefined;
  const equal = items.filter((item) => plainName(nameOf(item)) === name);
  if (equal.length > 0) return equal.length === 1 ? equal[0] : undefined;
  const ending = name.length >= SHORT_NAME ? items.filter((item) => plainName(nameOf(item)).endsWith(name)) : [];
  return ending.length === 1 ? ending[0] : undefined;
}

/** The code of the grade that a row names; undefined when it names none. */
export function gradeNamed(text: string): string | undefined {
  const { gradecode } = parseGrade(text);
  return gradecode || undefined;
}

/** The name of a grade. */
export const gradeName = (code: string): string => gradeOf(code)?.name ?? code;

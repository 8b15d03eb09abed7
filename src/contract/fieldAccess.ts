import { z } from 'zod';
import { maskName, maskPhone } from '#domain/base/mask.ts';
import { codeOf, codesOf, type Guard } from '#contract/menu.ts';

/**
 * Who may read which field about a person. A contract declares the rule at the field; the server applies it to every answer, filter,
 * sort key and exported column. docs/authorisation-fields.csv says for every seat what it reads.
 */

/** The caller as the rules see it. */
export interface FieldReader {
  codes: ReadonlySet<string>;
  /** data scope 5, class teachers: they learn who needs care, no result and no reason */
  ownTeamsOnly: boolean;
  /** the account that acts in this one (代登录) */
  loginasby: unknown;
  /** the groups of an API key (对接密钥) that calls */
  apikey?: { scopes: readonly string[] } | null;
}

const holds = (codes: readonly string[]) => (reader: FieldReader) =>
  !reader.ownTeamsOnly && codes.some((code) => reader.codes.has(code));
const guards = (...all: Guard[]) => holds(codesOf(all));
/** An API key reads a rule only with the group of that name: its groups are what the institution gave away. */
const inGroup = (group: string, rule: (reader: FieldReader) => boolean) => (reader: FieldReader) =>
  (!reader.apikey || reader.apikey.scopes.includes(group)) && rule(reader);
const unmasked = codeOf('person.unmasked');

const resultReaders = [
  'individual.persons',
  'individual.maternity',
  'individual.maternity1',
  'individual.students',
  'individual.workers',
  'individual.elders',
  'individual.ai',
  'archives.all',
  'archives.maternity',
  'archives.students',
  'archives.workers',
  'archives.elders',
  'report.edit',
  'exam.answers',
  'warning.crisis',
  'warning.handle',
] as const;

interface Rule {
  title: string;
  canRead: (reader: FieldReader) => boolean;
  /** the value for callers who may not read the field; without it the declared substitute, null by default */
  mask?: (value: string) => string;
}

/** The rules. A class teacher reads names of her own pupils, and neither results nor cases nor answers. */
export const fieldRules = {
  /** full names: 查看未脱敏信息, and class teachers, who know these children; others read 张** */
  names: {
    title: '姓名',
    canRead: ({ codes, ownTeamsOnly, loginasby }) => !loginasby && (ownTeamsOnly || codes.has(unmasked)),
    mask: maskName,
  },
  /** telephones: lists never show them whole; an audited reveal does */
  contacts: { title: '联系电话', canRead: () => false, mask: maskPhone },
  /** telephones and birthdays in files: 查看未脱敏信息 */
  filecontacts: { title: '联系电话', canRead: ({ codes }) => codes.has(unmasked), mask: maskPhone },
  birthdays: { title: '出生日期', canRead: ({ codes }) => codes.has(unmasked), mask: () => '' },
  /** sensitive archive fields in files: 查看未脱敏信息; others do not get the column */
  filesensitive: { title: '敏感档案信息', canRead: ({ codes }) => codes.has(unmasked) },
  /** results of screenings: screens with persons or archives, warnings, and the rights over reports and answers */
  results: { title: '测评结果', canRead: inGroup('results', guards(...resultReaders)) },
  /** numbers of results without persons: also the statistics */
  resultcounts: {
    title: '结果人数',
    canRead: guards(...resultReaders, 'statistics.school', 'statistics.hospital'),
  },
  /** levels, reasons and deadlines of crisis warnings */
  cases: { title: '预警', canRead: inGroup('cases', guards('warning.crisis', 'warning.handle')) },
  /** answers and summaries of consultations */
  consults: { title: '咨询记录', canRead: guards('care.edit') },
  /** single answers */
  answers: { title: '原始作答', canRead: guards('exam.answers') },
} as const satisfies Record<string, Rule>;
export type FieldRule = keyof typeof fieldRules;

/** Whether the caller reads the fields of a rule. The server and the console use it. */
export const canReadField = (reader: FieldReader, rule: FieldRule): boolean => (fieldRules[rule] as Rule).canRead(reader);

/** How a field of the rule is masked; undefined when it is left out instead. */
export const maskOf = (rule: FieldRule): Rule['mask'] => (fieldRules[rule] as Rule).mask;

/** Whether a column or filter of the rule is of no use to the reader. */
export const isHiddenFrom = (reader: FieldReader, rule: FieldRule | undefined): boolean =>
  rule !== undefined && !maskOf(rule) && !canReadField(reader, rule);

const declared = z.registry<{ rule: FieldRule; substitute: unknown }>();

/** A response field that only readers of `rule` get. Others get null, or the substitute if one is given. */
export function readableBy<T extends z.ZodType>(rule: FieldRule, schema: T): z.ZodNullable<T>;
/** The same with a substitute for callers who may not read the field. */
export function readableBy<T extends z.ZodType>(rule: FieldRule, schema: T, substitute: z.output<T>): T;
/** Declares the rule of a field. */
export function readableBy(rule: FieldRule, schema: z.ZodType, substitute: unknown = null): z.ZodType {
  const field = substitute === null ? schema.nullable() : schema.clone();
  declared.add(field, { rule, substitute });
  return field;
}
/** The name of a person in a list: whole or masked. */
export const personName = () => readableBy('names', z.string(), '');
/** The telephone of a person in a list: masked. */
export const personPhone = () => readableBy('contacts', z.string(), '');

/** A request field, a filter, that only readers of `rule` may use. */
export function filterBy<T extends z.ZodType>(rule: FieldRule, schema: T): T {
  const field = schema.clone();
  declared.add(field, { rule, substitute: null });
  return field;
}

/** A field of a schema: the names from the outermost object down, and its rule. Nothing below a field with a rule is listed. */
interface Place {
  path: readonly string[];
  rule?: FieldRule;
  substitute?: unknown;
}

/** An array on the way to a field. */
export const EACH = '[]';

/** Returns the fields of a schema. */
export function findPlaces(schema: z.ZodType, path: readonly string[] = []): Place[] {
  const own = declared.get(schema);
  if (own) return [{ path, ...own }];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, part]) => findPlaces(part, [...path, key]));
  if (schema instanceof z.ZodArray) return findPlaces(schema.element as z.ZodType, [...path, EACH]);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return findPlaces(schema.unwrap() as z.ZodType, path);
  return [{ path }];
}

/** The schemas of an action. */
interface Shapes {
  request: z.ZodType;
  response: z.ZodType;
}
type Guarded = Required<Place>;
const cache = new WeakMap<z.ZodType, readonly Guarded[]>();
/** Returns the fields of a schema that have a rule. */
function placesOf(schema: z.ZodType): readonly Guarded[] {
  const known = cache.get(schema);
  if (known) return known;
  const places = findPlaces(schema).filter((place): place is Guarded => place.rule !== undefined);
  cache.set(schema, places);
  return places;
}

/** The rule of a field of a list's rows, or of a filter with its name; undefined when everybody who may call reads it. */
export function ruleOf({ request, response }: Shapes, field: string): FieldRule | undefined {
  const isField = ({ path }: Place) => path.at(-1) === field;
  return (placesOf(request).find(isField) ?? placesOf(response).find(isField))?.rule;
}

/** Whether a word of a search is a whole telephone. */
const isTelephone = (word: unknown): boolean => typeof word === 'string' && /^(1\d{10}|0\d{9,11})$/.test(word.replace(/\D/g, ''));

/**
 * Returns the first filter or sort key of a request that the caller may not read: with it the order or the number of the rows would
 * tell the field. Names and telephones may be searched and sorted by, because the caller has to find a person. An API key may not search
 * by a telephone: by guessing, another system could find out the number of a person.
 */
export function findForbiddenField(action: Shapes, reader: FieldReader, request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  const { orderby, ...filters } = request as Record<string, unknown>;
  if (reader.apikey && isTelephone(filters['keyword'])) return 'keyword';
  const fields = Object.keys(filters).filter((key) => filters[key] !== undefined);
  if (typeof orderby === 'string') fields.push(orderby);
  return fields.find((field) => isHiddenFrom(reader, ruleOf(action, field)));
}

/** Replaces the fields of an answer that the caller may not read. The answer must be new: it is changed in place. */
export function concealFields(action: Shapes, reader: FieldReader, answer: unknown): unknown {
  for (const { path, rule, substitute } of placesOf(action.response)) {
    if (canReadField(reader, rule)) continue;
    const mask = maskOf(rule);
    replaceAt(answer, path, (value) => (mask && typeof value === 'string' ? mask(value) : substitute));
  }
  return answer;
}

function replaceAt(holder: unknown, [key, ...rest]: readonly string[], change: (value: unknown) => unknown): void {
  if (key === undefined || typeof holder !== 'object' || holder === null) return;
  const keys = key === EACH ? Object.keys(holder) : key in holder ? [key] : [];
  const values = holder as Record<string, unknown>;
  for (const name of keys) {
    if (rest.length === 0) values[name] = change(values[name]);
    else replaceAt(values[name], rest, change);
  }
}

/** A column of an export, declared with its action. */
export interface ExportField {
  head: string;
  rule?: FieldRule;
  kind?: 'text' | 'number';
  width?: number;
}
/** The columns of an export; the shorthand `'性别'` is a column for everybody who may export. */
export const exportFields = (...fields: readonly (string | ExportField)[]): readonly ExportField[] =>
  fields.map((field) => (typeof field === 'string' ? { head: field } : field));

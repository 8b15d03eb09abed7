/**
 * A sheet is declared once, column by column. From that one declaration come the template a school downloads, the check of what
 * it uploads (in the browser before sending and again on the server), the messages it reads and the heads of the export, so that
 * an export can always be read back.
 */

/**
 * What a cell of the column holds.
 * - `text` free text; `name` a person's name (blanks inside Chinese names are typing, not content);
 * - `code` a number that is not counted with (学号): kept as text, leading zeros matter;
 * - `date` a calendar day `YYYY-MM-DD`; `choice` one of a list; `integer` a whole number; `yesno` 是/否;
 * - `phone` a mainland mobile or a landline with area code; `idno` an 18-digit resident identity number.
 */
export type ColumnKind = 'text' | 'name' | 'code' | 'date' | 'choice' | 'integer' | 'phone' | 'idno' | 'yesno';

/** One allowed value: `value` goes to the database, `label` is what the sheet shows, `aliases` are other words people write. */
export interface Choice {
  readonly value: string | number;
  readonly label: string;
  readonly aliases?: readonly string[];
}

/** One column of a sheet. */
export interface Column {
  /** The wire's word for the value. */
  readonly key: string;
  /** The head users read, without the asterisk. */
  readonly head: string;
  readonly kind: ColumnKind;
  readonly required?: boolean;
  readonly choices?: readonly Choice[];
  /** Most characters of a text; 100 when not given. */
  readonly maxlength?: number;
  /** Exact number of digits of a code: shorter ones have lost their leading zeros and get them back. */
  readonly digits?: number;
  /** Bounds of an integer, both included. */
  readonly min?: number;
  readonly max?: number;
  /** A date that cannot lie after today (birth). Needs `today` when checking. */
  readonly past?: boolean;
  readonly example?: string;
  /** Other heads under which schools keep the same column. */
  readonly aliases?: readonly string[];
}

/** Declares one column and keeps its exact type, so that `RowOf` knows what a good row holds. */
export function column<const C extends Column>(definition: C): C {
  return definition;
}

/** A declared sheet. */
export interface WorksheetSchema<C extends readonly Column[] = readonly Column[]> {
  readonly name: string;
  readonly columns: C;
  /** Keys that together name one record: two rows agreeing on all of them are duplicates. Rows with a blank among them are let be. */
  readonly unique: ReadonlyArray<readonly string[]>;
  /** Keys whose agreement is only suspicious (same class, same name): warned of, not refused. */
  readonly alike: ReadonlyArray<readonly string[]>;
}

/**
 * Declares a sheet.
 * Throws RangeError when the declaration contradicts itself (two columns with one key or head, a choice column without choices,
 * a duplicate key that is no column), so that a slip shows at start and not at a school's first import.
 */
export function defineWorksheet<const C extends readonly Column[]>(
  columns: C,
  options: { name: string; unique?: readonly (readonly C[number]['key'][])[]; alike?: readonly (readonly C[number]['key'][])[] },
): WorksheetSchema<C> {
  const keys = new Set(columns.map((item) => item.key));
  if (keys.size !== columns.length) throw new RangeError(`sheet ${options.name}: two columns share a key`);
  if (new Set(columns.map((item) => plainHead(item.head))).size !== columns.length)
    throw new RangeError(`sheet ${options.name}: two columns share a head`);
  for (const item of columns)
    if ((item.kind === 'choice') !== (item.choices !== undefined))
      throw new RangeError(`sheet ${options.name}: ${item.head} must have choices exactly when it is a choice`);
  const keyNames = [...(options.unique ?? []), ...(options.alike ?? [])].flat();
  for (const key of keyNames) if (!keys.has(key)) throw new RangeError(`sheet ${options.name}: no column ${key}`);
  return { name: options.name, columns, unique: options.unique ?? [], alike: options.alike ?? [] };
}

type ValueOf<C> = C extends { kind: 'integer' }
  ? number
  : C extends { kind: 'yesno' }
    ? boolean
    : C extends { kind: 'choice'; choices: readonly (infer X)[] }
      ? X extends { value: infer V }
        ? V
        : never
      : string;

/** The values of a good row of sheet `S`: required columns are there, optional ones may be null. */
export type RowOf<S extends WorksheetSchema> = {
  [C in S['columns'][number] as C['key']]: C extends { required: true } ? ValueOf<C> : ValueOf<C> | null;
};

/** The heads of the sheet's export and template, required ones marked with an asterisk as schools expect. */
export function headsOf(sheet: WorksheetSchema): string[] {
  return sheet.columns.map((item) => (item.required ? `${item.head}*` : item.head));
}

/** Full-width letters, digits and signs as their half-width forms; Chinese punctuation of its own (、。) stays. */
export function halfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0)).replace(/\u3000/g, ' ');
}

/** A head stripped to what is compared: half width, lower case, no blanks, no marks of being required, no colon. */
export function plainHead(head: string): string {
  return halfWidth(head)
    .replace(/[\s\u00a0\u200b-\u200f\u2060\ufeff*★:'"]/g, '')
    .toLowerCase();
}

/** The head without a remark in brackets: 出生日期(YYYY-MM-DD) is 出生日期. */
export function headWithoutRemark(head: string): string {
  return plainHead(head).replace(/[([【{〔].*$/, '');
}

/** What to fill in, in one sentence: the template's explanation of the column. */
export function explainColumn(column: Column): string {
  const must = column.required ? '必填。' : '选填。';
  const how: Record<ColumnKind, string> = {
    text: `不超过 ${column.maxlength ?? 100} 个字`,
    name: `姓名，不超过 ${column.maxlength ?? 100} 个字`,
    code: column.digits ? `${column.digits} 位数字，保留开头的 0` : '按原样填写，保留开头的 0',
    date: '日期，如 2010-03-05',
    choice: `填写其中一个：${(column.choices ?? []).map((choice) => choice.label).join('、')}`,
    integer: `整数${column.min !== undefined ? `，不小于 ${column.min}` : ''}${column.max !== undefined ? `，不大于 ${column.max}` : ''}`,
    phone: '11 位手机号，或带区号的固定电话',
    idno: '18 位居民身份证号',
    yesno: '填写 是 或 否',
  };
  return must + how[column.kind] + '。';
}

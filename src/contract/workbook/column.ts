/**
 * The declaration of an import sheet, column by column. The template, the check in the browser and on the server, the messages
 * and the heads of the export all come from it. So every export can be imported again.
 */

/**
 * The kind of the cells of a column.
 * - `text` free text; `name` a person's name (the import removes blanks inside Chinese names);
 * - `code` a number stored as text (学号), with its leading zeros;
 * - `date` a calendar day `YYYY-MM-DD`; `choice` one of a list; `integer` a whole number; `yesno` 是/否;
 * - `phone` a mainland mobile or a landline with area code; `idno` an 18-digit resident identity number.
 */
export type ColumnKind = 'text' | 'name' | 'code' | 'date' | 'choice' | 'integer' | 'phone' | 'idno' | 'yesno';

/** One allowed value: the database stores `value`, the sheet shows `label`, and `aliases` are other accepted words. */
export interface Choice {
  readonly value: string | number;
  readonly label: string;
  readonly aliases?: readonly string[];
}

/** One column of a sheet. */
export interface Column {
  /** The field name of the wire. */
  readonly key: string;
  /** The head in the sheet, without the asterisk. */
  readonly head: string;
  readonly kind: ColumnKind;
  readonly required?: boolean;
  readonly choices?: readonly Choice[];
  /** The most characters of a text; default 100. */
  readonly maxlength?: number;
  /** Exact number of digits of a code. The import restores the leading zeros of shorter ones. */
  readonly digits?: number;
  /** Bounds of an integer, both included. */
  readonly min?: number;
  readonly max?: number;
  /** A date that cannot be after today (birth). The check needs `today`. */
  readonly past?: boolean;
  readonly example?: string;
  /** Other heads that schools use for the same column. */
  readonly aliases?: readonly string[];
  /** Heads whose cells hold codes or words of another register, with the word of this column for each of them. */
  readonly codes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The import reads the column, and the template does not have it. A wrong cell is left out and does not stop the row. */
  readonly isExtra?: boolean;
  /** The column only checks other cells; the import does not take it. */
  readonly isCheckOnly?: boolean;
}

/** The value of a cell; null is an empty cell. */
export type CellValue = string | number | boolean | null;

/** A checked cell. `error` excludes the row; `warning` needs a review; `fixed` describes an automatic correction. */
export interface Cell {
  raw: string;
  value: CellValue;
  error?: string;
  warning?: string;
  fixed?: string;
  /** The text follows from other cells, or from the team of the import. */
  isDerived?: true;
  /** Excel may have rounded the digits; the other cells of the column decide. */
  doubtful?: true;
  /** The text is covered (`张**`, `138****0000`): the import leaves the value in the system as it is. */
  isMasked?: true;
}

/** The cells of one row, for checks across its columns. */
export interface RowCells {
  row: number;
  cells: Readonly<Record<string, Cell>>;
}
/** The texts of a table by row and key, for cells that follow from others. */
export interface DeriveInput {
  rows: readonly Readonly<Record<string, string>>[];
  /** the heads in the file by key; a column that the file lacks has none */
  heads: ReadonlyMap<string, string>;
  /** `YYYY-MM-DD` in Asia/Shanghai */
  today: string;
}
/** Texts for empty cells by row and key, and what users read about them. */
export interface Derived {
  cells: readonly Readonly<Record<string, string>>[];
  notes: readonly string[];
}

/** Declares one column with its exact type, so that `RowOf` can derive the type of a good row. */
export function column<const C extends Column>(definition: C): C {
  return definition;
}

/** A declared sheet. */
export interface WorksheetSchema<C extends readonly Column[] = readonly Column[]> {
  readonly name: string;
  readonly columns: C;
  /** Sets of keys that identify one record: rows with the same values are duplicates. Rows with an empty key do not count. */
  readonly unique: ReadonlyArray<readonly string[]>;
  /** Sets of keys whose equal values only give a warning (same class, same name). */
  readonly alike: ReadonlyArray<readonly string[]>;
  /** Fills empty cells from others. */
  readonly derive?: ((input: DeriveInput) => Derived) | undefined;
  /** Adds warnings that need several cells of a row. */
  readonly check?: ((rows: readonly RowCells[], today: string) => void) | undefined;
}

/**
 * Declares a sheet. Throws RangeError for a contradiction: two columns with one key or head, a choice column without choices,
 * or a duplicate key without a column. So such an error shows at start-up and not at a school's first import.
 */
export function defineWorksheet<const C extends readonly Column[]>(
  columns: C,
  options: {
    name: string;
    unique?: readonly (readonly C[number]['key'][])[];
    alike?: readonly (readonly C[number]['key'][])[];
  } & Pick<WorksheetSchema, 'derive' | 'check'>,
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
  const { name, derive, check } = options;
  return { name, columns, unique: options.unique ?? [], alike: options.alike ?? [], derive, check };
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

/** The values of a good row of sheet `S`. Required columns have a value; optional ones may be null. */
export type RowOf<S extends WorksheetSchema> = {
  [C in S['columns'][number] as C['key']]: C extends { required: true } ? ValueOf<C> : ValueOf<C> | null;
};

/** The heads of the export and the template. Required ones have an asterisk. */
export function headsOf(sheet: WorksheetSchema): string[] {
  return templateColumnsOf(sheet).map(headOf);
}
/** The columns of the export and the template. */
export const templateColumnsOf = (sheet: WorksheetSchema): Column[] => sheet.columns.filter((item) => !item.isExtra);
/** The head of a column. A required one has an asterisk. */
export const headOf = (item: Column): string => (item.required ? `${item.head}*` : item.head);

/** The text with half-width letters, digits and signs. Chinese punctuation (、。) stays. */
export function halfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0)).replace(/\u3000/g, ' ');
}

/** The head for comparison: half width, lower case, without blanks, asterisks and colons. */
export function plainHead(head: string): string {
  return halfWidth(head)
    .replace(/[\s\u00a0\u200b-\u200f\u2060\ufeff*★:'"]/g, '')
    .toLowerCase();
}

/** The head without its remark in brackets: 出生日期(YYYY-MM-DD) becomes 出生日期. */
export function headWithoutRemark(head: string): string {
  return plainHead(head).replace(/[([【{〔].*$/, '');
}

/** The explanation of a column in the template, in Chinese. */
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

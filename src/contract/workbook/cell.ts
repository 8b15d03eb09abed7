import { parsePhone } from '#domain/base/phone.ts';
import { describeSeveralNames } from '#domain/person/names.ts';
import type { Cell, Column } from './column.ts';
import { halfWidth } from './column.ts';

type ParsedCell = Pick<Cell, 'value' | 'error' | 'warning' | 'doubtful'> & { fixed?: string | undefined };

// Invisible characters: controls, zero-width and direction marks, soft hyphen, BOM. Text copied from web pages contains them.
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffe\uffff]/g;
const BLANK = /[\s\u00a0\u3000]+/g;
const SCIENTIFIC = /^[+-]?\d(?:\.\d+)?E\+\d{1,3}$|^\d\.\d+e\d{2}$/;
const FORMULA_ERROR = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|CALC!|SPILL!|GETTING_DATA)$/i;
const TOO_WIDE = /^#{2,}$/;
const HAN = /^[\p{Script=Han}·]+(?: [\p{Script=Han}·]+)+$/u;
/** What schools write into a cell without a value. */
const PLACEHOLDER = /^(?:无|暂无|没有|不详|未知|\/+|-+|—+)$/;
const NO_PLACEHOLDERS: ReadonlySet<string> = new Set(['text', 'yesno', 'integer']);
const MASKED_NAME = /^.\*+.?$/u;
const MASKED_TEXT = /^[*＊]+$/;
const AS_TEXT = '请把该列设为“文本”格式后重新填写完整的号码';

/** Whether an export covered this name: 张**. A star after a whole name is a mark of the list. */
export const isMaskedName = (text: string): boolean => MASKED_NAME.test(text);

/** Whether an export covered the text of a cell: 张**, 138****0000, ******. */
const isMasked = (kind: Column['kind'], text: string): boolean =>
  kind === 'name' ? isMaskedName(text) : kind === 'text' ? MASKED_TEXT.test(text) : /\*{2}/.test(text);

/**
 * The checked cell of a column. Columns with past dates need `today` (`YYYY-MM-DD`).
 * It never throws and never drops content silently: `fixed` reports a correction, `error` reports an unreadable value.
 */
export function checkCell(column: Column, raw: string, today?: string): Cell {
  const { text, fixes } = normalizeCell(column, raw);
  if (text === '') {
    const fixedBlank = raw === '' ? {} : { fixed: '只有空白字符，按未填写处理' };
    return column.required
      ? { raw, value: null, error: `不能为空，请填写${column.head}`, ...fixedBlank }
      : { raw, value: null, ...fixedBlank };
  }
  if (!column.required && PLACEHOLDER.test(text) && NO_PLACEHOLDERS.has(column.kind) === false)
    return { raw, value: null, fixed: `“${text}”按未填写处理` };
  if (isMasked(column.kind, text))
    return { raw, value: column.kind === 'name' ? text : null, fixed: '内容被遮盖，系统中的内容不变', isMasked: true };
  if (FORMULA_ERROR.test(text)) return { raw, value: null, error: `是公式错误 ${text}，请改为具体内容` };
  if (TOO_WIDE.test(text)) return { raw, value: null, error: '是列宽不够时显示的 ####，请加宽该列后重新保存' };
  const read = KINDS[column.kind](text, column, today);
  if (read.fixed) fixes.push(read.fixed);
  return {
    raw,
    value: read.value,
    ...(read.error ? { error: read.error } : {}),
    ...(read.warning ? { warning: read.warning } : {}),
    ...(read.doubtful ? { doubtful: true as const } : {}),
    ...(fixes.length && !read.error ? { fixed: fixes.join('；') } : {}),
  };
}

function normalizeCell(column: Column, raw: string): { text: string; fixes: string[] } {
  const fixes: string[] = [];
  let text = raw;
  const applyFix = (next: string, message: string): void => {
    if (next !== text) fixes.push(message);
    text = next;
  };
  applyFix(text.replace(INVISIBLE, ''), '去掉了看不见的字符');
  applyFix(text.replace(/^[\s\u00a0\u3000]+|[\s\u00a0\u3000]+$/g, ''), '去掉了首尾空格');
  // Our CSV export puts ' before a text that a spreadsheet would run as a formula. Users type ' before numbers.
  applyFix(text.replace(/^'(?=[=+\-@＝＋－＠\d])/, ''), '去掉了开头的单引号');
  if (column.kind !== 'text') {
    applyFix(halfWidth(text), '全角字符转为半角');
    applyFix(text.replace(BLANK, ' '), '合并了多余的空格');
  }
  return { text, fixes };
}

const KINDS: Record<Column['kind'], (text: string, column: Column, today?: string) => ParsedCell> = {
  text: (text, column) => ({
    ...withinLength(text, column),
    ...(SCIENTIFIC.test(text) ? { warning: `${text} 像是被转成科学计数法的号码，请核对` } : {}),
  }),
  name(text, column) {
    if (SCIENTIFIC.test(text) || /^\d+(?:\.\d+)?$/.test(text))
      return { value: null, error: `“${text}”是数字，请填写${column.head}` };
    const dotted = text.replace(/[•・‧∙●．.]/gu, (c, at: number) => (/\p{Script=Han}/u.test(text[at - 1] ?? '') ? '·' : c));
    const joined = HAN.test(dotted) ? dotted.replaceAll(' ', '') : dotted;
    const fixed = joined === text ? undefined : joined.length < text.length ? '去掉了姓名中间的空格' : '统一了姓名中的间隔号';
    const doubt = describeSeveralNames(dotted);
    return { ...withinLength(joined, column), fixed, ...(doubt ? { warning: `${doubt}，一格只填一人，请核对` } : {}) };
  },
  code(text, column) {
    const number = restoreDigits(text);
    if (number.error) return number;
    let code = String(number.value).replaceAll(' ', '');
    // Excel stores 15 digits of a number and replaces the others by zeros. One or two zeros may be correct.
    const zeros = /^[1-9]\d{14}(0+)$/.exec(code)?.[1]?.length ?? 0;
    if (zeros >= 3) return { value: null, error: `第 15 位以后变成了 0，是 Excel 按数字保存造成的，${AS_TEXT}` };
    let fixed = code === text ? undefined : (number.fixed ?? '去掉了中间的空格');
    if (column.digits && /^\d+$/.test(code) && code.length < column.digits) {
      code = code.padStart(column.digits, '0');
      fixed = `补上了开头的 0，得到 ${code}`;
      return { value: code, fixed, warning: `应为 ${column.digits} 位，已补上开头的 0，请核对` };
    }
    if (column.digits && (!/^\d+$/.test(code) || code.length !== column.digits))
      return { value: null, error: `应为 ${column.digits} 位数字，现为“${text}”，请改正` };
    return {
      ...withinLength(code, column),
      fixed,
      ...(zeros ? { warning: '超过 15 位且以 0 结尾，可能是 Excel 丢失了末尾数字，请核对' } : {}),
    };
  },
  date: (text, column, today) => readDate(text, column, today),
  choice(text, column) {
    const choices = column.choices ?? [];
    const find = (normalized: string) =>
      choices.find((choice) => toComparable(choice.label) === normalized) ??
      choices.find(
        (choice) =>
          toComparable(String(choice.value)) === normalized || choice.aliases?.some((word) => toComparable(word) === normalized),
      );
    const word = withoutCode(text);
    const hit = find(toComparable(text)) ?? (word === text ? undefined : find(toComparable(word)));
    if (!hit)
      return {
        value: null,
        error: `“${truncate(text)}”不在可选范围，请填写：${choices.map((choice) => choice.label).join('、')}`,
      };
    return { value: hit.value, fixed: hit.label === text ? undefined : `“${truncate(text)}”识别为“${hit.label}”` };
  },
  integer(text, column) {
    const digits = text
      .replace(/^\+/, '')
      .replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, '')
      .replace(/\.0+$/, '')
      .replace(/(?<=\d)\s*[年岁次个胎孕产]$/, '');
    if (!/^-?\d{1,15}$/.test(digits)) return { value: null, error: `“${truncate(text)}”不是整数，请填写整数` };
    const value = Number(digits);
    if (column.min !== undefined && value < column.min) return { value: null, error: `${value} 小于 ${column.min}，请改正` };
    if (column.max !== undefined && value > column.max) return { value: null, error: `${value} 大于 ${column.max}，请改正` };
    return { value, fixed: digits === text ? undefined : `识别为 ${digits}` };
  },
  phone(text) {
    if (SCIENTIFIC.test(text)) return { value: null, error: `${text} 是科学计数法，号码已不完整，${AS_TEXT}` };
    const phone = parsePhone(text.replace(/\.0$/, ''));
    if (phone) return { value: phone, fixed: phone === text ? undefined : `识别为 ${phone}` };
    const mobile = text.replace(/[\s\-.()·‐-―]/g, '');
    if (/^1\d*$/.test(mobile) && mobile.length !== 11)
      return { value: null, error: `手机号应为 11 位，现为 ${mobile.length} 位，请改正` };
    if (/\d{7,}\D+\d{7,}/.test(text)) return { value: null, error: '有两个号码，请只填写一个' };
    return { value: null, error: `“${truncate(text)}”不是手机号，也不是带区号的固定电话，请改正` };
  },
  idno(text) {
    const number = restoreDigits(text);
    if (number.error) return number;
    const id = String(number.value).replace(/[\s-]/g, '').toUpperCase();
    const fixed = id === text ? undefined : `识别为 ${id}`;
    if (/^\d{15}$/.test(id)) return { value: null, error: '是 15 位旧证件号，请填写 18 位身份证号' };
    if (!/^\d{17}[\dX]$/.test(id)) return { value: null, error: `身份证号应为 18 位，现为 ${[...id].length} 位，请改正` };
    const born = `${id.slice(6, 10)}-${id.slice(10, 12)}-${id.slice(12, 14)}`;
    const right = isDay(born) && idnoCheck(id) === id[17];
    if (id.endsWith('000'))
      return right
        ? { value: id, fixed, warning: '以 000 结尾，可能是 Excel 丢失了末尾数字，请与证件核对', doubtful: true }
        : { value: null, error: `末尾三位变成了 000，是 Excel 按数字保存造成的，${AS_TEXT}` };
    if (!isDay(born)) return { value: null, error: `身份证号中的出生日期 ${born} 不存在，请核对` };
    if (!right) return { value: null, error: '身份证号校验不通过，可能输错了数字，请与证件核对' };
    return { value: id, fixed };
  },
  yesno(raw) {
    const text = withoutCode(raw);
    if (/^(?:是|有|对|√|✓|✔|y|yes|true|1)$/i.test(text))
      return { value: true, fixed: text === '是' ? undefined : `“${text}”识别为“是”` };
    if (/^(?:否|无|不是|没有|×|✗|✘|x|n|no|false|0)$/i.test(text))
      return { value: false, fixed: text === '否' ? undefined : `“${text}”识别为“否”` };
    return { value: null, error: `“${truncate(text)}”无法判断，请填写 是 或 否` };
  },
};

/** The check character of an 18-digit resident identity number (GB 11643-1999, ISO 7064 MOD 11-2). */
export function idnoCheck(id: string): string {
  let sum = 0;
  for (let index = 0; index < 17; index++) sum += Number(id[index]) * (2 ** (17 - index) % 11);
  return '10X98765432'[sum % 11]!;
}

/** Whether the text is a day that exists, written `YYYY-MM-DD`, between 1900 and 2100. */
export function isDay(text: string): boolean {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || year < 1900 || year > 2100 || month < 1 || month > 12) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The day of an Excel serial number of the 1900 calendar. It counts from 1899-12-30, because 60 is an invented 29 February 1900. */
export function excelDay(serial: number): string {
  return new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * 86_400_000).toISOString().slice(0, 10);
}

function readDate(text: string, column: Column, today: string | undefined): ParsedCell {
  const dated = /^(\d{4})\s*([-/.年])\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(?:[ T]+(\d{1,2}:\d{2}.*))?$/.exec(text);
  const packed = /^((?:19|20)\d{2})(\d{2})(\d{2})$/.exec(text);
  const parts = dated ? [dated[1], dated[3], dated[4]] : packed?.slice(1);
  let value: string;
  let warning: string | undefined;
  if (parts) {
    value = `${parts[0]}-${parts[1]!.padStart(2, '0')}-${parts[2]!.padStart(2, '0')}`;
    if (Number(parts[0]) < 1900) return { value: null, error: `年份是 ${parts[0]}，早于 1900 年，请核对` };
    if (!isDay(value)) return { value: null, error: `没有 ${value} 这一天，请改正` };
    if (dated?.[5] && !/^0{1,2}:00(?::00(?:\.0+)?)?$/.test(dated[5])) warning = `只取日期，时间 ${dated[5]} 未采用`;
  } else if (/^\d{4,5}(?:\.\d+)?$/.test(text) && Number(text) >= 3654 && Number(text) < 73_051) {
    value = excelDay(Number(text));
    warning = `${text} 是 Excel 的日期序号，已转换为 ${value}，请核对`;
  } else if (/^\d{4}\s*[-/.年]\s*\d{1,2}\s*月?$/.test(text))
    return { value: null, error: `“${text}”缺少日，请写成 2010-03-05 的形式` };
  else if (/^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}$/.test(text))
    return { value: null, error: `“${text}”分不清年月日，请写成 2010-03-05 的形式` };
  else return { value: null, error: `“${truncate(text)}”不是日期，请写成 2010-03-05 的形式` };
  if (column.past && today && value > today) return { value: null, error: `${value} 晚于今天，请改正` };
  return { value, fixed: value === text ? undefined : `识别为 ${value}`, ...(warning ? { warning } : {}) };
}

/** The digits of a number, if the spreadsheet stored all of them; else an error. */
function restoreDigits(text: string): ParsedCell {
  if (SCIENTIFIC.test(text)) {
    const [mantissa, power] = text.toUpperCase().split('E') as [string, string];
    const decimals = mantissa.split('.')[1] ?? '';
    if (Number(power) !== decimals.length) return { value: null, error: `${text} 是科学计数法，末尾数字已丢失，${AS_TEXT}` };
    const digits = mantissa.replace(/\D/g, '');
    if (digits.length < 16) return { value: digits, fixed: `科学计数法还原为 ${digits}` };
  }
  const whole = text.replace(/(?<=^\d+)\.0+$/, '');
  return { value: whole, fixed: whole === text ? undefined : '去掉了小数点后的 0' };
}

function withinLength(text: string, column: Column): ParsedCell {
  const most = column.maxlength ?? 100;
  const length = [...text].length;
  return length > most ? { value: null, error: `有 ${length} 个字，最多 ${most} 个，请缩短` } : { value: text };
}

/** The word after the code of a register: 1-男 becomes 男. */
const withoutCode = (text: string): string => /^\d{1,2}\s*[-—:.、]\s*(\S.*)$/.exec(text)?.[1] ?? text;

const toComparable = (text: string): string => halfWidth(text).replace(BLANK, '').toLowerCase();
const truncate = (text: string): string => ([...text].length > 20 ? `${[...text].slice(0, 20).join('')}…` : text);

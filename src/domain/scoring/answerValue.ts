/** Which values a question takes, by its input type. The server and the pages use the same rules. */

/** The limits of a question about its answer; an `Item` of a scale and a question of a page both have them. */
export interface AnswerLimits {
  input?: number | undefined;
  scored?: boolean | undefined;
  min?: number | undefined;
  max?: number | undefined;
  step?: number | undefined;
  maxlen?: number | undefined;
  pattern?: string | undefined;
  minsel?: number | undefined;
  maxsel?: number | undefined;
  excl?: readonly string[] | undefined;
}

const time = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Whether the calendar has the day. `2025-02-30` becomes another day and is therefore no day. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/** Why a value is no answer to a fill-in question, in Chinese; null for an answer. */
export function findValueFault(item: AnswerLimits, value: string | number): string | null {
  const text = String(value);
  const input = item.input ?? 0;
  if (item.maxlen !== undefined && [...text].length > item.maxlen) return `最多 ${item.maxlen} 个字`;
  if (item.scored || input === 1 || input === 2 || input === 7) return findNumberFault(item, value);
  if (input === 3 && !isDay(text)) return '请填写正确的日期，例如 2025-03-08';
  if (input === 4 && !time.test(text)) return '请填写正确的时间，例如 08:30';
  if (input === 5 && !(isDay(text.slice(0, 10)) && text.charAt(10) === ' ' && time.test(text.slice(11))))
    return '请填写正确的日期和时间，例如 2025-03-08 08:30';
  if (input === 6) return findRangeFault(text);
  if (input === 8 && !/^\d{6}$/.test(text)) return '请选择地区';
  if (item.pattern !== undefined && !new RegExp(`^(?:${item.pattern})$`, 'u').test(text)) return '填写的格式不正确';
  return null;
}

function findNumberFault({ input, min, max, step, pattern }: AnswerLimits, value: string | number): string | null {
  const text = String(value).trim();
  const number = Number(text);
  if (text === '' || !Number.isFinite(number) || (typeof value === 'string' && !/^-?\d*\.?\d+$/.test(text))) return '请填写数字';
  if (input === 1 && !Number.isInteger(number)) return '请填写整数';
  if (min !== undefined && number < min) return `请填写不小于 ${min} 的数字`;
  if (max !== undefined && number > max) return `请填写不大于 ${max} 的数字`;
  if (input === 2 && !isMultiple(number, 0.0001)) return '最多填写 4 位小数';
  if (input === 7 && !isMultiple(number - (min ?? 0), step ?? 1)) return `请从 ${min ?? 0} 起按 ${step ?? 1} 递增填写`;
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(text)) return '填写的格式不正确';
  return null;
}

const isMultiple = (value: number, step: number) => Math.abs(value / step - Math.round(value / step)) < 1e-6;

function findRangeFault(text: string): string | null {
  const [from = '', to = '', ...rest] = text.split('-');
  if (!time.test(from) || !time.test(to) || rest.length > 0) return '请填写开始和结束时间，例如 14:00-16:00';
  return from < to ? null : '结束时间应晚于开始时间';
}

/** Why a choice of several options is no answer; null for an answer. An option that excludes the others is enough alone. */
export function findChoiceFault({ minsel, maxsel, excl = [] }: AnswerLimits, chosen: readonly string[]): string | null {
  const alone = chosen.find((code) => excl.includes(code));
  if (alone !== undefined) return chosen.length === 1 ? null : '这一项不能与其他选项同时选择';
  if (minsel !== undefined && chosen.length < minsel) return `请至少选择 ${minsel} 项`;
  if (maxsel !== undefined && chosen.length > maxsel) return `最多选择 ${maxsel} 项`;
  return null;
}

/**
 * The chosen options after a tap on one of them, in the order of the form. An excluding option empties the others, and any other
 * option empties it. Beyond the most options the tap changes nothing.
 */
export function toggleOption(item: AnswerLimits, chosen: readonly string[], code: string, order: readonly string[]): string[] {
  const excl = item.excl ?? [];
  if (chosen.includes(code)) return chosen.filter((other) => other !== code);
  if (excl.includes(code)) return [code];
  const kept = chosen.filter((other) => !excl.includes(other));
  if (item.maxsel !== undefined && kept.length >= item.maxsel) return [...chosen];
  return order.filter((other) => other === code || kept.includes(other));
}

import { plainHead, type WorksheetSchema } from '#contract/workbook/column.ts';
import { findHeads, findKeyOfHead, isFilled } from '#contract/workbook/matchHeads.ts';

/** Heads of two rows: 学生信息 and 监护人信息 over 姓名, 性别, 姓名, 电话. They become one row. */

const GUARDIAN = /监护人|家长|父亲|爸爸|母亲|妈妈|成员/;
const LONGEST_GROUP = 12;

/** The word for a person in the heads of `persons.columns.ts`; '' for a group that is about the pupil. */
function findMember(group: string): string {
  const plain = plainHead(group);
  if (plain.length > LONGEST_GROUP || !GUARDIAN.test(plain)) return '';
  if (/母亲|妈妈/.test(plain)) return '母亲';
  if (/父亲|爸爸/.test(plain)) return '父亲';
  return /第?[2２二]/.test(plain) ? '成员2' : '监护人';
}

/** The head with the member of its group: 电话 below 监护人信息 is 监护人电话. */
function qualify(member: string, head: string): string {
  const plain = plainHead(head);
  if (member === '' || plain === '' || GUARDIAN.test(plain)) return head;
  if (/^(联系电话|电话|电话号码|手机|手机号|手机号码|联系方式)$/.test(plain)) return `${member}电话`;
  return /关系$/.test(plain) ? `${member}关系` : `${member}${plain}`;
}

interface HeadPair {
  heads: string[];
  /** the number of heads that the import knows */
  matchCount: number;
  example: string;
}

/** Joins two rows of heads; undefined when the lower row holds no heads. */
function joinPair(schema: WorksheetSchema, upper: readonly string[], lower: readonly string[]): HeadPair | undefined {
  let group = '';
  let example = '';
  let knownBelow = 0;
  let unknownBelow = 0;
  const first = Math.min(upper.findIndex(isFilled), lower.findIndex(isFilled));
  const heads = Array.from({ length: Math.max(upper.length, lower.length) }, (_, index) => {
    const [above = '', below = ''] = [upper[index], lower[index]];
    // A merged title begins at the first column and is no group of guardians.
    if (isFilled(above)) group = index === first ? '' : above;
    if (!isFilled(below)) return above;
    const head = qualify(findMember(group), below);
    if (findKeyOfHead(schema, head) !== null) knownBelow++;
    else unknownBelow++;
    if (head !== below) example ||= `“${group.trim()}”下的“${below.trim()}”读作“${head}”`;
    return head;
  });
  const isHead = knownBelow >= 2 && knownBelow > unknownBelow && upper.filter(isFilled).length >= 2;
  if (!isHead) return undefined;
  return {
    heads,
    matchCount: new Set(heads.map((head) => findKeyOfHead(schema, head)).filter((key) => key !== null)).size,
    example,
  };
}

/** The rows of a list whose heads stand in one row, and what users read about it. */
export function joinHeads(schema: WorksheetSchema, rows: readonly string[][]): { rows: string[][]; note?: string } {
  const at = findHeads(schema, rows);
  const pairs = [at - 1, at].flatMap((upper) => {
    const pair = rows[upper] && rows[upper + 1] && joinPair(schema, rows[upper], rows[upper + 1] as string[]);
    return pair ? [{ ...pair, lower: upper + 1 }] : [];
  });
  const [best] = pairs.sort((a, b) => b.matchCount - a.matchCount);
  if (!best || (best.example === '' && best.lower === at)) return { rows: [...rows] };
  return {
    rows: rows.with(best.lower, best.heads),
    note: `表头有两行（第 ${best.lower}、${best.lower + 1} 行），已合在一起读取${best.example ? `：${best.example}` : ''}`,
  };
}

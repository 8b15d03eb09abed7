import { toNumber, toPlain } from '#domain/scoring/exchange/cell.ts';
import type { PostStep } from '#domain/scoring/scale.ts';

/** The steps after a score as one cell: `乘1.25；取整`. */

const STEP = /^(乘以?|×|\*|加上?|\+|保留|限制|T分)[:\s]*(.{1,60})$/i;

function parseStep(text: string): PostStep | undefined {
  const plain = toPlain(text);
  if (plain === '取整' || plain === '取整数部分') return ['floor'];
  if (plain === '四舍五入' || plain === '四舍五入取整') return ['round', 0];
  const [, word = '', rest = ''] = STEP.exec(plain) ?? [];
  if (/^T分$/i.test(word)) return ['tscore', rest.trim()];
  if (word === '限制') {
    const [from, to] = rest.replace(/之间$/, '').split(/到|至|~/);
    const [low, high] = [toNumber(from ?? ''), toNumber(to ?? '')];
    return low === undefined || high === undefined ? undefined : ['clamp', low, high];
  }
  const number = toNumber(word === '保留' ? rest.replace(/位小?数?$/, '') : rest);
  if (number === undefined) return undefined;
  if (word === '保留') return ['round', number];
  return word.startsWith('加') || word === '+' ? ['add', number] : word === '' ? undefined : ['mul', number];
}

/** Reads the steps; undefined when one of them is not understood. */
export function parseSteps(text: string): PostStep[] | undefined {
  const steps = text
    .split(/[;；，]/)
    .filter((part) => part.trim() !== '')
    .map(parseStep);
  return steps.includes(undefined) ? undefined : (steps as PostStep[]);
}

/** Writes the steps. */
export const printSteps = (steps: readonly PostStep[]): string =>
  steps
    .map((step) => {
      switch (step[0]) {
        case 'mul':
          return `乘${step[1]}`;
        case 'add':
          return `加${step[1]}`;
        case 'floor':
          return '取整';
        case 'round':
          return `保留${step[1]}位`;
        case 'clamp':
          return `限制${step[1]}到${step[2]}`;
        case 'tscore':
          return `T分:${step[1]}`;
      }
    })
    .join('；');

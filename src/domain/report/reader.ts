import { parseGrade } from '#domain/person/grades.ts';
import { mergeBands } from '#domain/report/trend.ts';
import type { TrendBand } from '#domain/report/trend.ts';
import type { Level } from '#domain/scoring/scale.ts';

/** Who reads the person's own version, and the words for this reader (clinical-rules.md K). */

/** A reader of primary school gets simple words in sentences of at most `childSentenceLimit` characters. */
export interface Reader {
  isChild: boolean;
  call: '您' | '你';
}

export const childSentenceLimit = 20;

/** A person below this age reads as a pupil of primary school, also without a known grade. */
const CHILD_AGE = 12;
const ADULT_AGE = 18;
const studentApp = '000000002';

/** The reader of a report: 你 for pupils, students and everybody under 18, else 您. */
export function readerOf(
  appid: string,
  { age, gradename }: { age: number | null; gradename?: string | null | undefined },
): Reader {
  const isPrimary = parseGrade(gradename ?? '').eduphase === '01';
  const isChild = isPrimary || (age !== null && age < CHILD_AGE);
  return { isChild, call: isChild || appid === studentApp || (age !== null && age < ADULT_AGE) ? '你' : '您' };
}

const personalLabels = ['平稳', '轻度困扰', '需要关心', '希望尽快聊聊', '希望尽快聊聊'] as const;

/** The one label of a level wherever the person reads. The clinical label stays with staff. */
export const personalLabelOf = (level: Level | null): string => (level === null ? '未计分' : personalLabels[level]);

/** The bands with the person's labels; neighbours with the same label become one. */
export const personalBandsOf = (bands: readonly TrendBand[]): TrendBand[] =>
  mergeBands(bands.map((band) => ({ ...band, label: personalLabelOf(band.level) })));

const familyWords = new RegExp(
  [
    '伴侣|配偶|爱人|丈夫|妻子|老公|老婆|男友|女友|男朋友|女朋友|夫妻|丧偶',
    '家人|家属|家里人|家长|父母|父亲|母亲|爸爸|妈妈|爷爷|奶奶|子女|亲属|亲人(?!离世)|亲友|监护人|照护人|照护者(?!观察)',
    '家庭(?!暴力|医生)|亲子',
  ].join('|'),
);

/** Whether a text names a partner, a spouse, the family, the parents or another person of the home. */
export const mentionsFamily = (text: string): boolean => familyWords.test(text);

import type { Scale } from '#domain/scoring/scale.ts';

/**
 * What is published about a form beyond its scoring: its reference period, the size of a change that counts, and the age
 * group of its cut-offs. A published definition never changes, so these facts stand beside the definitions.
 */

/** RCI reliable change index and SDC smallest detectable change: measurement error. MCID: smallest change that patients notice. */
export type ChangeKind = 'RCI' | 'SDC' | 'MCID';

/** A published change value of one score. */
export interface ChangeValue {
  kind: ChangeKind;
  /** in points of the score */
  points: number;
  /** author and year, printed beside the value */
  source: string;
  /** full reference */
  reference: string;
}

export interface ScaleEvidence {
  /** source of the reference period (`recall` of the form) */
  recallsource: string;
  /** published change values by score code; a score without one has “暂无公布界值” */
  change?: Readonly<Record<string, readonly ChangeValue[]>>;
  /** the cut-offs come from studies with adults */
  hasAdultCutoffs: boolean;
}

const value = (kind: ChangeKind, points: number, source: string, reference: string): ChangeValue => ({
  kind,
  points,
  source,
  reference,
});
const adult = (recallsource: string, change?: ScaleEvidence['change']): ScaleEvidence => ({
  recallsource,
  hasAdultCutoffs: true,
  ...(change ? { change } : {}),
});
const other = (recallsource: string): ScaleEvidence => ({ recallsource, hasAdultCutoffs: false });

/** The published facts by form code. */
const evidence: Readonly<Record<string, ScaleEvidence>> = {
  PHQ9: adult('Kroenke 2001', {
    total: [value('MCID', 5, 'Löwe 2004', 'Löwe B, et al. Med Care. 2004;42(12):1194-1201.')],
  }),
  GAD7: adult('Spitzer 2006', {
    total: [
      value('MCID', 4, 'Toussaint 2020', 'Toussaint A, et al. J Affect Disord. 2020;265:395-401. doi:10.1016/j.jad.2020.01.032'),
      value('RCI', 6, 'Bischoff 2020', 'Bischoff T, et al. Psychol Community Health. 2020;8(1):176-187.'),
    ],
  }),
  PHQ4: adult('Kroenke 2009'),
  PHQ2: adult('Kroenke 2003'),
  GAD2: adult('Kroenke 2007'),
  PHQ15: adult('Kroenke 2002'),
  GDS15: adult('Sheikh 1986'),
  // Change values of the CES-D are published for other numbers of items only.
  CESD: adult('Radloff 1977'),
  K10: adult('Kessler 2002'),
  K6: adult('Kessler 2002', {
    total: [
      value(
        'SDC',
        9,
        '日本成人研究 2023',
        'Assessing the Smallest Detectable Change of the K6. Psychol Res Behav Manag. 2023;16:2647-2654. doi:10.2147/PRBM.S417446',
      ),
    ],
  }),
  ASQ: other('Horowitz 2012'),
  PCPTSD5: adult('Prins 2016'),
  // Ronk 2013 has values for the DASS-21; nobody has opened the paper yet.
  DASS21: adult('Lovibond 1995'),
  WHO5: adult('Topp 2015', {
    total: [value('MCID', 10, 'Topp 2015', 'Topp CW, et al. Psychother Psychosom. 2015;84(3):167-176. doi:10.1159/000376585')],
  }),
  PSS10: adult('Cohen 1988', {
    total: [
      value(
        'MCID',
        11,
        'Eskildsen 2015',
        'Eskildsen A, et al. Scand J Work Environ Health. 2015;41(5):486-490. doi:10.5271/sjweh.3510',
      ),
    ],
  }),
  CBI: adult('Kristensen 2005，原量表未限定天数'),
  EPDS: adult('Cox 1987', {
    total: [value('RCI', 4, 'Matthey 2004', 'Matthey S. J Affect Disord. 2004;78(3):269-272. doi:10.1016/S0165-0327(02)00313-0')],
  }),
  SDS: adult('Zung 1965'),
  SAS: adult('Zung 1971'),
  SCL90: adult('Derogatis 1973'),
  MHT: other('周步成 1991'),
  TEACHOBS: other('自编'),
  CAREOBS: other('自编'),
};

/** The published facts of a form; undefined for a form that an institution made. */
export const evidenceOf = (formcode: string): ScaleEvidence | undefined => evidence[formcode];

/** The published change values of a score; empty when none is known. */
export const changeValuesOf = (formcode: string, scorecode: string): readonly ChangeValue[] =>
  evidence[formcode]?.change?.[scorecode] ?? [];

/** The reference period of a form in words; a form without one says so. */
export const referencePeriodOf = (scale: Scale): string => scale.recall ?? '问卷未限定时间';

/** One published value and whether a change reaches it. */
export interface ChangeFinding extends ChangeValue {
  isReached: boolean;
}

/** The published values of a score, each with the answer whether a change of `absdelta` points reaches it. */
export const findingsOf = (formcode: string, scorecode: string, absdelta: number): ChangeFinding[] =>
  changeValuesOf(formcode, scorecode).map((known) => ({ ...known, isReached: absdelta >= known.points }));

const reachedWords: Readonly<Record<ChangeKind, string>> = {
  RCI: '变化超出测量误差',
  SDC: '变化超出测量误差',
  MCID: '达到有临床意义的最小变化',
};

/** The wording for one published value (clinical-rules.md G), without its source. */
export const findingWords = ({ kind, isReached }: ChangeFinding): string =>
  isReached ? reachedWords[kind] : '未达到公布的变化界值';

const noChangeValue = '暂无公布界值';

/** The wording for a change with each value's kind, points and source; “暂无公布界值” without a published value. */
export const changeText = (findings: readonly ChangeFinding[]): string =>
  findings.length === 0
    ? noChangeValue
    : findings.map((known) => `${findingWords(known)}（${known.kind} ${known.points}分，${known.source}）`).join('；');

/** The same words for the person: without kinds, points and sources, each once. */
export const plainChangeText = (findings: readonly ChangeFinding[]): string =>
  findings.length === 0 ? noChangeValue : [...new Set(findings.map(findingWords))].join('；');

/** The ages of the Chinese validation studies begin here; younger pupils have none. */
const VALIDATED_FROM_AGE = 12;
const ADULT_AGE = 18;

/**
 * The note on adult cut-offs for a person below 18, for ages 12–17 with the Chinese validation of the PHQ-9 (Tsai 2014) and the GAD-7
 * (Hong Kong 2022; clinical-rules.md K). '' when no form of the list has adult cut-offs, and for adults or an unknown age.
 */
export function cutoffNote(formcodes: readonly string[], age: number | null): string {
  if (age === null || age >= ADULT_AGE || !formcodes.some((code) => evidenceOf(code)?.hasAdultCutoffs)) return '';
  const isValidated = age >= VALIDATED_FROM_AGE && formcodes.some((code) => code === 'PHQ9' || code === 'GAD7');
  return isValidated
    ? '界值来自成人研究。PHQ-9≥15（台北中学生，Tsai 2014），GAD-7≥7（香港15–24岁，2022），以面谈为准。'
    : '界值来自成人研究，以面谈为准。';
}

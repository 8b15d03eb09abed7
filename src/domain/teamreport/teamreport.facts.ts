import type { Pairs, Screening } from '#domain/statistics/compare.ts';

/** What a group report is made of (design/reports.md 5.3). The figures come from the base sets of the statistics. */

export const scopeKinds = ['task', 'teams', 'grade', 'institution', 'period'] as const;
/** What a group report is about. */
export type ScopeKind = (typeof scopeKinds)[number];

/** A form of the scope with the cut-offs that judged it. */
export interface FormFacts {
  formcode: string;
  title: string;
  version: string;
  recall: string;
  citation: string;
  /** the bands of its main scores in words */
  bands: string[];
}

/** One indicator over the persons of the scope. */
export interface QuotaFacts {
  quotacode: string;
  /** the short title of its form */
  form: string;
  name: string;
  min: number | null;
  max: number | null;
  n: number;
  mean: number;
  /** null for one person */
  sd: number | null;
  quartiles: [number, number, number];
  /** persons by level, only levels that occur, in the words of the form */
  levels: { level: number; name: string; count: number }[];
}

/** A group of persons. The groups of a dimension add up to the whole; a class adds up to its grade. */
export interface GroupFacts {
  key: string;
  name: string;
  /** the key of the grade of a class */
  parent?: string;
  /** 应测; null where the roster does not know the group */
  total: number | null;
  valid: number;
  abnormal: number;
  /** persons at the levels 0–4; null where only 需关注 is counted */
  levels: number[] | null;
}
export interface DimensionFacts {
  key: 'gender' | 'grade' | 'stage' | 'unit' | 'post' | 'livewith';
  title: string;
  groups: GroupFacts[];
}

/** One question, with the persons who have a score of 2 or more. */
export interface ItemFacts {
  form: string;
  text: string;
  count: number;
  total: number;
}

/** Cases of the scope's persons at one level in one state. */
export interface CaseFacts {
  level: number;
  state: string;
  isopen: boolean;
  overdue: number;
  count: number;
}

/** The earlier screening of the same plan, or why there is none. */
export type EarlierFacts =
  { name: string; from: Screening; to: Screening; pairs: Pairs; fromlevels: number[] } | { name: ''; why: string };

export interface TeamReportFacts {
  kind: ScopeKind;
  /** what the report is about, in words */
  scopename: string;
  insname: string;
  sector: string;
  population: string;
  plans: string[];
  tasks: { taskname: string; begin: string; end: string }[];
  /** Asia/Shanghai, to the second */
  datatime: string;
  effort: { total: number; tested: number; complete: number; exempt: number; absent: number };
  outcome: { valid: number; abnormal: number; alert: number; levels: number[] };
  /** the institution's lowest level of 需关注 */
  cutoff: number;
  /** persons by the level of depression and of anxiety, each from 0 to 4 */
  domains: { name: string; counts: number[] }[];
  forms: FormFacts[];
  quotas: QuotaFacts[];
  dimensions: DimensionFacts[];
  earlier: EarlierFacts;
  items: ItemFacts[];
  cases: CaseFacts[];
}

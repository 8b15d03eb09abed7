/**
 * The `asds/1` scoring definition: one JSON value that defines one questionnaire completely. A version never changes.
 * It is pure data with pure functions: no clock, no database, no framework.
 */

/** A comparison with a value. A comparison with null or an absent value is false. */
export interface Cmp {
  eq?: string | number | boolean;
  ne?: string | number | boolean;
  gte?: number;
  gt?: number;
  lte?: number;
  lt?: number;
  in?: readonly (string | number)[];
}

/** Item codes: `"q1..q9"`, `"q1,q3..q5"` or `["q1","q2"]`. */
export type Of = string | readonly string[];

/** A condition as data, never code. `form` and `delta` occur only in rules over several forms. */
export type Cond =
  | { all: readonly Cond[] }
  | { any: readonly Cond[] }
  | { not: Cond }
  | ({ item: string } & Cmp)
  | ({ score: string } & Cmp)
  | ({ level: string } & Cmp)
  | ({ count: Of; where: Cmp } & Cmp)
  | ({ person: string } & Cmp)
  | { flag: string }
  | { valid: boolean }
  | ({ form: string; score: string } & Cmp)
  | ({ form: string; level: string } & Cmp)
  | ({ form: string; item: string } & Cmp)
  | { form: string; alert: string }
  | ({ delta: { form: string; score: string; days: number } } & Cmp);

/** 0 none … 4 very severe, the same for all forms (`mentalState.ts` maps it to mental states). */
export type Level = 0 | 1 | 2 | 3 | 4;

export type OptionRow = readonly [code: string, label: string, score: number | null];

export interface Item {
  /** code, e.g. `q9` */
  c: string;
  /** the text of the question; empty in a tier-C skeleton */
  t: string;
  /** 0 fill-in, 1 single choice (default), 2 multiple choice */
  type?: 0 | 1 | 2;
  /** input type 0–8 of the specification, for fill-in items */
  input?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** option set */
  o?: string;
  scored?: boolean;
  required?: boolean;
  showif?: Cond;
  loinc?: string;
  min?: number;
  max?: number;
  maxlen?: number;
  pattern?: string;
  group?: string;

  // The keys below check the answer or arrange the page; scoring never reads them.
  /** a heading above the question */
  head?: string;
  /** true: the question begins a new page */
  page?: boolean;
  /** how many options a multiple choice needs and allows */
  minsel?: number;
  maxsel?: number;
  /** options of a multiple choice that exclude all others */
  excl?: readonly string[];
  /** the distance of two values of input type 7 */
  step?: number;
  /** the author marks a question about self-harm, violence or abuse */
  sensitive?: boolean;
}

export type PostStep =
  | readonly ['mul', number]
  | readonly ['add', number]
  | readonly ['floor']
  | readonly ['round', number]
  | readonly ['clamp', number, number]
  | readonly ['tscore', string];

export interface ScoreDef {
  c: string;
  n: string;
  op: 'sum' | 'mean' | 'max' | 'min' | 'count' | 'weighted' | 'ref' | 'ratio';
  of?: Of;
  where?: Cmp;
  w?: readonly number[];
  b?: number;
  ref?: string;
  num?: string;
  den?: string;
  /** default {max:0}: any missing item makes the score null */
  miss?: { max: number; how: 'prorate' | 'zero' };
  post?: readonly PostStep[];
  min?: number;
  max?: number;
  primary?: boolean;
  better?: 'low' | 'high';
  /** domain of the score, used by the statistics of depression and anxiety; default 08 other */
  domain?: QuotaDomain;
}

/** 01 depressive, 02 anxiety, 03 stress and distress, 04 somatic, 05 sleep, 06 well-being, 07 suicide risk, 08 other. */
export type QuotaDomain = '01' | '02' | '03' | '04' | '05' | '06' | '07' | '08';

export type Band = readonly [min: number | null, max: number | null, level: Level, label: string];

export interface AlertDef {
  c: string;
  when: Cond;
  level: 1 | 2 | 3 | 4;
  msg: string;
}

export interface Scale {
  schema: 'asds/1';
  formcode: string;
  version: string;
  formtype: '01' | '02' | '03' | '04';
  title: string;
  entitle?: string;
  tier: 'A' | 'B' | 'C' | 'S';
  recall?: string;
  instruction?: string;
  loinc?: { panel?: string; total?: string };
  optionsets: Readonly<Record<string, readonly OptionRow[]>>;
  items: readonly Item[];
  reverse?: readonly string[];
  derive?: readonly { if: Cond; set: Readonly<Record<string, string>> }[];
  scores: readonly ScoreDef[];
  norms?: Readonly<Record<string, readonly { where?: Cond; mean: number; sd: number; source: string }[]>>;
  bands: Readonly<Record<string, readonly Band[]>>;
  bandmode?: Readonly<Record<string, 'closed' | 'halfopen'>>;
  validity?: readonly { c: string; when: Cond; action: 'invalid' | 'warn'; msg: string }[];
  alerts?: readonly AlertDef[];

  /** licence line below the form and in every report that uses it */
  licencetext?: string;
  /** primary source of the cut-offs, printed in reports; only verified references */
  citation?: string;
  /** usual time to answer, in minutes */
  minutes?: number;
  /** populations that may use the form; absent: every population */
  appids?: readonly string[];
  /** whole years, inclusive */
  agemin?: number;
  agemax?: number;
  /** forms that must follow in the same exam when their condition holds for the result of this form */
  nextform?: readonly { when: Cond; formcode: string }[];
  /** `staff`: only trained staff ask it, face to face; never in a self-service plan */
  capturemode?: 'self' | 'staff';
  /** what a registration form (03) is for: 01 application, 02 follow-up, 03 interview; absent: 01. Other types have none. */
  purpose?: '01' | '02' | '03';

  /**
   * Where sets of institutions apply, `bands` are those in force; this key has the bands of the definition, and the sets of each score,
   * the nearest institution first. Only `applyBandsets` writes it. No stored definition has it.
   */
  inforce?: { definition: Readonly<Record<string, readonly Band[]>>; sets: Readonly<Record<string, readonly BandSet[]>> };
}

/** One row of the bands of an institution with its texts. */
export interface BandOption {
  /** null: no lower, or no upper limit */
  minscore: number | null;
  maxscore: number | null;
  level: Level;
  levelname: string;
  /** to the person */
  comment?: string | null | undefined;
  staffcomment?: string | null | undefined;
  /** to the person */
  suggestion?: string | null | undefined;
}

/** Bands that an institution switched on for a score, for everybody or for one population, gender or age. */
export interface BandSet {
  bandsetid: number;
  quotacode: string;
  /** the owner's place in the tree of institutions */
  orgpath: string;
  appid: string | null;
  gender: string | null;
  agemin: number | null;
  agemax: number | null;
  options: readonly BandOption[];
}

/** A tier-C form without wording: `itemcount` items `q1…qn` with option set `itemopt`; `itemoptx` replaces it for single items. */
export interface Skeleton extends Omit<Scale, 'items'> {
  itemcount: number;
  itemopt: string;
  itemoptx?: Readonly<Record<string, string>>;
}

/** One answer: an option code, several codes (type 2), or a filled-in value (type 0). null and '' mean unanswered. */
export type Answer = string | number | readonly string[] | null;
export type Answers = Readonly<Record<string, Answer | undefined>>;

/** Facts about the person for conditions: gender '01'|'02', age in whole years, grade … */
export type PersonFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The result of `score` when the form offers every given answer. */
export interface FormResult {
  itemscores: Record<string, number | null>;
  scores: Record<string, number | null>;
  levels: Record<string, Level | null>;
  labels: Record<string, string | null>;
  /** applicable scored items without an answer, per score */
  missing: Record<string, number>;
  /** items that do not apply because their `showif` is false */
  notapplicable: string[];
  flags: string[];
  alerts: string[];
  alertlevel: 0 | Level;
  /** false: screens show no levels and statistics leave the form out; results are stored and alerts still count */
  valid: boolean;
  overalllevel: Level | null;
}

/** The outcome of `score`. `invalid`: the form does not offer the answers of `items`, and nothing is computed. */
export type Outcome =
  | ({ kind: 'scored' } & FormResult)
  | ({ kind: 'incomplete'; unanswered: string[] } & FormResult)
  | { kind: 'invalid'; items: string[] };

/**
 * The shape of a questionnaire in the table of 零漏报对账, the second check of all answers. This folder imports nothing of scoring,
 * rules or warnings: a fault there must not hide itself here.
 */

/** An answer: an option code, several codes, a filled-in value, or nothing. */
export type SheetAnswer = string | number | readonly string[] | null | undefined;
export type SheetAnswers = Readonly<Record<string, SheetAnswer>>;
/** Facts about the person: gender '01'|'02', age in whole years, grade. */
export type SheetPerson = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Limits of a value. A missing value is outside all limits. */
export interface Limits {
  eq?: string | number | boolean;
  ne?: string | number | boolean;
  gte?: number;
  gt?: number;
  lte?: number;
  lt?: number;
  in?: readonly (string | number)[];
}

/** A condition about one questionnaire: about points, about the chosen option, about a sum, about the person. */
export type Test =
  | { all: readonly Test[] }
  | { any: readonly Test[] }
  | { not: Test }
  | ({ item: string } & Limits)
  | ({ answer: string } & Limits)
  | ({ score: string } & Limits)
  | ({ level: string } & Limits)
  | ({ person: string } & Limits)
  | ({ count: string; where: Limits } & Limits);

/** A step after adding up; `norms` are mean and standard deviation for a T score. */
export type SumStep =
  | readonly ['mul', number]
  | readonly ['add', number]
  | readonly ['floor']
  | readonly ['round', number]
  | readonly ['clamp', number, number]
  | readonly ['norms', readonly { where?: Test | undefined; mean: number; sd: number }[]];

export interface Sum {
  code: string;
  op: 'sum' | 'mean' | 'count' | 'max' | 'min' | 'weighted' | 'same' | 'ratio';
  /** `q1..q9`, `q1,q3..q5`; for `same` a sum, for `ratio` two sums */
  of: string;
  /** the values that `count` counts */
  where?: Limits | undefined;
  weights?: readonly number[];
  base?: number;
  /** allowed number of missing answers */
  missing?: number;
  /** replaces missing answers by the mean of the others */
  isProrated?: boolean;
  steps?: readonly SumStep[];
  /** levels 0–4 from a value on, in ascending order */
  levels?: readonly (readonly [from: number, level: number])[];
  isPrimary?: boolean;
  /** high values are good; by default when the levels fall */
  isHighGood?: boolean;
  /** warning levels from a value on, in ascending order */
  raises?: readonly (readonly [from: number, level: 1 | 2 | 3])[];
}

/** An alert of single answers. */
export interface TableAlert {
  code: string;
  level: 1 | 2 | 3 | 4;
  when: Test;
}

export interface TableForm {
  /** all items that count, in order */
  items: string;
  /** option code → points */
  points: Readonly<Record<string, number | null>>;
  /** items with another list of options */
  pointsOf?: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
  /** items whose filled-in number counts */
  numbers?: readonly string[];
  /** items that need no answer */
  optional?: readonly string[];
  /** single choices that count; by default all items without a number */
  choices?: readonly string[];
  /** items whose points count from the other end */
  reversed?: string;
  /** answers that a skip rule implies */
  implied?: readonly { when: Test; answers: Readonly<Record<string, string>> }[];
  /** items that apply only under a condition */
  only?: Readonly<Record<string, Test>>;
  sums: readonly Sum[];
  /** makes the sums of the sheet void; alerts still count */
  invalid?: Test;
  alerts?: readonly TableAlert[];
}

/** The results of one questionnaire by the table. */
export interface Judgement {
  points: Record<string, number | null>;
  scores: Record<string, number | null>;
  levels: Record<string, number | null>;
  alerts: TableAlert[];
  isValid: boolean;
  /** the first item that needs an answer and has none; null when the form is complete */
  next: string | null;
}

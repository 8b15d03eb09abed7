import type { SheetAnswer, SheetAnswers, SheetPerson } from '#domain/reconcile/tableForm.ts';

/** The shapes of a sheet and of the warning that it asks for. */

/** One answered questionnaire of a sheet, with every version of its answers to alert items. */
export interface SheetForm {
  formcode: string;
  /** the major version of the questionnaire; a rise counts within one major version only */
  major?: string;
  /** the stored definition, of questionnaires and major versions outside the table */
  definition?: unknown;
  answers: SheetAnswers;
  /** sums that staff read off a paper scale; then `answers` has only the items of alerts */
  entered?: Readonly<Record<string, number>> | null;
  versions?: readonly AnswerVersion[];
  /** the answers that arrived after the submission, in the order of their arrival */
  late?: readonly Omit<AnswerVersion, 'seq'>[];
}

/** One version of an answer; `seq` counts the changes on the device. */
export interface AnswerVersion {
  item: string;
  value: SheetAnswer;
  seq: number;
  time: Date;
}

/** A condition of an institution's own rule. */
export interface OwnClause {
  form?: string;
  score?: string;
  level?: string;
  item?: string;
  alert?: string;
  delta?: { form: string; score: string; days: number };
  gte?: number | undefined;
  lte?: number | undefined;
}
export interface OwnRule {
  rulecode: string;
  cond: { all: readonly OwnClause[] } | { any: readonly OwnClause[] };
  warninglevel: number;
  appid: string | null;
  /** the only lineage of plans whose sheets the rule judges; null or absent: all */
  plancode?: string | null;
  /** sheets from before this time are not judged by the rule */
  since: Date;
}

/** A sheet: the answers of one person to one plan. */
export interface Sheet {
  appid: string;
  /** the lineage of its plan */
  planroot?: string;
  forms: readonly SheetForm[];
  /** the time of the submission, or of the last answer of an open sheet */
  time: Date;
  isSubmitted: boolean;
  /** false: a doubtful submission; its sums do not count */
  isValid: boolean;
  /** when the sums of an open sheet were judged or should have been; null: not yet, or never */
  opentime: Date | null;
  person: SheetPerson;
  /** other valid submissions of the person, in any order */
  earlier: readonly (SheetForm & { time: Date })[];
  /** the forms that the person submitted within a day after this sheet */
  formsAfter: readonly string[];
}

/** The warning that a sheet asks for. Level 0: none. */
export interface Expectation {
  level: 0 | 1 | 2 | 3 | 4;
  /** an alert about self-harm */
  isSelfHarm: boolean;
  /** codes of alerts and rules, e.g. `PHQ9:SI2`, `R03` */
  reasons: string[];
  /** when the answer for this level arrived */
  time: Date;
}

/** A reason for a warning that the table found. */
export interface Reason {
  level: number;
  reason: string;
  time: Date;
  isSelfHarm?: boolean;
}

import type { Commentary } from '#domain/report/commentary/commentary.ts';
import { conclusionRows, groupRows, riskRows, suggestionRows } from '#domain/report/commentary/commentary.library.advice.ts';
import { formRows } from '#domain/report/commentary/commentary.library.forms.ts';
import { overallRows } from '#domain/report/commentary/commentary.library.overall.ts';

/** Version of the shipped library; stored with every report, so that a report can be explained later. */
export const commentaryVersion = '1.0.0';

/** The shipped commentary library (design/reports.md 5.5). Institutions add rows of their own; they never change these. */
export const commentaryLibrary: readonly Commentary[] = [
  ...overallRows,
  ...formRows,
  ...riskRows,
  ...suggestionRows,
  ...conclusionRows,
  ...groupRows,
];

import type { Commentary } from '#domain/report/commentary/commentary.ts';
import { conclusionRows, riskRows, suggestionRows } from '#domain/report/commentary/commentary.library.advice.ts';
import { childRows } from '#domain/report/commentary/commentary.library.child.ts';
import { formRows } from '#domain/report/commentary/commentary.library.forms.ts';
import { overallRows } from '#domain/report/commentary/commentary.library.overall.ts';

/** Version of the shipped library. Every report stores it, so that staff can trace the report later. */
export const commentaryVersion = '2.2.0';

/** The shipped commentary library (design/reports.md 5.5). Institutions can add own rows but not change these. */
export const commentaryLibrary: readonly Commentary[] = [
  ...overallRows,
  ...childRows,
  ...formRows,
  ...riskRows,
  ...suggestionRows,
  ...conclusionRows,
];

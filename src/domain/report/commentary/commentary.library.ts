import type { Commentary } from '#domain/report/commentary/commentary.ts';
import { conclusionRows, riskRows, suggestionRows } from '#domain/report/commentary/commentary.library.advice.ts';
import { childRows } from '#domain/report/commentary/commentary.library.child.ts';
import { formRows } from '#domain/report/commentary/commentary.library.forms.ts';
import { overallRows } from '#domain/report/commentary/commentary.library.overall.ts';

/** Version of the shipped library and of its engine. Every report stores it with a mark of the rows in force. */
export const commentaryVersion = '2.3.0';

/**
 * The shipped commentary library (design/reports.md 5.5). The seed writes it into table `commentary`, where reports read it with the
 * rows of institutions.
 */
export const commentaryLibrary: readonly Commentary[] = [
  ...overallRows,
  ...childRows,
  ...formRows,
  ...riskRows,
  ...suggestionRows,
  ...conclusionRows,
];

import { percent } from '#domain/task/taskprogress.ts';
import { compareScreenings } from '#domain/statistics/compare.ts';
import { wilsonInterval } from '#domain/statistics/interval.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { SchoolTerm } from '#domain/statistics/term.ts';
import { toCallerFilters } from '#features/statistics/callerFilters.ts';
import { chooseSource, prepareRows } from '#features/statistics/kept/source.ts';
import * as contract from '#features/statistics/compare/compare.contract.ts';
import * as queries from '#features/statistics/compare/compare.queries.ts';
import { readScreenings } from '#features/statistics/compare/screenings.ts';

/** The most terms of a trend. */
const MOST_TERMS = 8;

/** A fraction of 1 in percent, to one decimal. */
const inPercent = (fraction: number): number => Math.round(fraction * 1000) / 10;

const figuresOf = ({ year, term }: SchoolTerm, { total, complete, abnormal }: queries.TermFigures) => ({
  ...{ year, term, total, complete, abnormal },
  rate: percent(complete, total),
  abnormalrate: percent(abnormal, complete),
});

const compareTerms = handle(contract.compareTerms, async ({ beforeyear, beforeterm, ...filters }, { figures, caller }) => {
  const now = toCallerFilters(caller, filters);
  const before = { ...now, year: beforeyear, term: beforeterm };
  return figures(async (scope) => {
    await prepareRows(scope, caller, now);
    const { earlier, later, from, to, pairs } = await readScreenings(scope, before, now);
    const result = compareScreenings(from, to, pairs);
    const shown = {
      before: figuresOf(before, earlier),
      now: figuresOf(now, later),
      pairs: { both: pairs.both, onlybefore: pairs.onlyfirst, onlynow: pairs.onlysecond },
    };
    if (!result.comparable)
      return {
        ...shown,
        ...{ iscomparable: 0, difference: null, low: null, high: null, test: null, statistic: null, p: null, isnoise: 0 },
        words: result.reason,
      };
    return {
      ...shown,
      ...{ iscomparable: 1, test: result.test, statistic: result.statistic, p: result.p, words: result.words },
      difference: inPercent(result.difference),
      low: inPercent(result.interval.low),
      high: inPercent(result.interval.high),
      isnoise: result.isnoise ? 1 : 0,
    };
  });
});

const getTermTrend = handle(contract.getTermTrend, async (input, { figures, caller, now }) => {
  const filters = toCallerFilters(caller, input);
  return figures(async (scope) => {
    const rows = [];
    for (const term of await queries.findLastTerms(scope, filters, MOST_TERMS)) {
      const ofTerm = { ...filters, ...term };
      const { source } = await chooseSource(scope, caller, ofTerm, 'persons', now);
      const counts = await queries.countTermFigures(scope, ofTerm, source);
      const share = { count: counts.abnormal, total: counts.complete };
      const interval = counts.complete > 0 ? wilsonInterval(share) : undefined;
      rows.push({
        ...figuresOf(term, counts),
        low: interval ? inPercent(interval.low) : null,
        high: interval ? inPercent(interval.high) : null,
      });
    }
    return rows;
  });
});

export const compareHandlers = [compareTerms, getTermTrend];

import { shanghaiTime } from '#domain/base/calendar.ts';
import { gradeOf } from '#domain/person/grades.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { toCallerFilters } from '#features/statistics/callerFilters.ts';
import { toCUserRow } from '#features/cuser/cuserRow.ts';
import * as contract from '#features/statistics/persons/persons.contract.ts';
import { findStatisticPersons } from '#features/statistics/persons/persons.queries.ts';

const getStatisticPersonPageList = handle(contract.getStatisticPersonPageList, async (input, ctx) => {
  if (contract.resultMeasures.includes(input.measure) && !canReadField(ctx.caller, 'results')) throw problems.notAllowed();
  const { total, rows } = await findStatisticPersons(ctx.scope, {
    ...toCallerFilters(ctx.caller, input),
    cases: canReadField(ctx.caller, 'cases'),
  });
  // The list names persons under a result, so reading it leaves a trace.
  const { page: _page, pageSize: _pageSize, ...filters } = input;
  ctx.audit({ cuserids: rows.map(({ cuserid }) => cuserid), detail: { filters } });
  return {
    total,
    rows: rows.map((row) => {
      const person = toCUserRow(row, ctx);
      const gradename = gradeOf(row.gradecode ?? '')?.name ?? row.gradename ?? '';
      const classname = row.classname ?? '';
      return {
        ...person,
        gradename,
        classname,
        belongs: [gradename, classname].filter(Boolean).join(' ') || person.belongs,
        reason: row.reason ?? '',
        submittime: row.submittime && shanghaiTime(row.submittime),
      };
    }),
  };
});

export const statisticPersonHandlers = [getStatisticPersonPageList];

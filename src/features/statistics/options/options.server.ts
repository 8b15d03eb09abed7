import { shanghaiDate } from '#domain/base/calendar.ts';
import { Term } from '#domain/base/enums.ts';
import { compareGrades, gradeOf } from '#domain/person/grades.ts';
import { handle } from '#server/dispatch/handle.ts';
import { toCallerFilters } from '#features/statistics/callerFilters.ts';
import * as contract from '#features/statistics/options/options.contract.ts';
import * as queries from '#features/statistics/options/options.queries.ts';

const byNumber = (a: string, b: string) => a.localeCompare(b, 'zh', { numeric: true });

const getStatisticOptions = handle(contract.getStatisticOptions, async (input, { stats, caller, now }) => {
  const filters = toCallerFilters(caller, input);
  return stats(async (scope) => {
    const classes = await queries.findClasses(scope, filters);
    const plans = await queries.findPlans(scope, filters);
    const gradecodes = [...new Set(classes.map(({ gradecode }) => gradecode))].sort(compareGrades);
    return {
      institutions: await queries.countInstitutionsOfOptions(scope, filters),
      parents: await queries.findParents(scope),
      terms: (await queries.findTerms(scope, filters)).map((row) => ({ ...row, termname: Term.label(row.term) })),
      tasks: await queries.findTasks(scope, filters),
      grades: gradecodes.map((gradecode) => {
        const own = classes.filter((row) => row.gradecode === gradecode);
        return {
          gradecode,
          gradename: gradeOf(gradecode)?.name ?? own[0]?.gradename ?? gradecode,
          classes: own.flatMap(({ classname }) => (classname ? [classname] : [])).sort(byNumber),
        };
      }),
      plans: [...new Map(plans.map(({ plancode, planname }) => [plancode, { plancode, planname }])).values()],
      appids: [...new Set(plans.map(({ appid }) => appid))].sort(),
      today: shanghaiDate(now),
    };
  });
});

export const optionHandlers = [getStatisticOptions];

import { populations } from '#domain/person/populations.ts';
import { gradeOf } from '#domain/person/grades.ts';
import type { ScopeKind } from '#domain/teamreport/teamreport.facts.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { findFingerprint } from '#features/teamreport/facts.queries.ts';
import type { TeamScope } from '#features/teamreport/teamreport.contract.ts';
import * as queries from '#features/teamreport/teamreport.queries.ts';

/** The scope of a group report as filters of the statistics: one institution, one population. */
export type ScopeFilters = StatisticFilters & { kind: ScopeKind; musercode: string; appid: string };

/** The institution of a scope, and what the report calls both. */
export interface ScopeWords {
  scopename: string;
  insname: string;
  sector: string;
  population: string;
  /** the institution's lowest level of 需关注 */
  cutoff: number;
}

type Ctx = Pick<Context<'staff'>, 'scope' | 'caller'>;

const termName = (year: string | undefined, term: string | undefined): string =>
  [year && `${year}学年`, term && (term === '1' ? '秋季学期' : '春季学期')].filter(Boolean).join('');

/** The institution of a scope, when neither a task nor teams say it. */
function ownMusercode({ caller }: Ctx, musercode: string | undefined): string {
  const code = musercode ?? caller.musercode;
  if (!musercode && !['004', '005'].includes(caller.musertype)) throw problems.missing({ title: '机构' }, { field: 'scope' });
  return code;
}

/** The only population of an institution, when the request names none. */
async function onlyAppid({ scope }: Ctx, musercode: string): Promise<string> {
  const appids = await queries.findAppids(scope, musercode);
  if (appids.length !== 1 || !appids[0]) throw problems.missing({ title: '人群' }, { field: 'scope' });
  return appids[0];
}

interface Target {
  musercode: string;
  appid: string;
  name: string;
}

/** The institution, the population and the name of a scope. Refuses tasks and teams that the caller does not see (130001). */
async function findTarget(ctx: Ctx, scope: TeamScope): Promise<Target> {
  const { kind, taskcode, teamcodes = [], gradecode = '', year, term, begindate, enddate } = scope;
  const period = termName(year, term);
  const task = taskcode ? await queries.findTask(ctx.scope, taskcode) : undefined;
  if (taskcode && !task) throw problems.notFound({ what: '任务' });
  if (kind === 'task' && task) return { ...task, name: task.taskname };
  if (kind === 'teams') {
    const teams = await queries.findTeams(ctx.scope, teamcodes);
    const [first] = teams;
    if (!first || teams.length !== new Set(teamcodes).size) throw problems.notFound({ what: '部分团体' });
    if (teams.some(({ musercode, appid }) => musercode !== first.musercode || appid !== first.appid))
      throw problems.invalid({ message: '请选择同一机构、同一人群的团体' }, { field: 'scope' });
    const names = teams.slice(0, 3).map(({ teamname }) => teamname);
    const words = `${names.join('、')}${teams.length > 3 ? `等 ${teams.length} 个团体` : ''}`;
    return {
      musercode: first.musercode,
      appid: first.appid,
      name: [task?.taskname ?? period, words].filter(Boolean).join(' · '),
    };
  }
  const musercode = task?.musercode ?? ownMusercode(ctx, scope.musercode);
  const appid = scope.appid ?? task?.appid ?? (await onlyAppid(ctx, musercode));
  const range = begindate && enddate ? `${begindate} 至 ${enddate}` : period;
  const grade = kind === 'grade' ? (gradeOf(gradecode)?.name ?? gradecode) : '';
  const part = kind === 'institution' ? '全机构' : grade;
  return { musercode, appid, name: [task?.taskname ?? range, part].filter(Boolean).join(' · ') };
}

/** Returns the filters of a scope with its words. */
export async function openScope(ctx: Ctx, scope: TeamScope): Promise<{ filters: ScopeFilters; words: ScopeWords }> {
  const { musercode, appid, name } = await findTarget(ctx, scope);
  permittedPopulations(ctx.caller, appid);
  const institution = await queries.findInstitution(ctx.scope, musercode);
  if (!institution) throw problems.notFound({ what: '机构' });
  const { musercode: _, appid: __, teamcodes, ...rest } = scope;
  return {
    filters: { ...rest, musercode, appid, appids: null, ...(teamcodes ? { teamcodes } : {}) },
    words: {
      scopename: name,
      insname: institution.insname,
      sector: institution.sector,
      cutoff: institution.abnormalminlevel,
      population: (populations as Readonly<Record<string, { appname: string }>>)[appid]?.appname ?? '',
    },
  };
}

/** Whether sheets or rosters of a report's scope changed since its snapshot. */
export async function isOutdated(
  ctx: Ctx & Pick<Context<'staff'>, 'stats'>,
  report: { scope: TeamScope; fingerprint: string },
): Promise<boolean> {
  const { filters } = await openScope(ctx, report.scope);
  return (await ctx.stats((one) => findFingerprint(one, filters))) !== report.fingerprint;
}

import { shanghaiTime } from '#domain/base/calendar.ts';
import { Gender } from '#domain/base/enums.ts';
import { archiveFieldsOf } from '#domain/person/archive.ts';
import { compareGrades, gradeOf } from '#domain/person/grades.ts';
import { compileScale } from '#domain/scoring/compiledScale.ts';
import type { AlertDef, Scale } from '#domain/scoring/scale.ts';
import { referencePeriodOf } from '#domain/scoring/scaleEvidence.ts';
import { bandText } from '#domain/scoring/scoringText.ts';
import { shortTitle } from '#domain/scoring/shortTitle.ts';
import type {
  DimensionFacts,
  EarlierFacts,
  FormFacts,
  GroupFacts,
  ItemFacts,
  QuotaFacts,
  TeamReportFacts,
} from '#domain/teamreport/teamreport.facts.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { StatsScope } from '#server/db/scope.ts';
import { countAbnormal, countCompletion, countDomainLevels, countGroups } from '#features/statistics/statistics.queries.ts';
import { readScreenings } from '#features/statistics/compare/screenings.ts';
import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import * as queries from '#features/teamreport/facts.queries.ts';
import type { ScopeFilters, ScopeWords } from '#features/teamreport/scopeFilters.ts';

type Ctx = Pick<Context<'staff'>, 'scope' | 'stats' | 'now'>;
type FormRow = Awaited<ReturnType<typeof queries.findForms>>[number];

/** The forms with their cut-offs in words. */
const toFormFacts = ({ formcode, version, definition }: FormRow): FormFacts => ({
  formcode,
  title: definition.title,
  version,
  recall: referencePeriodOf(definition),
  citation: definition.citation ?? '',
  bands: definition.scores
    .filter(({ primary, c }) => primary !== false && definition.bands[c])
    .slice(0, 3)
    .map(({ c, n }, _, all) => {
      const bands = (definition.bands[c] ?? [])
        .map((band) => `${band[3]} ${bandText(band, definition.bandmode?.[c])}`)
        .join('，');
      return all.length > 1 ? `${n}：${bands}` : bands;
    }),
});

/** The items that raise an alert: self-harm and the like. A group report never counts them (supplement 11). */
function alertItemsOf(alerts: readonly AlertDef[] = []): Set<string> {
  return new Set(
    [...JSON.stringify(alerts.map(({ when }) => when)).matchAll(/"item":"([^"]+)"/g)].map((match) => match[1] as string),
  );
}

/** Questions on a frequency from 0 (never) to 3 or more, with the persons who have 2 or more (design/reports.md 5.3 ⑦). */
function toItems(forms: readonly FormRow[], answers: Awaited<ReturnType<typeof queries.countAnswers>>): ItemFacts[] {
  return forms.flatMap(({ formcode, version, definition }) => {
    const alertItems = alertItemsOf(definition.alerts);
    return compileScale(definition).items.flatMap(({ item, type, options }) => {
      const scores = [...options.values()].filter((score) => score !== null);
      const isFrequency = type === 1 && item.scored !== false && Math.min(...scores) === 0 && Math.max(...scores) >= 3;
      if (!isFrequency || !item.t || alertItems.has(item.c)) return [];
      const given = answers.filter((row) => row.formcode === formcode && row.version === version && row.question === item.c);
      const sum = (rows: typeof given) => rows.reduce((total, { count }) => total + count, 0);
      const high = given.filter(({ answer }) => (options.get(answer) ?? 0) >= 2);
      return [{ form: shortTitle(definition.title), text: item.t, count: sum(high), total: sum(given) }];
    });
  });
}

type QuotaRow = Awaited<ReturnType<typeof queries.findQuotas>>[number];
function toQuota({ formcode, scorecode, quotaname, levels, ...row }: QuotaRow, definition: Scale | undefined): QuotaFacts {
  const bands = definition?.bands[scorecode] ?? [];
  return {
    ...row,
    form: definition ? shortTitle(definition.title) : formcode,
    name: quotaname,
    levels: levels.map(({ level, name, count }) => ({
      level,
      name: bands.find((band) => band[2] === level)?.[3] ?? name ?? '',
      count,
    })),
  };
}

/** Grades in school order with their classes. Persons without a grade or class stand in a group of their own. */
async function findGradeGroups(scope: StatsScope, filters: StatisticFilters): Promise<GroupFacts[]> {
  const grades = await countGroups(scope, filters, 'grade');
  const classes = await countGroups(scope, filters, 'class');
  const inOrder = grades.sort(
    (a, b) => Number(a.gradecode === '') - Number(b.gradecode === '') || compareGrades(a.gradecode, b.gradecode),
  );
  const results = ({ total, complete, abnormal, levels }: (typeof grades)[number]) => ({
    total,
    valid: complete,
    abnormal,
    levels,
  });
  return inOrder.flatMap((grade) => {
    const name = grade.gradecode === '' ? '未填年级' : (gradeOf(grade.gradecode)?.name ?? grade.gradename);
    const key = `g:${grade.gradecode}`;
    const own = classes
      .filter(({ gradecode }) => gradecode === grade.gradecode)
      .sort((a, b) => a.classname.localeCompare(b.classname, 'zh', { numeric: true }));
    return [
      { key, name, ...results(grade) },
      ...own.map((one) => ({
        ...{ key: `c:${grade.gradecode}:${one.classname}`, name: `${name} ${one.classname || '未填班级'}`, parent: key },
        ...results(one),
      })),
    ];
  });
}

type SheetGroup = queries.SheetGroup;
const toGroups = (rows: readonly SheetGroup[], label: (row: SheetGroup) => string, missing: string): GroupFacts[] =>
  rows.map((row) => ({
    key: row.code,
    name: row.code === '' ? missing : label(row) || row.code,
    total: null,
    ...{ valid: row.valid, abnormal: row.abnormal, levels: row.levels },
  }));

/** The groups of a population (design/reports.md 5.3 ⑤). */
async function findDimensions({ scope, stats }: Ctx, filters: StatisticFilters, appid: string): Promise<DimensionFacts[]> {
  const bySheet = (by: Parameters<typeof queries.countSheetGroups>[2]) =>
    stats((statsScope) => queries.countSheetGroups(statsScope, filters, by));
  const byUnit = async (title: string): Promise<DimensionFacts> => ({
    ...{ key: 'unit', title, groups: toGroups(await bySheet('unit'), ({ code }) => code, `未填${title}`) },
  });
  const genders = toGroups(await bySheet('gender'), ({ code }) => Gender.label(code as '01'), '未知');
  const gender: DimensionFacts = { key: 'gender', title: '性别', groups: genders };
  switch (appid) {
    case '000000001':
      return [{ key: 'stage', title: '孕产阶段', groups: toGroups(await bySheet('stage'), ({ name }) => name, '未分阶段') }];
    case '000000002':
      return [gender, { key: 'grade', title: '年级与班级', groups: await stats((one) => findGradeGroups(one, filters)) }];
    case '000000003': {
      const posts = await queries.countArchiveGroups(scope, filters, 'post');
      return [
        gender,
        await byUnit('单位'),
        { key: 'post', title: '岗位', groups: toGroups(posts, ({ code }) => code, '未填岗位') },
      ];
    }
    case '000000004': {
      const field = archiveFieldsOf[appid]?.find(({ code }) => code === 'livewith');
      const words = new Map(field?.choices);
      const living = await queries.countArchiveGroups(scope, filters, 'livewith');
      return [
        gender,
        await byUnit('社区/机构'),
        { key: 'livewith', title: '居住方式', groups: toGroups(living, ({ code }) => words.get(code) ?? code, '未填') },
      ];
    }
    default:
      return [gender];
  }
}

/** The term before. */
const previousTerm = (year: string, term: string): { year: string; term: string } =>
  term === '2' ? { year, term: '1' } : { year: year.replace(/\d{4}/g, (digits) => String(Number(digits) - 1)), term: '2' };

interface Now {
  filters: ScopeFilters;
  tasks: Awaited<ReturnType<typeof queries.findTasks>>;
  plans: Awaited<ReturnType<typeof queries.findPlans>>;
}

/** The filters of the earlier screening with its name, or why there is none. */
async function findEarlierFilters(stats: Ctx['stats'], { filters, tasks, plans }: Now) {
  const { kind, musercode, appid, year, term } = filters;
  const [task, ...others] = tasks;
  const [plan] = plans;
  if (kind === 'period') return { why: '按时间段统计的报告没有对应的上一次' };
  if (!task || !plan) return { why: '还没有测评结果' };
  if (plans.length > 1) return { why: '范围内使用了多个方案' };
  if (others.length === 0) {
    const before = { musercode, appid, plancode: plan.plancode, round: task.round, begintime: task.begintime };
    const earlier = await stats((scope) => queries.findEarlierTask(scope, before));
    if (!earlier) return { why: '没有更早的同方案任务' };
    const { year: _, term: __, ...rest } = filters;
    return { name: earlier.taskname, filters: { ...rest, taskcode: earlier.taskcode } };
  }
  if (!year || !term) return { why: '范围内有多个任务' };
  const before = previousTerm(year, term);
  return { name: `${before.year}学年${before.term === '1' ? '秋季' : '春季'}学期`, filters: { ...filters, ...before } };
}

async function findEarlier(stats: Ctx['stats'], now: Now): Promise<EarlierFacts> {
  const earlier = await findEarlierFilters(stats, now);
  if ('why' in earlier) return { name: '', why: earlier.why ?? '' };
  const before = earlier.filters;
  const { from, to, pairs } = await stats((one) => readScreenings(one, before, now.filters));
  if (from.total === 0) return { name: '', why: `“${earlier.name}”没有结果` };
  const { levels } = await stats((one) => countAbnormal(one, before));
  return { name: earlier.name ?? '', from, to, pairs, fromlevels: levels };
}

/** Counts everything that a group report says. */
export async function gatherFacts(ctx: Ctx, filters: ScopeFilters, words: ScopeWords): Promise<TeamReportFacts> {
  const { scope, stats, now } = ctx;
  const { kind, appid } = filters;
  const tasks = await stats((one) => queries.findTasks(one, filters));
  const plans = await stats((one) => queries.findPlans(one, filters));
  const forms = await queries.findForms(scope, filters);
  const quotas = await stats((one) => queries.findQuotas(one, filters));
  const domainCounts = async (domain: '01' | '02') => {
    const rows = await stats((one) => countDomainLevels(one, filters, domain));
    return [0, 1, 2, 3, 4].map((level) => rows.find((row) => row.level === level)?.count ?? 0);
  };
  const definitionOf = (formcode: string) => forms.find((form) => form.formcode === formcode)?.definition;
  return {
    ...words,
    kind,
    plans: plans.map(({ planname }) => planname),
    tasks: tasks.map(({ taskname, begintime, endtime }) => ({
      taskname,
      begin: shanghaiTime(begintime),
      end: shanghaiTime(endtime),
    })),
    datatime: shanghaiTime(now),
    effort: await stats((one) => countCompletion(one, filters)),
    outcome: await stats((one) => countAbnormal(one, filters)),
    domains: [
      { name: '抑郁症状', counts: await domainCounts('01') },
      { name: '焦虑症状', counts: await domainCounts('02') },
    ],
    forms: forms.map(toFormFacts),
    quotas: quotas.map((row) => toQuota(row, definitionOf(row.formcode))),
    dimensions: await findDimensions(ctx, filters, appid),
    earlier: await findEarlier(stats, { filters, tasks, plans }),
    items: toItems(forms, await queries.countAnswers(scope, filters)),
    cases: await stats((one) => queries.countCases(one, filters, now)),
  };
}

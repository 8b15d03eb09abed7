import type { ReportContent } from '#domain/report/report.content.ts';
import type { ReportFacts, ReportForm, Summary } from '#domain/report/report.facts.ts';
import { summarise } from '#domain/report/report.facts.ts';
import { examOf, fillForm, phq9, reportFactsOf } from '#domain/report/report.fixture.ts';
import { buildReport } from '#domain/report/report.ts';
import type { TrendTest } from '#domain/report/trend.ts';

/** The 200 reports of docs/report-checklist.md: five populations, five levels, eight situations. */

export const apps = ['000000001', '000000002', '000000003', '000000004', '000000005'] as const;
type App = (typeof apps)[number];
export const situations = ['plain', 'alert', 'invalid', 'unanswered', 'violence', 'denied', 'withoutArchive', 'special'] as const;
type Situation = (typeof situations)[number];

export interface CheckedReport {
  /** names the report in a failure */
  name: string;
  appid: App;
  level: number;
  situation: Situation;
  facts: ReportFacts;
  summary: Summary;
  staff: ReportContent;
  self: ReportContent;
}

/** Option codes with that sum. */
function codesWithSum(sum: number, items: number, most: number): string[] {
  let left = sum;
  return Array.from({ length: items }, () => {
    const points = Math.min(most, left);
    left -= points;
    return String(points);
  });
}

/** The PHQ-9 totals of the levels 0 to 4. */
const phqTotals = [2, 7, 12, 17, 24] as const;
const gadTotals = [1, 6, 11, 16, 20] as const;
const phq15Totals = [2, 6, 11, 16, 26] as const;

const earlier = (submittime: string, total: number, isValid = true): TrendTest => ({
  examcode: `e${submittime.slice(0, 7)}`,
  submittime,
  stagename: '上一次',
  valid: isValid,
  scores: { total },
  levels: { total: 1 },
});
/** An EPDS of 0, 5, 9, 18 or 18 points; item 10 has none. Codes count upwards in the items 1, 2 and 4. */
function epds(level: number): ReportForm {
  const points = level >= 3 ? 2 : level === 0 ? 0 : 1;
  return fillForm(
    'EPDS',
    Array.from({ length: 10 }, (_, index) => {
      if (index === 9) return '4';
      const own = level === 1 && index >= 5 ? 0 : points;
      return String([0, 1, 3].includes(index) ? own + 1 : 4 - own);
    }),
  );
}

/** A valid exam of last term and a later invalid one, which no report compares. */
const previous = [earlier('2025-03-01 09:00:00', 10), earlier('2025-09-01 09:00:00', 27, false)];

function formsOf(appid: App, level: number, situation: Situation): ReportForm[] {
  const phqTotal = phqTotals[level] ?? 0;
  const hasHistory = situation === 'denied' || situation === 'special';
  const withHistory = (form: ReportForm): ReportForm => (hasHistory ? { ...form, previous } : form);
  const phq = withHistory(phq9(phqTotal, situation === 'alert' ? 1 : 0));
  const gad =
    situation === 'unanswered'
      ? fillForm('GAD7', ['1', null, null, null, null, null, null])
      : withHistory(fillForm('GAD7', codesWithSum(gadTotals[level] ?? 0, 7, 3)));
  const observed = (code: string, items: number, wound: number) =>
    fillForm(
      code,
      Array.from({ length: items }, (_, index) => (situation === 'violence' && index === wound ? '1' : '0')),
    );
  const more: Readonly<Record<App, () => ReportForm[]>> = {
    '000000001': () => [epds(level), fillForm('PHQ15', codesWithSum(phq15Totals[level] ?? 0, 15, 2))],
    '000000002': () => [observed('TEACHOBS', 12, 10)],
    '000000003': () => [
      fillForm('PHQ15', codesWithSum(phq15Totals[level] ?? 0, 15, 2)),
      fillForm(
        'K10',
        Array.from({ length: 10 }, (_, index) => String(index % 2 ? level + 1 : Math.max(1, level))),
      ),
      fillForm('CBI', Array<string>(13).fill(String(level * 25))),
    ],
    '000000004': () => [
      fillForm('GDS15', Array<string>(15).fill(level >= 2 ? '1' : '0')),
      fillForm('PHQ2', codesWithSum(Math.min(6, level + 1), 2, 3)),
      observed('CAREOBS', 12, 9),
    ],
    '000000005': () => [fillForm('WHO5', Array<string>(5).fill(String(5 - level)))],
  };
  return [phq, gad, ...more[appid]()];
}

const risks = {
  '000000001': { psychhistory: 1, supportlevel: 1, highrisk: 1, planned: 0 },
  '000000002': { leftbehind: 1, boarding: 1, singleparent: 1, povertyaid: 1 },
  '000000003': { weeklyhours: 60, nightshifts: 9, incident: 1, shiftwork: 1 },
  '000000004': { livewith: '01', bereaved12m: 1, falls12m: 2, cognitivecomplaint: 1, adl: '02', chronic: ['高血压', '糖尿病'] },
  '000000005': {},
} as const;
const ordinary = {
  '000000001': { lmpdate: '2025-03-22', edcdate: '2025-12-27', gravidity: 1, parity: 0 },
  '000000002': { schoolname: '育才中学', gradename: '初二', classname: '3班', studentno: '20230301' },
  '000000003': { unitname: '云栖电力', post: '调度员', weeklyhours: 40 },
  '000000004': { livewith: '02', adl: '01', caregivername: '赵红' },
  '000000005': {},
} as const;
const ages = { '000000001': 31, '000000002': 14, '000000003': 38, '000000004': 70, '000000005': 26 } as const;

function factsOf(appid: App, level: number, situation: Situation, index: number): ReportFacts {
  const isChild = appid === '000000002' && situation === 'special';
  const archive =
    situation === 'withoutArchive'
      ? {}
      : {
          ...ordinary[appid],
          ...(situation === 'denied' || situation === 'violence' ? risks[appid] : {}),
          ...(situation === 'denied' ? { domesticviolence: '1' } : situation === 'violence' ? { domesticviolence: '2' } : {}),
          ...(situation === 'special' && appid === '000000001' ? { babyoutcome: '04', deliverydate: '2025-09-20' } : {}),
          ...(isChild ? { gradename: '小学三年级' } : {}),
        };
  const special = { '000000001': 31, '000000002': 9, '000000003': 17, '000000004': 82, '000000005': 16 } as const;
  const age = situation === 'withoutArchive' ? null : situation === 'special' ? special[appid] : ages[appid];
  return reportFactsOf(formsOf(appid, level, situation), {
    reportcode: `R${String(index).padStart(10, '0')}`,
    institution: { insname: `云栖市第${index}机构`, musercode: 'M1', hotline: '0571-12345678' },
    person: { name: `受测者${index}号`, gender: index % 2 ? '01' : '02', age },
    archive,
    exam: examOf(appid, {
      planname: `第${index}号方案`,
      stagename: appid === '000000001' ? '孕中期' : '秋季普查',
      valid: situation !== 'invalid',
      ...(situation === 'invalid' ? { invalidreason: '作答时间过短' } : {}),
      ...(appid === '000000001' ? { gestationaldays: 200 } : {}),
    }),
    ...(situation === 'plain' ? { contents: [{ kind: '音频', title: '放松练习' }] } : {}),
  });
}

/** All 200 reports. */
export const checkedReports: readonly CheckedReport[] = apps.flatMap((appid, population) =>
  [0, 1, 2, 3, 4].flatMap((level) =>
    situations.map((situation, place): CheckedReport => {
      const facts = factsOf(appid, level, situation, 1 + population * 40 + level * 8 + place);
      return {
        name: `${appid} level ${level} ${situation}`,
        appid,
        level,
        situation,
        facts,
        summary: summarise(facts),
        ...buildReport(facts),
      };
    }),
  ),
);

/** Both versions of every report, with a name. */
export const checkedContents = checkedReports.flatMap((report) =>
  [report.staff, report.self].map((content) => ({ report, content, name: `${report.name} ${content.audience}` })),
);
/** The pairs of labels and values of a version. */
export const pairsOf = (content: ReportContent): { label: string; value: string }[] =>
  content.sections.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'kv' ? block.items : [])));

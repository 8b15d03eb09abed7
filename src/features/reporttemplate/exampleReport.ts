import { buildReport } from '#domain/report/report.ts';
import type { ReportContent } from '#domain/report/report.content.ts';
import type { ReportForm } from '#domain/report/report.facts.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { score } from '#domain/scoring/scoring.ts';

/** The sheet of an invented person: the option of each question in turn, so that every section has something to show. */
function fillExample(formcode: string, options: readonly string[]): ReportForm[] {
  const scale = scaleOf(formcode);
  if (!scale) return [];
  const answers = Object.fromEntries(scale.items.map((item, index) => [item.c, options[index % options.length] ?? '0']));
  const outcome = score(scale, answers, { gender: '02', age: 20 });
  if (outcome.kind === 'invalid') return [];
  const previous = {
    examcode: 'example',
    submittime: '2026-03-02 09:30:00',
    planname: '示例方案',
    valid: true,
    scores: { total: 12 },
    levels: { total: 2 as const },
    labels: { total: '中度' },
    itemscores: {},
  };
  return [{ scale, answers, result: outcome, previous: [previous] }];
}

/** The population of an example by the sector of the institution: women at a clinic, pupils at a school, else staff. */
const POPULATIONS: Readonly<Record<string, string>> = { edu: '000000002', health: '000000001' };

/** The report of an invented person with two questionnaires and an earlier result, for previews without a real person. */
export function buildExampleReport(
  { insname, sector }: { insname: string; sector: string },
  generatedat: string,
): { staff: ReportContent; self: ReportContent } {
  return buildReport({
    reportcode: 'R0000000000',
    generatedat,
    institution: { insname },
    person: { name: '示例', gender: '02', age: 20 },
    exam: {
      examcode: 'E0000000000',
      appid: POPULATIONS[sector] ?? '000000003',
      planname: '示例方案',
      submittime: generatedat,
      duration: 320,
      valid: true,
    },
    archive: { domesticviolence: '1' },
    forms: [...fillExample('PHQ9', ['1', '0', '1', '1', '0', '1', '0', '0', '0']), ...fillExample('GAD7', ['1', '1', '0'])],
    contents: [{ title: '三分钟呼吸练习', kind: '音频' }],
  });
}

import { expect, test } from 'vitest';
import type { TeamReportContent, TeamSectionKey } from '#domain/teamreport/teamreport.content.ts';
import type { RequestOf } from '#contract/action.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';
import { getTeamReport, insertTeamReport } from '#features/teamreport/teamreport.contract.ts';
import { startWithPopulation } from '#testing/statistics/population.ts';

const rowsOf = (content: TeamReportContent, key: TeamSectionKey) =>
  (content.sections.find((section) => section.key === key)?.blocks ?? []).flatMap((block) =>
    block.type === 'table' ? [block.rows] : [],
  )[0];

test('group reports of a task, a grade, a term and a period say the figures of the page, over generated rows', async () => {
  const { server } = await startWithPopulation(200);
  const as = server.as('chen');
  const term = { year: '2025-2026', term: '1' };
  const period = { begindate: '2025-08-01', enddate: '2026-07-31' };
  const scopes: [NonNullable<RequestOf<typeof insertTeamReport>['scope']>, RequestOf<typeof statistics.getAssessCount>][] = [
    [{ kind: 'task', taskcode: 'T2' }, { taskcode: 'T2' }],
    [
      { kind: 'grade', gradecode: 'J1', ...term },
      { gradecode: 'J1', ...term },
    ],
    [{ kind: 'institution', ...term }, term],
    [{ kind: 'period', ...period }, period],
  ];
  for (const [scope, filters] of scopes) {
    const { teamreportcode } = await as(insertTeamReport, { scope });
    const { content } = await as(getTeamReport, { teamreportcode });
    const { total, tested, complete, exempt, absent } = statistics.toOwnFigures(
      await as(statistics.getAssessPeopleCompleteCount, filters),
    );
    expect(rowsOf(content, 'cover')?.[0]?.slice(0, 6), scope.kind).toEqual(
      [total, tested, complete, tested - complete, exempt, absent].map((count) => `${count} 人`),
    );
    const { valid, abnormal, levels } = statistics.toOwnFigures(await as(statistics.getAssessAbnormalCount, filters));
    expect(
      rowsOf(content, 'overall')?.map(([, count]) => count),
      scope.kind,
    ).toEqual(levels);
    expect(JSON.stringify(content)).toContain(`${valid} 名有效受测者中，${abnormal} 名需要关注`);
  }
});

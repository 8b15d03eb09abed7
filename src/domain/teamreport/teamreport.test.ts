import { describe, expect, it } from 'vitest';
import { findForbidden, paragraphLimit } from '#domain/report/forbiddenWording.ts';
import { teamSentencesOf, type TeamSectionKey } from '#domain/teamreport/teamreport.content.ts';
import type { TeamReportFacts } from '#domain/teamreport/teamreport.facts.ts';
import { buildTeamReport } from '#domain/teamreport/teamreport.ts';
import { teamFacts } from '#testing/report/teamFacts.ts';

const blocksOf = (facts: TeamReportFacts, key: TeamSectionKey) =>
  buildTeamReport(facts).sections.find((section) => section.key === key)?.blocks ?? [];
const tablesOf = (facts: TeamReportFacts, key: TeamSectionKey) =>
  blocksOf(facts, key).flatMap((block) => (block.type === 'table' ? [block.rows] : []));
const textOf = (facts: TeamReportFacts, key: TeamSectionKey) => JSON.stringify(blocksOf(facts, key));

describe('a group report', () => {
  it('has the Wilson interval from 30 valid persons on', () => {
    // 46 of 240: 14.7 % to 24.6 %.
    expect(textOf(teamFacts(), 'overall')).toContain('14.7%–24.6%');
    const outcome = { valid: 29, abnormal: 6, alert: 0, levels: [13, 10, 4, 2, 0] };
    expect(textOf(teamFacts({ outcome }), 'overall')).toContain('不作区间估计');
  });

  it('hides a class with fewer than five persons, and another one so that nobody computes it back', () => {
    const [, classes] = tablesOf(teamFacts(), 'groups');
    expect(classes?.map((row) => row.slice(1))).toEqual([
      [122, 120, 20, '16.7%'],
      [42, 40, null, null],
      [42, 40, null, null],
      [42, 40, 9, '22.5%'],
      [122, 120, 26, '21.7%'],
      [62, 60, 12, '20.0%'],
      [62, 60, 14, '23.3%'],
    ]);
    expect(textOf(teamFacts(), 'groups')).not.toContain('"name":"初一 1班","counts"');
  });

  it('compares the same pupils as pairs, and says whether the difference is noise', () => {
    expect(textOf(teamFacts(), 'compare')).toContain('相差 +6.8 个百分点');
    expect(textOf(teamFacts(), 'compare')).toContain('变化有统计学差异');
    const facts = teamFacts();
    if ('why' in facts.earlier) throw new Error('the facts have an earlier screening');
    const same = {
      ...facts.earlier,
      from: { ...facts.earlier.from, count: 45 },
      pairs: { always: 30, onlyfirst: 9, onlysecond: 10, both: 220 },
    };
    expect(textOf(teamFacts({ earlier: same }), 'compare')).toContain('差异在随机波动范围内');
    const otherForms = { ...facts.earlier, from: { ...facts.earlier.from, forms: 'PHQ9@0.9' } };
    expect(textOf(teamFacts({ earlier: otherForms }), 'compare')).toContain('不可比');
  });

  it('lists the five questions of most persons, without small counts', () => {
    const [items] = tablesOf(teamFacts(), 'items');
    expect(items?.map(([text]) => text)).toEqual([
      ...['入睡困难、睡不安稳或睡眠过多', '感觉疲倦或没有活力', '不能停止或控制担忧', '很难放松下来', '变得容易烦恼或急躁'],
    ]);
  });

  it('counts cases by level and state in the words of the sector', () => {
    expect(tablesOf(teamFacts(), 'attention')[0]).toEqual([
      ['一级预警', 4, 0, 0, 4],
      ['二级预警', 0, 9, 3, 12],
      ['合计', 4, 9, 3, 16],
    ]);
  });

  it('gives advice by rules, the urgent first', () => {
    const rules = blocksOf(teamFacts(), 'suggestion').flatMap((block) =>
      block.type === 'list' ? block.items.map(({ commentids }) => commentids[0]) : [],
    );
    expect(rules).toEqual(['GR_OVERDUE', 'GR_MID', 'GR_ROSE', 'GR_SLEEP', 'GR_WORRY', 'GR_TIRED', 'GR_HELP']);
  });

  it('names a rule for each sentence, and says no diagnosis', () => {
    for (const { text, commentids } of teamSentencesOf(buildTeamReport(teamFacts()))) {
      expect(commentids).toHaveLength(1);
      expect(text.length).toBeLessThanOrEqual(paragraphLimit);
      expect(findForbidden(text, 'self')).toEqual([]);
    }
  });

  it('says the same for the same facts', () => {
    expect(buildTeamReport(teamFacts())).toEqual(buildTeamReport(teamFacts()));
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { percent } from '#domain/task/taskprogress.ts';
import { findForbidden, paragraphLimit } from '#domain/report/forbiddenWording.ts';
import {
  teamSentencesOf,
  type TeamBlock,
  type TeamReportContent,
  type TeamSectionKey,
} from '#domain/teamreport/teamreport.content.ts';
import type { RequestOf } from '#contract/action.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';
import * as contract from '#features/teamreport/teamreport.contract.ts';
import { insertFixtureA } from '#testing/statistics/fixtureA.ts';
import { sharedServer } from '#testing/server.ts';

const server = sharedServer();
beforeAll(() => insertFixtureA(server()));

const scope = { kind: 'task', taskcode: 'T1' } as const;
const make = async (of: object = scope) => server().as('chen')(contract.insertTeamReport, { scope: of as typeof scope });
const read = (who: 'chen' | 'ma' | 'wang' | 'qiao' | 'fang', teamreportcode: string) =>
  server().as(who)(contract.getTeamReport, { teamreportcode });

const blocksOf = (content: TeamReportContent, key: TeamSectionKey): TeamBlock[] =>
  content.sections.find((section) => section.key === key)?.blocks ?? [];
const tablesOf = (content: TeamReportContent, key: TeamSectionKey) =>
  blocksOf(content, key).flatMap((block) => (block.type === 'table' ? [block] : []));
const textOf = (content: TeamReportContent, key: TeamSectionKey) =>
  blocksOf(content, key)
    .flatMap((block) => (block.type === 'text' ? [block.text] : block.type === 'list' ? block.items.map(({ text }) => text) : []))
    .join('\n');

describe('the group report of fixture A', () => {
  it('says who was tested, in the numbers of the statistics', async () => {
    const { teamreportcode, version } = await make();
    expect(teamreportcode).toMatch(/^TR\d{8}$/);
    expect(version).toBe(1);
    const { content, title, insname, datatime } = await read('chen', teamreportcode);
    expect([title, insname, datatime]).toEqual(['T1', '云栖市晨光中学', '2025-10-08 10:00:00']);
    expect(content.sections.map(({ key }) => key)).toEqual([
      ...['cover', 'method', 'overall', 'quotas', 'groups', 'compare', 'items', 'attention', 'suggestion', 'closing'],
    ]);
    expect(tablesOf(content, 'cover')[0]?.rows).toEqual([['13 人', '10 人', '9 人', '1 人', '0 人', '1 人', '2 人']]);
    expect(textOf(content, 'cover')).toContain('完成率（有效/应测）为69.2%');
  });

  it('has the five levels and the share of 需关注, without an interval below 30 persons', async () => {
    const { content } = await read('chen', (await make()).teamreportcode);
    expect(tablesOf(content, 'overall')[0]?.rows.map(([, count, rate]) => [count, rate])).toEqual([
      [2, '22.2%'],
      [3, '33.3%'],
      [3, '33.3%'],
      [1, '11.1%'],
      [0, '0.0%'],
    ]);
    expect(textOf(content, 'overall')).toContain('9 名有效受测者中，4 名需要关注，占44.4%');
    expect(JSON.stringify(blocksOf(content, 'overall'))).not.toContain('95%置信区间');
  });

  it('counts the indicators: mean, standard deviation, median and quartiles', async () => {
    const { content } = await read('chen', (await make()).teamreportcode);
    const [phq9, gad7] = tablesOf(content, 'quotas')[0]?.rows ?? [];
    // PHQ-9: 0, 2, 3, 4, 5, 6, 9, 12, 16; GAD-7: 0, 1, 2, 3, 4, 5, 9, 10, 15.
    expect(phq9?.slice(1)).toEqual([9, '6.3 ± 5.1', '5.0（3.0–9.0）', '0–27']);
    expect(gad7?.slice(1)).toEqual([9, '5.4 ± 4.9', '4.0（2.0–9.0）', '0–21']);
  });

  it('shows no group of so few persons, and no name', async () => {
    const { content } = await read('chen', (await make()).teamreportcode);
    expect(tablesOf(content, 'groups')).toEqual([]);
    expect(textOf(content, 'groups')).toContain('不显示分组结果');
    expect(JSON.stringify(content)).not.toMatch(/c0\d/);
  });

  it('compares nothing without an earlier task of the plan, and advises on the low completion', async () => {
    const { content } = await read('chen', (await make()).teamreportcode);
    expect(textOf(content, 'compare')).toBe('不作比较：没有更早的同方案任务。');
    const advice = blocksOf(content, 'suggestion').flatMap((block) => (block.type === 'list' ? block.items : []));
    expect(advice.map(({ commentids }) => commentids[0])).toEqual(['GR_LOWDONE', 'GR_HIGH', 'GR_DOUBTFUL', 'GR_FEW', 'GR_HELP']);
    expect(advice[1]?.because).toEqual(['规则GR_HIGH：需关注占44.4%']);
  });

  it('names a rule for each sentence, and never a diagnosis', async () => {
    const { content } = await read('chen', (await make()).teamreportcode);
    for (const { text, commentids } of teamSentencesOf(content)) {
      expect(commentids).toHaveLength(1);
      expect(text.length).toBeLessThanOrEqual(paragraphLimit);
      expect(findForbidden(text, 'self')).toEqual([]);
    }
    expect(textOf(content, 'closing')).toContain('团体数据不得用于对个人的评价');
  });

  it('shows no result of a scope with fewer than five valid persons', async () => {
    const { content } = await read('chen', (await make({ kind: 'teams', taskcode: 'T1', teamcodes: ['J1-1'] })).teamreportcode);
    expect(tablesOf(content, 'cover')[0]?.rows).toEqual([['5 人', '4 人', '4 人', '0 人', '0 人', '0 人', '1 人']]);
    for (const key of ['overall', 'quotas', 'groups', 'compare', 'items'] as const)
      expect(textOf(content, key)).toBe('有效人数少于5人，为保护个人信息，不显示结果。');
  });
});

describe('tiles and group reports', () => {
  const term = { year: '2025-2026', term: '1' };
  const range = { begindate: '2025-09-01', enddate: '2025-10-31' };
  const scopes: [string, object, RequestOf<typeof statistics.getAssessCount>][] = [
    ['a task', scope, { taskcode: 'T1' }],
    ['several classes', { kind: 'teams', taskcode: 'T1', teamcodes: ['J1-1', 'J1-2'] }, { taskcode: 'T1', gradecode: 'J1' }],
    ['a grade', { kind: 'grade', gradecode: 'J1', ...term }, { gradecode: 'J1', ...term }],
    ['a term of the institution', { kind: 'institution', ...term }, term],
    ['a period', { kind: 'period', ...range }, range],
  ];

  it.each(scopes)('of %s never disagree', async (_, of, filters) => {
    const as = server().as('chen');
    const { content } = await read('chen', (await make(of)).teamreportcode);
    const completion = statistics.toOwnFigures(await as(statistics.getAssessPeopleCompleteCount, filters));
    const { total, tested, complete, exempt, absent } = completion;
    expect(tablesOf(content, 'cover')[0]?.rows[0]?.slice(0, 6)).toEqual(
      [total, tested, complete, tested - complete, exempt, absent].map((count) => `${count} 人`),
    );
    const { valid, abnormal, rate, levels } = statistics.toOwnFigures(await as(statistics.getAssessAbnormalCount, filters));
    expect(valid).toBe(complete);
    expect(tablesOf(content, 'overall')[0]?.rows.map(([, count]) => count)).toEqual(levels);
    expect(textOf(content, 'overall')).toContain(`${valid} 名有效受测者中，${abnormal} 名需要关注，占${rate?.toFixed(1)}%`);
    const [depressed, anxious] = [
      await as(statistics.getDepressedQuotaCountRatio, filters),
      await as(statistics.getAnxiousQuotaCountRatio, filters),
    ];
    const charts = blocksOf(content, 'quotas').flatMap((block) =>
      block.type === 'chart' && block.chart.kind === 'stack' ? [block.chart] : [],
    );
    expect(charts[0]?.groups.map(({ counts }) => counts)).toEqual(
      [depressed, anxious].map(({ items }) => items.map(({ count }) => count)),
    );
    expect(percent(abnormal, valid)).toBe(rate);
  });
});

describe('a snapshot', () => {
  it('stays as it was, says that the data has changed, and is made again as a new version', async () => {
    const { as, sqlAsOwner, clock } = server();
    const { teamreportcode } = await make();
    expect(await read('chen', teamreportcode)).toMatchObject({ version: 1, isoutdated: 0 });
    await sqlAsOwner("update taskroster set status = 3, reason = '休学' where taskcode = 'T1' and cuserid = 'c12'");
    clock.now = new Date('2025-10-09T02:00:00Z');
    const outdated = await read('chen', teamreportcode);
    expect(outdated).toMatchObject({ version: 1, isoutdated: 1, datatime: '2025-10-08 10:00:00' });
    expect(await as('ma')(contract.insertTeamReport, { teamreportcode })).toEqual({ teamreportcode, version: 2 });
    const renewed = await read('chen', teamreportcode);
    expect(renewed).toMatchObject({ version: 2, isoutdated: 0, datatime: '2025-10-09 10:00:00', createname: '马主任' });
    expect(renewed.versions).toEqual([
      { version: 2, datatime: '2025-10-09 10:00:00', createname: '马主任' },
      { version: 1, datatime: '2025-10-08 10:00:00', createname: '陈静怡' },
    ]);
    const before = await as('chen')(contract.getTeamReport, { teamreportcode, version: 1 });
    expect(before.content).toEqual(outdated.content);
    expect(tablesOf(renewed.content, 'cover')[0]?.rows[0]?.slice(4)).toEqual(['1 人', '1 人', '1 人']);
  });

  it('is listed by kind and name, and deleted', async () => {
    const as = server().as('chen');
    const { teamreportcode } = await make({ kind: 'grade', gradecode: 'J2', taskcode: 'T1' });
    const find = async () => (await as(contract.getTeamReportPageList, { kind: 'grade', keyword: '初二' })).rows;
    expect(await find()).toMatchObject([{ teamreportcode, title: 'T1 · 初二', teamcount: 1, showncount: 0 }]);
    await as(contract.deleteTeamReport, { teamreportcode });
    expect(await find()).toEqual([]);
    await expect(read('chen', teamreportcode)).rejects.toMatchObject({ code: 130001 });
  });
});

describe('who reads a group report', () => {
  it('the psychologist, the head and the provider read all of it, another school nothing', async () => {
    const { teamreportcode } = await make();
    for (const who of ['chen', 'ma', 'fang'] as const)
      expect((await read(who, teamreportcode)).content.sections).toHaveLength(10);
    await expect(read('qiao', teamreportcode)).rejects.toMatchObject({ code: 130001 });
    expect((await server().as('qiao')(contract.getTeamReportPageList, {})).rows).toEqual([]);
    await expect(server().as('qiao')(contract.insertTeamReport, { scope })).rejects.toMatchObject({ code: 130001 });
  });

  it('the owner of a class reads ① ② ⑨ ⑩ once the institution has released the class', async () => {
    const { as, sqlAsOwner } = server();
    await sqlAsOwner("update assessteam set owneruserid = 'U_WANG' where teamcode = 'J1-1'");
    const { teamreportcode } = await make();
    await expect(read('wang', teamreportcode)).rejects.toMatchObject({ code: 130001 });
    await as('chen')(contract.showOrHiddenTeamReport, { teamcodes: ['J1-1'], isshow: 1 });
    const report = await read('wang', teamreportcode);
    expect(report.content.sections.map(({ key }) => key)).toEqual(['cover', 'method', 'suggestion', 'closing']);
    expect(report).toMatchObject({ isownerpart: 1, isoutdated: 0, hasannex: 0, teams: [], versions: [] });
    expect(JSON.stringify(report)).not.toContain('44.4');
    expect((await as('wang')(contract.getTeamReportPageList, {})).rows.map((row) => row.teamreportcode)).toContain(
      teamreportcode,
    );
    await expect(as('wang')(contract.insertTeamReport, { scope })).rejects.toMatchObject({ code: 110004 });
    await as('chen')(contract.showOrHiddenTeamReport, { teamcodes: ['J1-1'], isshow: 0 });
    await expect(read('wang', teamreportcode)).rejects.toMatchObject({ code: 130001 });
  });

  it('the owner of a class reads nothing on the whole institution, and nothing on other classes', async () => {
    const { as, sqlAsOwner } = server();
    await sqlAsOwner("update assessteam set owneruserid = 'U_WANG' where teamcode = 'J1-1'");
    await as('chen')(contract.showOrHiddenTeamReport, { teamcodes: ['J1-1', 'J2-1'], isshow: 1 });
    const other = await make({ kind: 'teams', taskcode: 'T1', teamcodes: ['J2-1'] });
    const all = await make({ kind: 'institution', year: '2025-2026', term: '1' });
    for (const { teamreportcode } of [other, all])
      await expect(read('wang', teamreportcode)).rejects.toMatchObject({ code: 130001 });
  });

  it('is shown by teams or by report, never by both', async () => {
    const as = server().as('chen');
    const { teamreportcode } = await make();
    for (const request of [{ isshow: 1 }, { isshow: 1, teamcodes: ['J1-1'], teamreportcode }])
      await expect(as(contract.showOrHiddenTeamReport, request)).rejects.toMatchObject({ code: 120002 });
    expect(await as(contract.showOrHiddenTeamReport, { teamreportcode, isshow: 1 })).toEqual({ updated: 1 });
    expect(await read('chen', teamreportcode)).toMatchObject({ isshow: 1 });
    await expect(server().as('qiao')(contract.showOrHiddenTeamReport, { teamreportcode, isshow: 0 })).rejects.toMatchObject({
      code: 130001,
    });
  });
});

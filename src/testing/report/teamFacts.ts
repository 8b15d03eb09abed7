import type { GroupFacts, TeamReportFacts } from '#domain/teamreport/teamreport.facts.ts';

const levelsOf = (valid: number, abnormal: number): number[] => {
  const severe = Math.round(abnormal * 0.3);
  const mild = Math.round((valid - abnormal) * 0.35);
  return [valid - abnormal - mild, mild, abnormal - severe, severe, 0];
};
const group = (key: string, name: string, valid: number, abnormal: number, more: Partial<GroupFacts> = {}): GroupFacts => ({
  ...{ key, name, total: valid + 2, valid, abnormal, levels: levelsOf(valid, abnormal) },
  ...more,
});

/** The facts of a screening of 240 pupils in two grades, with an earlier screening of the same plan. */
export const teamFacts = (more: Partial<TeamReportFacts> = {}): TeamReportFacts => ({
  kind: 'task',
  scopename: '2025年秋季心理健康普查',
  insname: '云栖市晨光中学',
  sector: 'edu',
  population: '学生',
  plans: ['学生心理健康筛查'],
  tasks: [{ taskname: '2025年秋季心理健康普查', begin: '2025-09-10 08:00:00', end: '2025-09-30 18:00:00' }],
  datatime: '2025-10-08 10:00:00',
  effort: { total: 252, tested: 244, complete: 240, exempt: 3, absent: 2 },
  outcome: { valid: 240, abnormal: 46, alert: 9, levels: levelsOf(240, 46) },
  cutoff: 2,
  domains: [
    { name: '抑郁症状', counts: [120, 80, 25, 10, 5] },
    { name: '焦虑症状', counts: [140, 70, 20, 10, 0] },
  ],
  forms: [
    {
      formcode: 'PHQ9',
      title: '患者健康问卷抑郁量表（PHQ-9）',
      version: '1.0.0',
      recall: '过去两周',
      citation: 'Kroenke K, Spitzer RL, Williams JBW. J Gen Intern Med. 2001;16(9):606-613.',
      bands: ['无抑郁症状 0—4，轻度 5—9，中度 10—14，中重度 15—19，重度 20—27'],
    },
    {
      formcode: 'GAD7',
      title: '广泛性焦虑量表（GAD-7）',
      version: '1.0.0',
      recall: '过去两周',
      citation: 'Spitzer RL, et al. Arch Intern Med. 2006;166(10):1092-1097.',
      bands: ['无焦虑症状 0—4，轻度 5—9，中度 10—14，重度 15—21'],
    },
  ],
  quotas: ['PHQ-9', 'GAD-7'].map((form, at) => ({
    quotacode: `${form.replace('-', '')}.total`,
    ...{ form, name: '总分', min: 0, max: at === 0 ? 27 : 21, n: 240, mean: 5.24 - at, sd: 4.71 },
    quartiles: [2, 4, 8 - at],
    levels: [
      { level: 0, name: '无症状', count: 130 },
      { level: 1, name: '轻度', count: 70 },
      { level: 2, name: '中度', count: 40 },
    ],
  })),
  dimensions: [
    {
      key: 'gender',
      title: '性别',
      groups: [group('01', '男', 118, 20, { total: null }), group('02', '女', 122, 26, { total: null })],
    },
    {
      key: 'grade',
      title: '年级与班级',
      groups: [
        group('g:J1', '初一', 120, 20),
        group('c:J1:1', '初一 1班', 40, 3, { parent: 'g:J1' }),
        group('c:J1:2', '初一 2班', 40, 8, { parent: 'g:J1' }),
        group('c:J1:3', '初一 3班', 40, 9, { parent: 'g:J1' }),
        group('g:J2', '初二', 120, 26),
        group('c:J2:1', '初二 1班', 60, 12, { parent: 'g:J2' }),
        group('c:J2:2', '初二 2班', 60, 14, { parent: 'g:J2' }),
      ],
    },
  ],
  earlier: {
    name: '2025年春季心理健康普查',
    from: { plancode: 'P1', forms: 'GAD7@1.0.0,PHQ9@1.0.0', cutoff: 2, count: 30, total: 236 },
    to: { plancode: 'P1', forms: 'GAD7@1.0.0,PHQ9@1.0.0', cutoff: 2, count: 46, total: 240 },
    pairs: { always: 18, onlyfirst: 10, onlysecond: 25, both: 220 },
    fromlevels: levelsOf(236, 30),
  },
  items: [
    { form: 'PHQ-9', text: '入睡困难、睡不安稳或睡眠过多', count: 66, total: 240 },
    { form: 'PHQ-9', text: '感觉疲倦或没有活力', count: 61, total: 240 },
    { form: 'GAD-7', text: '不能停止或控制担忧', count: 44, total: 240 },
    { form: 'GAD-7', text: '很难放松下来', count: 31, total: 240 },
    { form: 'GAD-7', text: '变得容易烦恼或急躁', count: 28, total: 240 },
    { form: 'PHQ-9', text: '动作或说话速度缓慢', count: 3, total: 240 },
  ],
  cases: [
    { level: 3, state: '02', isopen: true, overdue: 1, count: 4 },
    { level: 2, state: '06', isopen: true, overdue: 0, count: 9 },
    { level: 2, state: '07', isopen: false, overdue: 0, count: 3 },
  ],
  ...more,
});

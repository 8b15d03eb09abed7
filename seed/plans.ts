/** The default plans of each population, which the platform shares (scales.md 2.2). They use tier-A questionnaires only. */
export const plans = [
  {
    plancode: 'P900001',
    planname: '孕产妇心理健康标准方案（PHQ-9 + GAD-7）',
    appid: '000000001',
    retestdays: 28,
    introduce: '孕早期、孕中期、孕晚期和产后42天各测一次，约 5 分钟。',
    forms: ['PHQ9', 'GAD7'],
  },
  {
    plancode: 'P900002',
    planname: '学生心理健康标准方案（PHQ-9 + GAD-7）',
    appid: '000000002',
    retestdays: 28,
    introduce: '适用于 12 岁以上学生，每学年一次，约 5 分钟。',
    forms: ['PHQ9', 'GAD7'],
  },
  {
    plancode: 'P900003',
    planname: '高压职业人群标准方案（PHQ-9 + GAD-7 + PHQ-15 + K10）',
    appid: '000000003',
    retestdays: 180,
    introduce: '适用于医护、公安消防、教师等职业人群，约 10 分钟。',
    forms: ['PHQ9', 'GAD7', 'PHQ15', 'K10'],
  },
  {
    plancode: 'P900004',
    planname: '老年人心理健康标准方案（GDS-15 + GAD-7 + PHQ-2）',
    appid: '000000004',
    retestdays: 28,
    introduce: '适用于 60 岁以上，随老年人健康体检每年一次，约 6 分钟。',
    forms: ['GDS15', 'GAD7', 'PHQ2'],
  },
  {
    plancode: 'P900005',
    planname: '小学生心理困扰快筛（K10）',
    appid: '000000002',
    retestdays: 28,
    introduce: '适用于 9 岁以上小学生，约 3 分钟。',
    forms: ['K10'],
  },
] as const;

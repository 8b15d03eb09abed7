import type { Scale } from '#domain/scoring/scale.ts';

/**
 * Copenhagen Burnout Inventory, personal and work scales (Kristensen 2005). Each score is the mean of 0–100 frequencies and
 * needs at least 3 of 6 and 4 of 7 answered items. Levels: ≥50 moderate, ≥75 high, 100 severe.
 */
export const cbi: Scale = {
  schema: 'asds/1',
  formcode: 'CBI',
  version: '1.0.0',
  formtype: '01',
  title: '哥本哈根倦怠量表（个人/工作）',
  entitle: 'Copenhagen Burnout Inventory (personal, work)',
  tier: 'B',
  recall: '近期',
  instruction: '请选择最符合您情况的选项。',
  licencetext: '丹麦国家职业健康研究中心编制，免费使用；条目为本平台自行翻译。',
  citation:
    'Kristensen TS, Borritz M, Villadsen E, Christensen KB. The Copenhagen Burnout Inventory: a new tool for the assessment of burnout. Work Stress. 2005;19(3):192-207.',
  minutes: 4,
  appids: ['000000003'],
  agemin: 18,
  optionsets: {
    c5: [
      ['100', '总是／程度非常高', 100],
      ['75', '经常／程度高', 75],
      ['50', '有时／有一些', 50],
      ['25', '很少／程度低', 25],
      ['0', '从不／程度非常低', 0],
    ],
  },
  items: [
    { c: 'p1', o: 'c5', t: '您多久感到疲倦？' },
    { c: 'p2', o: 'c5', t: '您多久感到身体精疲力尽？' },
    { c: 'p3', o: 'c5', t: '您多久感到情绪上精疲力尽？' },
    { c: 'p4', o: 'c5', t: '您多久会想“我再也受不了了”？' },
    { c: 'p5', o: 'c5', t: '您多久感到筋疲力竭？' },
    { c: 'p6', o: 'c5', t: '您多久感到虚弱、容易生病？' },
    { c: 'w1', o: 'c5', t: '您的工作在情绪上令人疲惫吗？' },
    { c: 'w2', o: 'c5', t: '您因为工作感到倦怠吗？' },
    { c: 'w3', o: 'c5', t: '您的工作令您沮丧吗？' },
    { c: 'w4', o: 'c5', t: '工作一天结束时您感到筋疲力尽吗？' },
    { c: 'w5', o: 'c5', t: '一早想到又要上班您就感到疲惫吗？' },
    { c: 'w6', o: 'c5', t: '您觉得工作的每个小时都很累吗？' },
    { c: 'w7', o: 'c5', t: '闲暇时您有足够的精力陪伴家人和朋友吗？' },
  ],
  reverse: ['w7'],
  scores: [
    {
      c: 'personal',
      n: '个人倦怠',
      op: 'mean',
      of: 'p1..p6',
      miss: { max: 3, how: 'prorate' },
      post: [['round', 1]],
      min: 0,
      max: 100,
      primary: true,
      better: 'low',
      domain: '03',
    },
    {
      c: 'work',
      n: '工作倦怠',
      op: 'mean',
      of: 'w1..w7',
      miss: { max: 3, how: 'prorate' },
      post: [['round', 1]],
      min: 0,
      max: 100,
      primary: true,
      better: 'low',
      domain: '03',
    },
  ],
  bandmode: { personal: 'halfopen', work: 'halfopen' },
  bands: {
    personal: [
      [0, 50, 0, '低'],
      [50, 75, 2, '中'],
      [75, 100, 3, '高'],
      [100, null, 4, '重'],
    ],
    work: [
      [0, 50, 0, '低'],
      [50, 75, 2, '中'],
      [75, 100, 3, '高'],
      [100, null, 4, '重'],
    ],
  },
};

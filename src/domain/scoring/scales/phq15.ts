import type { Scale } from '#domain/scoring/scale.ts';

/**
 * PHQ-15, adults only (item 11 asks about sexual intercourse). Levels 0–4, 5–9, 10–14, 15–30: Kroenke 2002 (Psychosom Med
 * 64:258). Item 4 is for women only. Up to three missing items are prorated.
 */
export const phq15: Scale = {
  schema: 'asds/1',
  formcode: 'PHQ15',
  version: '1.0.0',
  formtype: '01',
  title: '患者健康问卷躯体症状群量表（PHQ-15）',
  entitle: 'PHQ-15',
  tier: 'A',
  recall: '过去四周',
  instruction: '在过去四周里，您受到以下问题的困扰有多大？',
  licencetext: '辉瑞公司声明：复制、翻译、展示或分发本量表无需许可。',
  citation:
    'Kroenke K, Spitzer RL, Williams JBW. The PHQ-15: validity of a new measure for evaluating the severity of somatic symptoms. Psychosom Med. 2002;64(2):258-266.',
  minutes: 3,
  appids: ['000000001', '000000003'],
  agemin: 18,
  loinc: { panel: '69728-4', total: '70273-8' },
  optionsets: {
    b3: [
      ['0', '没有困扰', 0],
      ['1', '有点困扰', 1],
      ['2', '非常困扰', 2],
    ],
  },
  items: [
    { c: 'q1', o: 'b3', loinc: '69671-6', t: '胃痛' },
    { c: 'q2', o: 'b3', loinc: '69672-4', t: '背痛' },
    { c: 'q3', o: 'b3', loinc: '69673-2', t: '胳膊、腿或关节疼痛（膝关节、髋关节等）' },
    { c: 'q4', o: 'b3', loinc: '69674-0', showif: { person: 'gender', eq: '02' }, t: '痛经或月经期间其他问题（仅女性）' },
    { c: 'q5', o: 'b3', loinc: '69675-7', t: '头痛' },
    { c: 'q6', o: 'b3', loinc: '69676-5', t: '胸痛' },
    { c: 'q7', o: 'b3', loinc: '69677-3', t: '头晕' },
    { c: 'q8', o: 'b3', loinc: '69678-1', t: '一阵阵眩晕、昏厥' },
    { c: 'q9', o: 'b3', loinc: '69679-9', t: '感到心怦怦跳或心跳加快' },
    { c: 'q10', o: 'b3', loinc: '69680-7', t: '气短' },
    { c: 'q11', o: 'b3', loinc: '69717-7', t: '性生活中的疼痛或其他问题' },
    { c: 'q12', o: 'b3', loinc: '69681-5', t: '便秘、大便稀或腹泻' },
    { c: 'q13', o: 'b3', loinc: '69682-3', t: '恶心、胀气或消化不良' },
    { c: 'q14', o: 'b3', t: '感到疲劳或没有精神' },
    { c: 'q15', o: 'b3', t: '睡眠有问题' },
  ],
  scores: [
    {
      c: 'total',
      n: '躯体症状总分',
      op: 'sum',
      of: 'q1..q15',
      miss: { max: 3, how: 'prorate' },
      post: [['round', 0]],
      min: 0,
      max: 30,
      primary: true,
      better: 'low',
      domain: '04',
    },
    {
      c: 'nsevere',
      n: '非常困扰条目数',
      op: 'count',
      of: 'q1..q15',
      where: { gte: 2 },
      miss: { max: 3, how: 'zero' },
      domain: '04',
    },
  ],
  bands: {
    total: [
      [0, 4, 0, '很轻'],
      [5, 9, 1, '轻度'],
      [10, 14, 2, '中度'],
      [15, 30, 3, '重度'],
    ],
  },
};

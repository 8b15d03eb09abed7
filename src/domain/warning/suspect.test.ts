import { expect, test } from 'vitest';
import { findSigns } from '#domain/warning/clock/caseduty.ts';
import { isSuspectedGuardian, isSuspectedHelper, joinSuspects } from '#domain/warning/suspect.ts';

const father = { name: '林建国', relation: '01' };
const mother = { name: '周敏', relation: '02' };

test.each([
  ['林建国', true, false],
  ['父亲 林建国', true, false],
  ['她父亲', true, false],
  ['周敏（母亲）', false, true],
  ['父母', true, true],
  ['父亲的朋友张某', false, false],
  ['同学的母亲', false, false],
  ['校外人员', false, false],
])('the suspect “%s” means the father: %s, the mother: %s', (suspects, isFather, isMother) => {
  expect([isSuspectedGuardian(suspects, father), isSuspectedGuardian(suspects, mother)]).toEqual([isFather, isMother]);
});

test('a helper named by relation alone is the suspected parent; a later report keeps the earlier suspect', () => {
  expect(isSuspectedHelper('母亲周敏', { name: '妈妈', relation: '' })).toBe(true);
  expect(isSuspectedHelper('母亲周敏', { name: '张老师', relation: '班主任' })).toBe(false);
  expect(joinSuspects('林建国', '周敏')).toBe('林建国、周敏');
  expect(joinSuspects('林建国', '')).toBe('林建国');
});

test.each([
  ['她昨晚喝农药被救回', 'attempt'],
  ['他吃了一瓶安眠药', 'attempt'],
  ['站在天台边缘被拦下', 'attempt'],
  ['用刀片划手臂', 'attempt'],
  ['昨晚试图自杀', 'attempt'],
  ['他说要自杀', 'plan'],
  ['网上约死', 'plan'],
  ['把东西分给同学，说以后用不上了', 'farewell'],
  ['她说父亲打她', 'abuse'],
  ['老师摸她的身体', 'abuse'],
  ['爸爸不给饭吃，把她关在门外', 'abuse'],
  ['同学多次勒索他', 'abuse'],
  ['正在医院抢救', 'injury'],
] as const)('a report in plain words names its sign: %s', (text, sign) => {
  expect(findSigns(text)).toContain(sign);
});

test.each(['作文被打满分', '不想活了', '今天没有交作业'])('a report without an act or a plan names no sign: %s', (text) => {
  expect(findSigns(text)).toEqual([]);
});

import { expect, test } from 'vitest';
import * as band from '#features/bandset/bandset.contract.ts';
import { startServer } from '#testing/server.ts';

const total = 'PHQ9.total';
const students = '000000002';
const row = (minscore: number, maxscore: number, level: number, levelname: string, more = {}) => ({
  minscore,
  maxscore,
  level,
  levelname,
  ...more,
});
/** 8 and 9 count as moderate; the definition begins at 10. */
const strict = [
  row(0, 4, 0, '平稳'),
  row(5, 7, 1, '轻'),
  row(8, 14, 2, '需要关注', { comment: '这段时间您可能比较累。', suggestion: '本校：周三下午可以到心理中心聊聊。' }),
  row(15, 19, 3, '较重'),
  row(20, 27, 4, '很重'),
];
const usual = [row(0, 4, 0, '平稳'), row(5, 9, 1, '轻'), row(10, 14, 2, '中'), row(15, 19, 3, '较重'), row(20, 27, 4, '很重')];

test('a school copies the bands of the definition, makes them stricter and switches them on as a whole', async () => {
  const { as } = await startServer();
  const before = await as('chen')(band.getQuotaFormOptionList, { quotacode: total, pageSize: 200 });
  expect(before.rows.map(({ source, optionid, levelname }) => [source, optionid, levelname])).toMatchObject([
    ['definition', null, expect.any(String)],
    ['definition', null, expect.any(String)],
    ['definition', null, expect.any(String)],
    ['definition', null, expect.any(String)],
    ['definition', null, expect.any(String)],
  ]);
  const { optionids } = await as('chen')(band.insertQuotaFormOption, { quotacode: total, appid: students, options: strict });
  const own = async () =>
    (await as('chen')(band.getQuotaFormOptionList, { quotacode: total, pageSize: 200 })).rows.filter(
      ({ source }) => source === 'own',
    );
  expect((await own()).map(({ enabled, validfrom }) => [enabled, validfrom])).toEqual(Array(5).fill([0, null]));
  await as('chen')(band.updateQuotaFormOption, { optionid: optionids[0] as number, enabled: 1 });
  expect((await own()).map(({ enabled, validfrom, level }) => [enabled, validfrom, level])).toEqual(
    [0, 1, 2, 3, 4].map((level) => [1, '2025-10-08 10:00:00', level]),
  );
  // An edit is a draft: what is in force stays in force.
  await as('chen')(band.updateQuotaFormOption, { optionid: optionids[2] as number, levelname: '要多关心' });
  expect((await own()).map(({ enabled, validfrom }) => [enabled, validfrom !== null])).toEqual(Array(5).fill([0, true]));
  await expect(as('chen')(band.deleteQuotaFormOption, { optionid: optionids[0] as number })).rejects.toMatchObject({
    code: 130003,
  });
  await as('chen')(band.updateQuotaFormOption, { optionid: optionids[0] as number, enabled: 0 });
  expect((await own()).map(({ enabled, validfrom }) => [enabled, validfrom])).toEqual(Array(5).fill([0, null]));
  await as('chen')(band.deleteQuotaFormOption, { optionid: optionids[0] as number, whole: 1 });
  expect(await own()).toEqual([]);
});

test('bands below the definition, with gaps or with forbidden words are refused at their place', async () => {
  const { as } = await startServer();
  const save = (options: typeof strict) => as('chen')(band.insertQuotaFormOption, { quotacode: total, options });
  const low = usual.map((option) => (option.minscore === 5 ? { ...option, level: 0 } : option));
  const { optionid } = await save(low);
  await expect(as('chen')(band.updateQuotaFormOption, { optionid, enabled: 1 })).rejects.toMatchObject({
    code: 120002,
    message: '5 分：本机构 0 级，低于定义的 1 级',
  });
  await save(usual.slice(1));
  const [first] = (await as('chen')(band.getQuotaFormOptionList, { quotacode: total, pageSize: 200 })).rows.filter(
    ({ source }) => source === 'own',
  );
  await expect(as('chen')(band.updateQuotaFormOption, { optionid: first?.optionid as number, enabled: 1 })).rejects.toMatchObject(
    { message: '0 分没有等级，请从 0 分开始' },
  );
  await expect(save([row(0, 27, 4, '关注', { comment: '您患有抑郁。' })])).rejects.toMatchObject({
    code: 120002,
    message: expect.stringContaining('筛查不能说明患病'),
  });
  await expect(
    as('chen')(band.insertQuotaFormOption, { quotacode: total, agemin: 16, agemax: 12, options: usual }),
  ).rejects.toMatchObject({ message: '最大年龄应不小于最小年龄' });
  await expect(as('chen')(band.insertQuotaFormOption, { quotacode: 'PHQ9.nothing', options: usual })).rejects.toMatchObject({
    code: 130001,
  });
});

test('a set of the provider binds the schools below it, and a school that edits one of its rows gets an own copy', async () => {
  const { as, clock } = await startServer();
  const { optionids } = await as('fang')(band.insertQuotaFormOption, { quotacode: total, options: strict });
  await as('fang')(band.updateQuotaFormOption, { optionid: optionids[0] as number, enabled: 1 });
  const draft = await as('chen')(band.insertQuotaFormOption, { quotacode: total, appid: students, options: usual });
  await expect(as('chen')(band.updateQuotaFormOption, { optionid: draft.optionid, enabled: 1 })).rejects.toMatchObject({
    message: '8 分：本机构 1 级，低于上级“安澜心理”的 2 级',
  });
  const above = (await as('chen')(band.getQuotaFormOptionList, { quotacode: total, pageSize: 200 })).rows.filter(
    ({ source }) => source === 'above',
  );
  expect(above.map(({ insname, minscore }) => [insname, minscore])).toEqual(
    [0, 5, 8, 15, 20].map((score) => ['安澜心理', score]),
  );
  const copy = await as('chen')(band.updateQuotaFormOption, { optionid: optionids[2] as number, comment: '这几天您辛苦了。' });
  expect(copy).toMatchObject({ copied: 1 });
  const general = async () =>
    (await as('chen')(band.getQuotaFormOptionList, { quotacode: total, pageSize: 200 })).rows.filter(
      ({ source, appid }) => source === 'own' && appid === null,
    );
  expect((await general()).map(({ comment, originchanged }) => [comment, originchanged])).toEqual([
    ['', 0],
    ['', 0],
    ['这几天您辛苦了。', 0],
    ['', 0],
    ['', 0],
  ]);
  await as('chen')(band.updateQuotaFormOption, { optionid: copy.optionid, enabled: 1 });
  clock.now = new Date('2025-10-09T02:00:00Z');
  await as('fang')(band.updateQuotaFormOption, { optionid: optionids[1] as number, levelname: '轻微', enabled: 1 });
  expect((await general()).map(({ originchanged }) => originchanged)).toEqual([1, 1, 1, 1, 1]);
});

test('nobody changes, switches on or deletes the rows of another institution', async () => {
  const { as } = await startServer();
  const { optionid } = await as('chen')(band.insertQuotaFormOption, { quotacode: total, options: strict });
  for (const other of ['qiao', 'fang', 'lin', 'super'] as const) {
    await expect(as(other)(band.updateQuotaFormOption, { optionid, enabled: 1 })).rejects.toMatchObject({ code: 130001 });
    await expect(as(other)(band.deleteQuotaFormOption, { optionid })).rejects.toMatchObject({ code: 130001 });
    const { rows } = await as(other)(band.getQuotaFormOptionList, { quotacode: total, pageSize: 200 });
    expect(rows.filter(({ source }) => source !== 'definition')).toEqual([]);
  }
  await expect(as('zhou')(band.getQuotaFormOptionList, { quotacode: total })).rejects.toMatchObject({ code: 110004 });
});

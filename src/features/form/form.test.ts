import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answers, Scale } from '#domain/scoring/scale.ts';
import { workedCases } from '#domain/scoring/scales/cases.ts';
import { library, scaleOf } from '#domain/scoring/scales/library.ts';
import * as form from '#features/form/form.contract.ts';
import { sharedServer, type TestServer } from '#testing/server.ts';

const shared = sharedServer();

/** Returns the answers of a worked case by item code. */
function answersOf(scale: Scale, { a, fill, set, o }: (typeof workedCases)[number]): Record<string, string | null> {
  const codes = a?.split(' ') ?? [];
  const itemAnswers = scale.items.map(
    (item, index) => [item.c, fill ?? (codes[index] === undefined || codes[index] === '-' ? null : codes[index])] as const,
  );
  return { ...Object.fromEntries(itemAnswers), ...set, ...(o as Record<string, string> | undefined) };
}

/** Returns the value of a response that a key of the worked cases names. */
const valueOf = (result: NonNullable<Awaited<ReturnType<typeof preview>>['result']>, key: string): unknown => {
  if (key === 'overall') return result.overalllevel;
  if (key === 'alerts' || key === 'flags' || key === 'valid') return result[key];
  if (key.startsWith('level.')) return result.levels[key.slice(6)];
  return result.scores[key];
};
const preview = ({ as }: TestServer, formcode: string, answers: Answers, person = {}) =>
  as('chen')(form.previewScore, { formcode, answers: answers as never, person });

test('trial scoring reproduces every worked example of the library', async () => {
  const server = shared();
  const testedForms = new Set<string>();
  for (const workedCase of workedCases) {
    const scale = scaleOf(workedCase.form);
    if (!scale) continue;
    testedForms.add(workedCase.form);
    const { result, steps } = await preview(server, workedCase.form, answersOf(scale, workedCase), workedCase.p);
    expect(result, workedCase.id).not.toBeNull();
    for (const [key, value] of Object.entries(workedCase.e))
      expect([workedCase.id, key, result && valueOf(result, key)]).toEqual([workedCase.id, key, value]);
    expect(steps.at(-1)?.kind).toBe('overall');
  }
  for (const formcode of ['PHQ9', 'GAD7', 'GDS15', 'K10', 'WHO5', 'EPDS', 'SDS', 'DASS21', 'PHQ15'])
    expect(testedForms).toContain(formcode);
});

test('every shipped form can be trial-scored with any answers, and the explanation ends in a level', async () => {
  const server = shared();
  const anyAnswer = (scale: Scale) =>
    fc.record(
      Object.fromEntries(
        scale.items.map((item) => {
          const codes = (scale.optionsets[item.o ?? ''] ?? []).map(([code]) => code);
          const options: fc.Arbitrary<string> = codes.length ? fc.constantFrom(...codes) : fc.constantFrom('1', '2');
          const answer: fc.Arbitrary<string | string[]> = item.type === 2 ? fc.uniqueArray(options, { maxLength: 3 }) : options;
          return [item.c, fc.option(answer)];
        }),
      ),
    );
  for (const scale of library)
    await fc.assert(
      fc.asyncProperty(anyAnswer(scale), fc.constantFrom('01', '02'), async (answers, gender) => {
        const { kind, items, result, steps } = await preview(server, scale.formcode, answers, { gender, age: 30 });
        expect(kind === 'invalid' ? result : items.length === 0).toBe(kind === 'invalid' ? null : kind === 'scored');
        expect(steps.at(-1)?.kind).toBe('overall');
      }),
      { numRuns: 6 },
    );
  expect(server.errors).toEqual([]);
});

test('trial scoring saves no rows, and answers outside the options give no score', async () => {
  const server = shared();
  const { kind, items, result } = await preview(server, 'PHQ9', { q1: '7' });
  expect([kind, items, result]).toEqual(['invalid', ['q1'], null]);
  const rows = await server.sqlAsOwner<{ n: number }>(
    'select (select count(*) from examrecord) + (select count(*) from examform) + (select count(*) from examalertanswer) as n',
  );
  expect(Number(rows[0]?.n)).toBe(0);
});

test('the form library is filtered by population, type and licence tier', async () => {
  const { as } = shared();
  const all = await as('chen')(form.getFormPageList, { pageSize: 200 });
  expect(all.total).toBe(library.length);
  expect(all.rows[0]).toMatchObject({
    formcode: 'PHQ9',
    tier: 'A',
    usable: 1,
    itemcount: 10,
    currentversion: scaleOf('PHQ9')?.version,
  });
  const licensed = await as('chen')(form.getFormPageList, { tier: 'C', pageSize: 200 });
  expect(licensed.rows.map((row) => [row.formcode, row.usable])).toEqual(
    library.filter(({ tier }) => tier === 'C').map(({ formcode }) => [formcode, 0]),
  );
  const elders = await as('chen')(form.getFormPageList, { appid: '000000004', formtype: '01', pageSize: 200 });
  expect(elders.rows.map((row) => row.formcode)).toContain('GDS15');
  expect((await as('chen')(form.getFormPageList, { formname: 'gds' })).rows.map((row) => row.formcode)).toEqual(['GDS15']);
  await expect(as('nobody')(form.getFormPageList, {})).rejects.toMatchObject({ code: 110004 });
});

test('a form shows its definition, indicators, versions and licence conditions', async () => {
  const { as } = shared();
  const phq9 = await as('chen')(form.getFormDetail, { formcode: 'PHQ9' });
  // Nine symptom items and the item about difficulty, which has no score.
  expect(phq9.definition.items).toHaveLength(10);
  expect(phq9.definition.bands['total']).toHaveLength(5);
  expect(phq9.quotas.map((quota) => quota.quotacode)).toContain('PHQ9.total');
  expect(phq9.versions.map((version) => version.version)).toEqual([phq9.currentversion]);
  expect(phq9.citation).not.toBe('');
  const epds = await as('chen')(form.getFormDetail, { formcode: 'EPDS' });
  expect(epds.blockers.join()).toContain('授权');
  await expect(as('chen')(form.getFormDetail, { formcode: 'NONE9' })).rejects.toMatchObject({
    code: 130001,
    message: '量表不存在或已删除',
  });
});

test('an administrator accepts a conditional licence for the own institution with name, time and purpose', async () => {
  const { as, sqlAsOwner } = shared();
  expect((await as('chen')(form.getFormDetail, { formcode: 'WHO5' })).usable).toBe(0);
  const request = { formcode: 'WHO5', accepted: 1 as const, note: '校内公益筛查，不收费' };
  await expect(as('chen')(form.acceptFormLicence, request)).rejects.toMatchObject({ code: 110004 });
  expect(await as('ma')(form.acceptFormLicence, request)).toEqual({ missing: [] });
  expect(await as('chen')(form.getFormDetail, { formcode: 'WHO5' })).toMatchObject({
    usable: 1,
    licenceaccepted: 1,
    licence: { acceptname: '马主任', accepttime: '2025-10-08 10:00:00', note: '校内公益筛查，不收费' },
  });
  // The acceptance does not count for another school.
  expect((await as('qiao')(form.getFormDetail, { formcode: 'WHO5' })).licenceaccepted).toBe(0);
  await as('ma')(form.acceptFormLicence, { ...request, note: '第二次确认' });
  expect((await as('chen')(form.getFormDetail, { formcode: 'WHO5' })).licence.note).toBe('校内公益筛查，不收费');
  await expect(as('ma')(form.acceptFormLicence, { ...request, formcode: 'PHQ9' })).rejects.toMatchObject({ code: 140001 });
  const auditRows = await sqlAsOwner<{ accountid: string; objectid: string }>(
    "select accountid, objectid from audit.log where action = 'as.m.assess.forms.acceptFormLicence' order by id",
  );
  expect(auditRows[0]).toEqual({ accountid: 'U_MA', objectid: 'WHO5' });
});

test('the indicator filters have the levels of each indicator of the form', async () => {
  const { as } = shared();
  const conditions = await as('chen')(form.getQuotaFilterConditions, { plancode: 'P900002' });
  expect(conditions.map((item) => item.formcode)).toEqual(['PHQ9', 'GAD7']);
  expect(conditions[0]?.quotas.find((quota) => quota.quotacode === 'PHQ9.total')?.options.map((option) => option.level)).toEqual([
    0, 1, 2, 3, 4,
  ]);
  expect((await as('chen')(form.getQuotaList, { formcode: 'GAD7' })).map((quota) => quota.quotacode)).toContain('GAD7.total');
});

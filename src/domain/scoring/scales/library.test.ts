import { describe, expect, it } from 'vitest';
import { expand } from '#domain/scoring/condition.ts';
import { library, quotasOf, scaleOf } from '#domain/scoring/scales/library.ts';
import { findForbidden } from '#domain/report/forbiddenWording.ts';

describe('the shipped library', () => {
  it('contains the instruments, skeletons and own forms, each code once', () => {
    const codes = library.map((scale) => scale.formcode);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual(
      (
        'PHQ9 GAD7 PHQ4 PHQ2 GAD2 PHQ15 GDS15 CESD K10 K6 ASQ PCPTSD5 DASS21 WHO5 PSS10 CBI EPDS SDS SAS SCL90 MHT ' +
        'TEACHOBS CAREOBS MATREG STUREG WORKREG OLDREG CONSULTREG FOLLOWREG INTERVIEW'
      ).split(' '),
    );
    expect(scaleOf('TDEMO')).toBeUndefined();
  });

  it.each(library.map((scale) => [scale.formcode, scale] as const))(
    '%s refers only to its own items, options and scores',
    (_code, scale) => {
      const items = scale.items.map((item) => item.c);
      expect(new Set(items).size).toBe(items.length);
      const scores = scale.scores.map((def) => def.c);
      expect(new Set(scores).size).toBe(scores.length);
      for (const item of scale.items) if ((item.type ?? 1) !== 0) expect(scale.optionsets[item.o ?? ''], item.c).toBeDefined();
      for (const rows of Object.values(scale.optionsets)) expect(new Set(rows.map(([code]) => code)).size).toBe(rows.length);
      for (const def of scale.scores) {
        const codes = def.of === undefined ? [] : expand(def.of, scale.items);
        expect(items, def.c).toEqual(expect.arrayContaining([...codes]));
        expect(new Set(codes).size).toBe(codes.length);
        if (def.ref !== undefined) expect(scores.slice(0, scores.indexOf(def.c))).toContain(def.ref);
      }
      expect(items).toEqual(expect.arrayContaining([...(scale.reverse ?? [])]));
      const conditions = JSON.stringify([
        scale.items.map((item) => item.showif ?? null),
        scale.alerts ?? [],
        scale.validity ?? [],
        scale.derive ?? [],
      ]);
      for (const [, code] of conditions.matchAll(/"item":"(\w+)"/g)) expect(items).toContain(code);
      for (const [, code] of conditions.matchAll(/"score":"(\w+)"/g)) expect(scores).toContain(code);
      for (const next of scale.nextform ?? []) expect(scaleOf(next.formcode)).toBeDefined();
    },
  );

  it('sends a positive short form on to the longer one in the same sitting', () => {
    const next = Object.fromEntries(
      library.flatMap((scale) => (scale.nextform ? [[scale.formcode, scale.nextform.map(({ formcode }) => formcode)]] : [])),
    );
    expect(next).toEqual({
      PHQ4: ['PHQ9', 'GAD7'],
      PHQ2: ['PHQ9'],
      GAD2: ['GAD7'],
      GDS15: ['PHQ9'],
      CESD: ['PHQ9'],
      K10: ['PHQ9'],
      K6: ['PHQ9'],
      DASS21: ['PHQ9'],
      WHO5: ['PHQ9'],
    });
  });

  it('offers the ASQ, observation lists and staff records to staff only', () => {
    const staff = library.filter((scale) => scale.capturemode === 'staff').map((scale) => scale.formcode);
    expect(staff).toEqual(['ASQ', 'TEACHOBS', 'CAREOBS', 'FOLLOWREG', 'INTERVIEW']);
  });
});

describe('the wording of the library', () => {
  it('has no forbidden word in the titles, level labels and score names of self-reports', () => {
    const finds = library
      .filter((scale) => scale.capturemode !== 'staff')
      .flatMap((scale) => [
        scale.title,
        ...Object.values(scale.bands).flatMap((bands) => bands.map(([, , , label]) => label)),
        ...scale.scores.map((def) => def.n),
      ])
      .flatMap((text) => findForbidden(text, 'self').map(({ word }) => `${word} in ${text}`));
    expect(finds).toEqual([]);
  });

  it('names no disease, drug or certainty in the alerts for staff', () => {
    const finds = library
      .flatMap((scale) => [...(scale.alerts ?? []), ...(scale.validity ?? [])].map(({ msg }) => msg))
      .concat(library.flatMap((scale) => Object.values(scale.bands).flatMap((bands) => bands.map(([, , , label]) => label))))
      .flatMap((text) => findForbidden(text, 'staff').map(({ word }) => `${word} in ${text}`));
    expect(finds).toEqual([]);
  });
});

describe('the indicators of the library', () => {
  const quota = (code: string) => library.flatMap(quotasOf).find((candidate) => candidate.quotacode === code);

  it('mark the depression and anxiety totals for the statistics', () => {
    expect(quota('PHQ9.total')).toEqual({
      quotacode: 'PHQ9.total',
      formcode: 'PHQ9',
      scorecode: 'total',
      quotaname: '抑郁总分',
      kind: '01',
      domain: '01',
      isprimary: 1,
      minscore: 0,
      maxscore: 27,
      better: 'low',
    });
    const main = (domain: string) =>
      library
        .flatMap(quotasOf)
        .filter((item) => item.domain === domain && item.isprimary === 1 && item.kind === '01')
        .map((item) => item.formcode);
    expect(main('01')).toEqual(['PHQ9', 'PHQ2', 'GDS15', 'CESD', 'EPDS', 'SDS']);
    expect(main('02')).toEqual(['GAD7', 'GAD2', 'SAS']);
  });

  it('distinguish totals, factors, counts and validity scores', () => {
    expect(['PHQ9.nsym', 'MHT.lie', 'DASS21.dep', 'WHO5.total', 'ASQ.pos'].map((code) => quota(code)?.kind)).toEqual([
      '04',
      '03',
      '02',
      '01',
      '01',
    ]);
    expect(['WHO5.total', 'ASQ.pos', 'PHQ15.total', 'K10.total'].map((code) => quota(code)?.domain)).toEqual([
      '06',
      '07',
      '04',
      '03',
    ]);
    expect(quota('WHO5.total')?.better).toBe('high');
  });

  it('compute the limits that a form does not declare', () => {
    expect(quota('CESD.pos')).toMatchObject({ minscore: 0, maxscore: 12 });
    expect(quota('SCL90.dep')).toMatchObject({ minscore: 1, maxscore: 5 });
    expect(quota('MHT.study')).toMatchObject({ minscore: 0, maxscore: 15 });
    expect(quota('SCL90.pos')).toMatchObject({ minscore: 0, maxscore: 90 });
  });
});

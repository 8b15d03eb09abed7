import { describe, expect, it } from 'vitest';
import type { FormWording } from '#domain/scoring/licence.ts';
import { checkPublishable, checkUsable, withWording } from '#domain/scoring/licence.ts';
import { dass21 } from '#domain/scoring/scales/dass21.ts';
import { epds } from '#domain/scoring/scales/epds.ts';
import { library } from '#domain/scoring/scales/library.ts';
import { phq9 } from '#domain/scoring/scales/phq9.ts';
import { pss10 } from '#domain/scoring/scales/pss10.ts';
import { score } from '#domain/scoring/scoring.ts';

const wordingOf = (count: number, options?: readonly string[]): FormWording =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `q${index + 1}`,
      { text: `获授权的第${index + 1}题`, ...(options && { options }) },
    ]),
  );

describe('an institution may use a form', () => {
  it('of tiers A and S at once', () => {
    for (const scale of library.filter(({ tier }) => tier === 'A' || tier === 'S')) {
      expect([scale.formcode, checkUsable(scale)]).toEqual([scale.formcode, { ok: true, reasons: [] }]);
    }
  });

  it('of tier B after an administrator accepted its conditions', () => {
    expect(checkUsable(dass21).reasons).toEqual(['该量表附有使用条件（非商业、注明出处等），须由机构管理员确认接受后启用']);
    expect(checkUsable(dass21, { accepted: true }).ok).toBe(true);
  });

  it('of tier B without text, the PSS-10, only with wording too', () => {
    expect(checkUsable(pss10, { accepted: true }).ok).toBe(false);
    expect(checkUsable(pss10, { accepted: true, wording: wordingOf(10) }).ok).toBe(true);
  });

  it('of tier C, the EPDS, only with all texts, all option labels and a licence proof', () => {
    const options = ['选项一', '选项二', '选项三', '选项四'];
    expect(checkUsable(epds).reasons).toHaveLength(3);
    expect(checkUsable(epds, { wording: wordingOf(10, options) }).reasons).toEqual(['该量表文字受版权保护，须上传授权证明']);
    expect(checkUsable(epds, { proof: true, wording: wordingOf(9, options) }).reasons).toEqual([
      '有1道题目没有题干文字（q10），须由机构提供获授权的文字',
      '有1道题目的选项没有文字（q10），须由机构提供获授权的文字',
    ]);
    expect(checkUsable(epds, { proof: true, wording: wordingOf(10) }).ok).toBe(false);
    expect(checkUsable(epds, { proof: true, wording: wordingOf(10, options) }).ok).toBe(true);
  });

  it('of tier C without texts if staff enter scores from a licensed paper copy', () => {
    for (const scale of library.filter(({ tier }) => tier === 'C')) {
      expect(checkUsable(scale, { capturemode: 'score' }).ok).toBe(true);
      expect(checkPublishable(scale).ok).toBe(false);
    }
  });

  it('with its own wording and the same scores', () => {
    const worded = withWording(epds, wordingOf(10, ['甲', '乙', '丙', '丁']));
    const worst = Object.fromEntries(
      ['4', '4', '1', '4', '1', '1', '1', '1', '1', '1'].map((code, index) => [`q${index + 1}`, code]),
    );
    expect(score(worded, worst)).toEqual(score(epds, worst));
    expect(checkPublishable(worded)).toEqual({ ok: true, reasons: [] });
  });
});

describe('the check before publishing', () => {
  it('requires options for every choice and at least one question', () => {
    expect(checkPublishable({ ...phq9, optionsets: {} }).reasons[0]).toMatch('10道选择题没有选项');
    expect(checkPublishable({ ...phq9, items: [] }).reasons).toEqual(['量表没有题目']);
  });

  it('finds no wording in any tier-C form and a licence line in every form', () => {
    for (const scale of library) {
      if (scale.tier === 'C') expect(scale.items.every((item) => item.t === '')).toBe(true);
      expect([scale.formcode, Boolean(scale.licencetext)]).toEqual([scale.formcode, true]);
    }
  });
});

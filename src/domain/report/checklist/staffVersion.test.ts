import { describe, expect, it } from 'vitest';
import { checkedReports } from '#domain/report/checklist/cases.fixture.ts';
import { sentencesOf, withoutAnswers } from '#domain/report/report.content.ts';
import { blocksOf, textOf } from '#domain/report/report.fixture.ts';
import { askedTopicsOf } from '#domain/report/report.risks.ts';
import { withReview } from '#domain/report/report.review.ts';
import { violenceScreenOf } from '#domain/report/violence.ts';

const family = /伴侣|配偶|丈夫|妻子|家人|家属|家长|父母|子女|亲友|监护人|照护人/;

describe('the clinician’s checklist: the staff version', () => {
  it('30 begins with the alert and quotes each item with its answer', () => {
    for (const { staff, summary, name } of checkedReports.filter((report) => report.summary.hasalert)) {
      const [first] = blocksOf(staff, 'overall');
      expect(first?.type, name).toBe('alert');
      const lines = first?.type === 'alert' ? first.items.join('\n') : '';
      for (const { msg, items } of summary.alerts) {
        expect(lines, name).toContain(msg);
        for (const item of items) if (item.t) expect(lines, name).toContain(item.t);
      }
    }
  });

  it('31 has no alert without one', () => {
    for (const { staff, name } of checkedReports.filter(({ summary }) => !summary.hasalert))
      expect(
        blocksOf(staff, 'overall').some(({ type }) => type === 'alert'),
        name,
      ).toBe(false);
  });

  it('32 opens the rule and the reason of every sentence', () => {
    for (const { staff, name } of checkedReports)
      for (const { text, because } of sentencesOf(staff)) {
        expect(because?.length, `${name} ${text}`).toBeGreaterThan(0);
        for (const reason of because ?? []) expect(reason, `${name} ${text}`).toMatch(/^规则[A-Z]\w*：.+/);
        // Flags and codes are said in words.
        for (const reason of because ?? [])
          expect(reason, name).not.toMatch(
            /(预警|可解释的等级|可计分|不列分数|无需作答|变化界值|“是否[^”]*”)为[01]|为0\d|[a-z]+\./,
          );
      }
  });

  it('33 says “未见” only of what was asked, and lists what nobody asked', () => {
    for (const { staff, facts, name } of checkedReports) {
      const { unseen, unasked, unanswered } = askedTopicsOf(facts, { violence: violenceScreenOf(facts) });
      const text = textOf(staff, 'riskfactors');
      for (const label of unasked) expect(text, name).toMatch(new RegExp(`未询问：[^。]*${label}`));
      for (const label of unseen) expect(text, name).toMatch(new RegExp(`已询问未见：[^。]*${label}`));
      for (const label of unanswered) expect(text, name).toMatch(new RegExp(`已询问未作答：[^。]*${label}`));
    }
  });

  it('34 warns before the family is asked, and advises nothing about it, unless violence was denied', () => {
    for (const { staff, self, summary, name } of checkedReports) {
      const isDenied = summary.violence === 'denied';
      expect(/单独询问，勿邀家人共同参与/.test(textOf(staff, 'suggestion')), name).toBe(!isDenied);
      if (isDenied) continue;
      expect(textOf(self), name).not.toMatch(family);
      const advice = sentencesOf(staff).filter(({ commentids }) => commentids.length > 0 && commentids[0] !== 'SG_CAUTION');
      for (const { text } of advice) expect(text, name).not.toMatch(family);
    }
  });

  it('35 proposes a conclusion, waits for a reviewer and shows the reviewer’s own words', () => {
    for (const { staff, name } of checkedReports) {
      expect(textOf(staff, 'conclusion'), name).not.toBe('');
      expect(JSON.stringify(blocksOf(staff, 'conclusion')), name).toContain('待审核');
      const reviewed = withReview(staff, {
        conclusion: '已面谈',
        advice: '两周后复谈',
        reviewer: '陈静',
        reviewtime: '2025-10-09 10:00:00',
      });
      expect(textOf(reviewed, 'conclusion'), name).toBe('已面谈\n两周后复谈');
    }
  });

  it('36 keeps single answers in the appendix, which staff without the right do not get', () => {
    for (const { staff, name } of checkedReports) {
      expect(blocksOf(staff, 'appendix').length, name).toBeGreaterThan(0);
      expect(
        withoutAnswers(staff).sections.some(({ key }) => key === 'appendix'),
        name,
      ).toBe(false);
    }
  });
});

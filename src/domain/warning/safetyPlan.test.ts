import { describe, expect, it } from 'vitest';
import { describeMeans, findOpenMeans, findPlanGaps, PlanMeans } from '#domain/warning/safetyPlan.ts';
import type { PlanHelper, SafetyPlan } from '#domain/warning/safetyPlan.ts';

const mother: PlanHelper = { name: '妈妈', relation: '母亲', phonenumber: '13800000001', isadult: 1, issuspect: 0 };
const friend: PlanHelper = { name: '同桌小陈', relation: '同学', phonenumber: '13800000002', isadult: 0, issuspect: 0 };
const plan: SafetyPlan = {
  warningsigns: '整夜睡不着，不想见人',
  coping: '听歌、下楼走一圈',
  distractions: '',
  helpers: [mother, friend],
  services: [{ name: '学校心理辅导室', phonenumber: '0571-1234567', hours: '周一至周五 8:00–17:00' }],
  means: PlanMeans.codes.map((kind) => ({ kind, status: '01', keeper: '', storeddate: '', note: '' })),
  importantthings: '',
  copies: '',
  reviewdate: null,
};
const gaps = (changes: Partial<SafetyPlan>, isMinor = true) => findPlanGaps({ ...plan, ...changes }, { isMinor });

describe('a safety plan', () => {
  it('is complete without the optional parts', () => {
    expect(gaps({})).toEqual([]);
  });

  it('names every required part that is missing', () => {
    expect(gaps({ warningsigns: ' ', coping: '', helpers: [], services: [], means: [] })).toEqual([
      '我的预警信号',
      '我自己能做的事',
      '我可以求助的人（姓名和电话）',
      '专业帮助（名称、电话和时间）',
      '让环境更安全：药品、农药',
      '让环境更安全：锐器',
      '让环境更安全：高处、门窗',
      '让环境更安全：水域、交通',
      '让环境更安全：本人提到的',
    ]);
  });

  it('needs for a minor an adult who is not a suspected source of harm', () => {
    const gap = ['我可以求助的人：至少一位可信赖的成年人'];
    expect(gaps({ helpers: [friend] })).toEqual(gap);
    expect(gaps({ helpers: [friend, { ...mother, issuspect: 1 }] })).toEqual(gap);
    expect(gaps({ helpers: [friend] }, false)).toEqual([]);
    expect(gaps({ helpers: [{ ...mother, issuspect: 1 }] }, false)).toEqual(['我可以求助的人（姓名和电话）']);
  });

  it('needs a telephone number of each kind of help and the hours of professional help', () => {
    expect(gaps({ helpers: [{ ...mother, phonenumber: '' }] })).toEqual(['我可以求助的人（姓名和电话）']);
    expect(gaps({ services: [{ name: '校医院', phonenumber: '120', hours: '' }] })).toEqual(['专业帮助（名称、电话和时间）']);
  });

  it('needs a keeper and a day for means that somebody has stored', () => {
    const [drugs, ...others] = plan.means;
    expect(gaps({ means: [{ ...drugs!, status: '02', keeper: '妈妈' }, ...others] })).toEqual([
      '让环境更安全：药品、农药由谁收好、哪一天',
    ]);
    const stored = { ...drugs!, status: '02' as const, keeper: '妈妈', storeddate: '2025-10-10' };
    expect(gaps({ means: [stored, ...others] })).toEqual([]);
    expect(describeMeans(stored)).toBe('已由妈妈收好（2025-10-10）');
  });

  it('lists the means that nobody has dealt with', () => {
    const [drugs, sharps] = plan.means;
    expect(findOpenMeans({ means: [drugs!, { ...sharps!, status: '03', note: '美工刀' }] })).toEqual(['锐器（美工刀）']);
  });
});

import { Appid } from '#domain/base/enums.ts';
import type { sections } from '#features/comments/comments.contract.ts';

type Section = (typeof sections)[number];

/** Where a paragraph stands in a report. */
export const sectionOptions: readonly { value: Section; label: string }[] = [
  { value: 'overall', label: '总体情况' },
  { value: 'form', label: '各量表结果' },
  { value: 'formdefault', label: '各量表结果（兜底）' },
  { value: 'highlight', label: '值得询问的条目' },
  { value: 'compare', label: '与上次比较' },
  { value: 'riskfactors', label: '风险因素' },
  { value: 'suggestion', label: '建议' },
  { value: 'conclusion', label: '结论' },
  { value: 'group', label: '团体报告的建议' },
];
export const audienceOptions = [
  { value: 'self', label: '本人与家长' },
  { value: 'staff', label: '工作人员' },
  { value: 'group', label: '团体报告' },
] as const;
export const ownerOptions = [
  { value: 'own', label: '本机构' },
  { value: 'above', label: '上级' },
  { value: 'platform', label: '平台' },
] as const;
export const levelOptions = [0, 1, 2, 3, 4].map((level) => ({ value: level, label: `${level} 级` }));
export const tierOptions = [
  { value: 1, label: '自我照顾' },
  { value: 2, label: '身边的支持' },
  { value: 3, label: '专业帮助' },
];
export const appOptions = Appid.options.map(({ value, label }) => ({ value, label }));

const labelIn = (options: readonly { value: string | number; label: string }[], value: unknown): string =>
  options.find((option) => option.value === value)?.label ?? '';
export const sectionLabel = (section: string): string => labelIn(sectionOptions, section);
export const audienceLabel = (audience: string): string => labelIn(audienceOptions, audience);
export const ownerLabel = (owner: string): string => labelIn(ownerOptions, owner);

/** “学生 · 女 · 12–15 岁”; empty for everybody. */
export function whoLabel(row: {
  appid: string | null;
  gender: string | null;
  agemin: number | null;
  agemax: number | null;
  reader?: string | null;
}): string {
  const ages = row.agemin === null && row.agemax === null ? '' : `${row.agemin ?? 0}–${row.agemax ?? '…'} 岁`;
  const gender = row.gender === '01' ? '男' : row.gender === '02' ? '女' : '';
  return [row.appid ? Appid.label(row.appid) : '', gender, ages, row.reader === 'child' ? '小学生版' : '']
    .filter(Boolean)
    .join(' · ');
}

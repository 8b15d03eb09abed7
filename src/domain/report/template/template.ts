import { findForbidden, paragraphLimit } from '#domain/report/forbiddenWording.ts';
import { mentionsFamily } from '#domain/report/reader.ts';
import { BASIC_LINES } from '#domain/report/template/basicLines.ts';
import { populations } from '#domain/person/populations.ts';

/** The template of a custom report: which sections it has, in which order and words (supplement-scales-operations.md, section 4). */

/** The sections that a template arranges. The closing is always the last section. */
export const templateKeys = [
  'cover',
  'notice',
  'basicinfo',
  'overall',
  'forms',
  'compare',
  'riskfactors',
  'suggestion',
  'support',
] as const;
export type TemplateKey = (typeof templateKeys)[number];

/** The sections that every report has. */
export const requiredKeys: readonly TemplateKey[] = ['cover', 'notice', 'overall', 'support'];

/** What may be left out inside a section; all of it stands in the report without a word about it. */
export const templateOptions = {
  forms: { radar: '维度图', items: '值得询问的条目（工作人员版）', reference: '参考期、参考范围与文献' },
  compare: { trend: '变化曲线' },
  suggestion: { contents: '推荐内容' },
} as const satisfies Partial<Record<TemplateKey, Readonly<Record<string, string>>>>;

/** A section of a template. */
export interface TemplateSection {
  key: TemplateKey;
  on: boolean;
  /** the heading; '' or absent: the usual one */
  title?: string;
  options?: Readonly<Record<string, boolean>>;
}

/** A template, as its column and the wire have it. */
export interface ReportTemplate {
  schema: 'rtpl/1';
  /** the title of the report */
  title: string;
  /** a picture instead of the logo of the institution */
  logofileid: string | null;
  /** the institution's own paragraph about confidentiality; '' for the usual one */
  notice: string;
  /** the lines of 基本信息, by code */
  fields: readonly string[];
  sections: readonly TemplateSection[];
}

/** The usual heading of each section. */
export const sectionTitles: Readonly<Record<TemplateKey, string>> = {
  cover: '封面',
  notice: '阅读说明',
  basicinfo: '基本信息',
  overall: '总体情况',
  forms: '各量表结果',
  compare: '与上次比较',
  riskfactors: '可以多照顾自己的地方',
  suggestion: '建议',
  support: '求助与支持',
};

/** The lines of 基本信息 by code, with their labels: those of every report, then those of each population. */
export const templateFields: readonly { code: string; label: string; population: string }[] = [
  ...BASIC_LINES.map(([code, label]) => ({ code, label, population: '' })),
  ...Object.values(populations).flatMap(({ basicinfo, appname }) =>
    basicinfo.map(({ field, label }) => ({ code: field, label, population: appname })),
  ),
];

/** A template with every section and the lines of every report: what an author begins with. */
export const emptyTemplate = (): ReportTemplate => ({
  schema: 'rtpl/1',
  title: '心理健康测评报告',
  logofileid: null,
  notice: '',
  fields: BASIC_LINES.map(([code]) => code),
  sections: templateKeys.map((key) => ({ key, on: true })),
});

/** The sections of a custom report without a template (supplement-people-statistics.md, section 1). */
export const defaultTemplate: ReportTemplate = {
  ...emptyTemplate(),
  fields: [],
  sections: templateKeys.map((key) => ({ key, on: !['basicinfo', 'compare', 'riskfactors'].includes(key) })),
};

/** A fault of a template at its field: `title`, `notice`, `fields`, or `sections.2.title`. */
export interface TemplateFault {
  field: string;
  message: string;
}

const NOTICE_LIMIT = 300;

function wordingFaults(text: string, field: string): TemplateFault[] {
  const [found] = findForbidden(text, 'self');
  return found ? [{ field, message: `不能写“${found.word}”：${found.why}` }] : [];
}

/** The faults of a template; empty when it can be used. */
export function findTemplateFaults({ title, notice, fields, sections }: ReportTemplate): TemplateFault[] {
  const faults = [...wordingFaults(title, 'title'), ...wordingFaults(notice, 'notice')];
  if (title.trim().length < 2) faults.push({ field: 'title', message: '请填写报告标题' });
  if (notice.length > NOTICE_LIMIT) faults.push({ field: 'notice', message: `不超过 ${NOTICE_LIMIT} 个字` });
  if (notice.split('\n').some((paragraph) => paragraph.length > paragraphLimit))
    faults.push({ field: 'notice', message: `每段不超过 ${paragraphLimit} 个字` });
  if (mentionsFamily(notice)) faults.push({ field: 'notice', message: '不要提到家人：受测者可能正受到家里人的伤害' });
  const unknown = fields.find((code) => !templateFields.some((line) => line.code === code));
  if (unknown) faults.push({ field: 'fields', message: `没有“${unknown}”这一项` });
  sections.forEach((section, index) => {
    if (sections.findIndex(({ key }) => key === section.key) < index)
      faults.push({ field: `sections.${index}`, message: `“${sectionTitles[section.key]}”重复` });
    if (!section.on && requiredKeys.includes(section.key))
      faults.push({ field: `sections.${index}`, message: `“${sectionTitles[section.key]}”是每份报告都要有的` });
    faults.push(...wordingFaults(section.title ?? '', `sections.${index}.title`));
    const options: Readonly<Record<string, string>> = (templateOptions as Partial<Record<TemplateKey, object>>)[section.key]
      ? { ...(templateOptions as Partial<Record<TemplateKey, object>>)[section.key] }
      : {};
    const extra = Object.keys(section.options ?? {}).find((option) => !(option in options));
    if (extra) faults.push({ field: `sections.${index}.options`, message: `没有“${extra}”这个选项` });
  });
  return faults;
}

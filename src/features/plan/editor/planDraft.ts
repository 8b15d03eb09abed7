import { pathOf } from '#contract/menu.ts';
import { Appid } from '#domain/base/enums.ts';
import type { PlanRow } from '#features/plan/plan.contract.ts';

/** A form of the plan as the editor holds it. */
export interface DraftForm {
  formcode: string;
  required?: number | undefined;
  stagecode?: string | undefined;
}

export const populations = Appid.options.filter((option) => option.value !== Appid.custom);

/** The report modes of a population. */
export const reportModes = (appid: string) => [
  { value: '01', label: '测评报告' },
  { value: '02', label: appid === Appid.maternity ? '孕产妇1.0（两页）' : 'AI个体报告' },
  { value: '03', label: '自定义报告' },
];

/** Path of the editor: a new plan, one to change, or one to copy. */
export const planEditPath = (target: { plancode?: string; copy?: string } = {}) => {
  const params = new URLSearchParams(Object.entries(target)).toString();
  return `${pathOf('plans.library')}/edit${params ? `?${params}` : ''}`;
};

/** The content of a plan as values of the form. */
export const toContent = (row: PlanRow) => ({
  forms: row.forms.map(({ formcode, required, stagecode }) => ({ formcode, required, stagecode })),
  stagecodes: row.stages.map((stage) => stage.stagecode),
  reportmode: row.reportmode as '01',
  price: row.price,
  ...(row.reporttemplatecode ? { reporttemplatecode: row.reporttemplatecode } : {}),
  ...(row.retestdays ? { retestdays: row.retestdays } : {}),
  ...(row.introduce ? { introduce: row.introduce } : {}),
});

/** What belongs to a version: a change of it in a used plan makes a new version. */
export const contentKey = (values: {
  forms?: readonly DraftForm[] | undefined;
  stagecodes?: readonly string[] | undefined;
  retestdays?: unknown;
  reportmode?: unknown;
  reporttemplatecode?: unknown;
}) =>
  JSON.stringify([
    (values.forms ?? []).map(({ formcode, required, stagecode }) => [formcode, required ?? 1, stagecode ?? '']),
    values.stagecodes ?? [],
    values.retestdays ?? null,
    values.reportmode,
    values.reportmode === '03' ? (values.reporttemplatecode ?? '') : '',
  ]);

/** The forms of a stage in their order; '' means a sitting without a stage. */
export const formsAt = (forms: readonly DraftForm[], stagecode: string) =>
  forms.filter((form) => !form.stagecode || form.stagecode === stagecode);

/** Opens the respondent's pages of these forms in a window of the size of a phone. Nothing is saved. */
export function openPreview(formcodes: readonly string[], planname: string) {
  const params = new URLSearchParams({ formcodes: [...new Set(formcodes)].join(), taskname: planname || '方案预览' });
  window.open(`/c/preview/plan?${params}`, 'planpreview', 'popup,width=400,height=860');
}

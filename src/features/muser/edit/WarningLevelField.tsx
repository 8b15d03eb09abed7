import { SelectField } from '#ui/form/fields.tsx';
import type { InstitutionForm } from '#features/muser/edit/institutionForm.ts';

const options = [
  { value: 1, label: '轻度及以上' },
  { value: 2, label: '中度及以上（默认）' },
  { value: 3, label: '中重度及以上' },
  { value: 4, label: '重度' },
];

/** The level from which a result counts as 需关注 in the statistics of an institution. */
export const WarningLevelField = ({ form }: { form: InstitutionForm }) => (
  <SelectField {...form.field('abnormalminlevel')} label="统计中计入“需关注”的起点" options={options} clearable={false} />
);

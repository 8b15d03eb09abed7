import { SelectField } from '#ui/form/fields.tsx';
import type { InstitutionForm } from '#features/muser/edit/institutionForm.ts';

export const warningLevelOptions = [
  { value: 1, label: '轻度及以上' },
  { value: 2, label: '中度及以上（默认）' },
  { value: 3, label: '中重度及以上' },
  { value: 4, label: '重度' },
];

/** The level from which a result counts as 需关注 in the statistics. A new institution takes it from its reference institution. */
export const WarningLevelField = ({ form }: { form: InstitutionForm }) => (
  <SelectField
    {...form.field('abnormalminlevel')}
    label="统计中计入“需关注”的起点"
    options={warningLevelOptions}
    clearable={false}
    placeholder={form.values['frommusercode'] ? '与参照机构相同' : '中度及以上（默认）'}
  />
);

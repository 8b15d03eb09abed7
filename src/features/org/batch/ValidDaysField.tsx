import { EnumRadio } from '#ui/form/fields.tsx';
import { validDaysOptions, type ValidDays } from '#features/org/batch/oneTime.contract.ts';

/** The choice of how many days a one-time password is valid. */
export const ValidDaysField = ({ value, onChange }: { value: ValidDays; onChange: (days: ValidDays) => void }) => (
  <EnumRadio label="初始密码有效期" of={{ options: validDaysOptions }} value={value} onChange={onChange} />
);

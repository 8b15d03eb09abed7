import { useActionQuery } from '#ui/api/useAction.ts';
import { SelectField, type Field } from '#ui/form/fields.tsx';
import { getFollowUpStaffList } from '#features/care/followup/work.contract.ts';

/** The colleagues who can be responsible, the reader first; an absence is said. */
export function useOwnerOptions(musercode?: string | undefined) {
  const staff = useActionQuery(getFollowUpStaffList, musercode ? { musercode } : {}, { quiet: true });
  return [...(staff.data ?? [])]
    .sort((a, b) => b.isself - a.isself)
    .map(({ userid, realname, isself, absentuntil }) => ({
      value: userid,
      label: `${realname}${isself ? '（本人）' : ''}${absentuntil ? ` · 请假至 ${absentuntil.slice(5, 10)}` : ''}`,
    }));
}

/** The choice of the colleague who is responsible for a follow-up. */
export function OwnerField({
  musercode,
  placeholder,
  ...field
}: Field & { musercode?: string | undefined; placeholder: string }) {
  return <SelectField {...field} options={useOwnerOptions(musercode)} placeholder={placeholder} clearable />;
}

import { TextInput } from '@mantine/core';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { Facts } from '#ui/display/Section.tsx';
import { MUserType, Sector } from '#domain/base/enums.ts';
import { MUserFields } from '#features/muser/edit/MUserFields.tsx';
import { useInstitutionForm } from '#features/muser/edit/useInstitutionForm.ts';
import type { MUserRow } from '#features/muser/muser.contract.ts';

/** Changes the editable fields of an institution. The type never changes; a move has its own dialog. */
export function MUserDrawer({ row, onClose }: { row: MUserRow; onClose: () => void }) {
  const { form, isMasked } = useInstitutionForm(row, { onDone: onClose });
  return (
    <FormDrawer title={`修改${row.insname}`} onClose={onClose} form={form} width={560}>
      <FixedFacts row={row} />
      <TextInput {...form.field('insname')} required />
      <MUserFields form={form} musertype={row.musertype} isMasked={isMasked} logo={row.logo} />
    </FormDrawer>
  );
}

/** The facts of an institution that no form changes. */
export const FixedFacts = ({ row }: { row: MUserRow }) => (
  <Facts
    facts={[
      ['类型', MUserType.label(row.musertype)],
      ['行业', Sector.label(row.sector)],
      ['登录账号', row.username],
      ['上级机构', row.parentname],
    ]}
  />
);

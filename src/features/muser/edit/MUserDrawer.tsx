import { TextInput } from '@mantine/core';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { Facts } from '#ui/display/Section.tsx';
import { MUserType, Sector } from '#domain/base/enums.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { MUserFields } from '#features/muser/edit/MUserFields.tsx';
import { getMUserPageList, getMUserTree, type MUserRow } from '#features/muser/muser.contract.ts';

/** Changes the editable fields of an institution. The type never changes; a move has its own dialog. */
export function MUserDrawer({ row, onClose }: { row: MUserRow; onClose: () => void }) {
  const isMasked = row.phonenumber.includes('*');
  const text = (value: string) => value || undefined;
  const optionalFields = {
    shortname: text(row.shortname),
    provincecode: text(row.provincecode),
    citycode: text(row.citycode),
    districtcode: text(row.districtcode),
    address: text(row.address),
    realname: text(row.realname),
    phonenumber: isMasked ? undefined : text(row.phonenumber),
    expiredate: row.expiredate ?? undefined,
    contractno: text(row.contractno),
    remark: text(row.remark),
  };
  const form = useActionForm(updateMUser, {
    initial: {
      musercode: row.musercode,
      version: row.version,
      insname: row.insname,
      abnormalminlevel: row.abnormalminlevel,
      // These fields require a step-up: send them only if they are on or were changed.
      ...(row.mustfactor === 1 ? { mustfactor: 1 } : {}),
      ...(row.musertype !== '003' ? { showreportdefault: row.showreportdefault } : row.seedetail === 1 ? { seedetail: 1 } : {}),
      ...Object.fromEntries(Object.entries(optionalFields).filter(([, value]) => value !== undefined)),
    },
    invalidates: [getMUserPageList, getMUserTree],
    future: ['expiredate'],
    onDone: onClose,
  });
  return (
    <FormDrawer title={`修改${row.insname}`} onClose={onClose} form={form} width={560}>
      <Facts
        facts={[
          ['类型', MUserType.label(row.musertype)],
          ['行业', Sector.label(row.sector)],
          ['登录账号', row.username],
          ['上级机构', row.parentname],
        ]}
      />
      <TextInput {...form.field('insname')} required />
      <MUserFields form={form} musertype={row.musertype} isMasked={isMasked} logo={row.logo} />
    </FormDrawer>
  );
}

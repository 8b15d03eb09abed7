import { useActionForm } from '#ui/form/useActionForm.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { getMUserPageList, getMUserTree, type MUserRow } from '#features/muser/muser.contract.ts';

/** The form that changes an institution. A masked telephone stays unless the user types another. */
export function useInstitutionForm(row: MUserRow, options: { onDone: () => void; successMessage?: string }) {
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
      ...(row.trustdevice === 1 ? { trustdevice: 1 } : {}),
      ...(row.musertype !== '003' ? { showreportdefault: row.showreportdefault } : {}),
      ...Object.fromEntries(Object.entries(optionalFields).filter(([, value]) => value !== undefined)),
    },
    invalidates: [getMUserPageList, getMUserTree],
    future: ['expiredate'],
    ...options,
  });
  return { form, isMasked };
}

import { Button, Group, Stack, TextInput } from '@mantine/core';
import { ConflictNotice } from '#ui/form/FormDrawer.tsx';
import { FixedFacts } from '#features/muser/edit/MUserDrawer.tsx';
import { MUserFields } from '#features/muser/edit/MUserFields.tsx';
import { useInstitutionForm } from '#features/muser/edit/useInstitutionForm.ts';
import type { MUserRow } from '#features/muser/muser.contract.ts';

/** The basic data of an institution that is being opened. Type, account and place were decided when it was created. */
export function BasicStep({ row, onDone }: { row: MUserRow; onDone: () => void }) {
  const { form, isMasked } = useInstitutionForm(row, { onDone, successMessage: '' });
  return (
    <form ref={form.place} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <ConflictNotice form={form} />
        <FixedFacts row={row} />
        <TextInput {...form.field('insname')} required />
        <MUserFields form={form} musertype={row.musertype} isMasked={isMasked} logo={row.logo} />
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={form.busy}>
            {form.dirty ? '保存并继续' : '下一步'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

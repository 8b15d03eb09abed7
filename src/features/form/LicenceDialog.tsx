import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { LongTextField } from '#ui/form/fields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { acceptFormLicence, getFormDetail, getFormPageList } from '#features/form/form.contract.ts';
import type { FormDetail } from '#features/form/formDetail.ts';

/** Lets an administrator accept the conditions of a tier-B form. The server stores the name, the time and the purpose. */
export function LicenceDialog({ form, onClose }: { form: FormDetail; onClose: () => void }) {
  const fields = useActionForm(acceptFormLicence, {
    initial: { formcode: form.formcode },
    onDone: onClose,
    invalidates: [getFormDetail, getFormPageList],
    successMessage: '已确认，本机构现在可以使用该量表',
  });
  const leave = useLeave(fields.dirty, onClose);
  return (
    <Modal opened onClose={leave} title={`接受使用条件：${form.formname}`} size="lg">
      <form ref={fields.place} onSubmit={fields.submit} noValidate>
        <Stack>
          <Text size="sm">{form.licencetext || '该量表须在非商业、注明出处的前提下使用。'}</Text>
          {form.citation && <Text size="sm">出处：{form.citation}</Text>}
          <Text size="sm" c="dimmed">
            接受即表示本机构将遵守上述条件，不对该量表单独收费。确认人、时间与用途会被记录。
          </Text>
          <LongTextField {...fields.field('note')} maxLength={500} />
          <Checkbox
            label="我代表本机构接受以上使用条件"
            data-path="accepted"
            checked={fields.values.accepted === 1}
            error={fields.error('accepted')}
            onChange={(event) => fields.set('accepted', event.currentTarget.checked ? 1 : undefined)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              取消
            </Button>
            <Button type="submit" loading={fields.busy}>
              接受
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

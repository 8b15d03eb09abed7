import { Button, Group, Modal, MultiSelect, Stack, TextInput } from '@mantine/core';
import { Appid, FormType } from '#domain/base/enums.ts';
import { EnumRadio } from '#ui/form/fields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { insertForm } from '#features/scaleeditor/scaleeditor.contract.ts';
import { editorPath } from '#blocks/scaleversions/versions.labels.ts';

/** Begins a questionnaire: its name, type and populations. The editor opens with the draft. */
export function NewFormDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const fields = useActionForm(insertForm, {
    initial: { formtype: '01', appids: [] },
    successMessage: '已新建，可以开始录入题目',
    onDone: ({ formcode }) => void navigate(editorPath(formcode)),
  });
  const leave = useLeave(fields.dirty, onClose);
  return (
    <Modal opened onClose={leave} title="新建量表" size="md">
      <form ref={fields.place} onSubmit={fields.submit} noValidate>
        <Stack>
          <TextInput {...fields.field('formname')} value={String(fields.values.formname ?? '')} maxLength={50} data-autofocus />
          <EnumRadio {...fields.field('formtype')} of={FormType} />
          <MultiSelect
            label="适用人群"
            placeholder="不选表示全部人群"
            data={[...Appid.options]}
            value={[...((fields.values.appids as string[] | undefined) ?? [])]}
            onChange={(appids) => fields.set('appids', appids)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              取消
            </Button>
            <Button type="submit" loading={fields.busy}>
              新建并编辑
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

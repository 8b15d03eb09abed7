import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormRow } from '#features/form/form.contract.ts';
import {
  checkForm,
  copyForm,
  deleteFormDraft,
  getFormDiff,
  publishForm,
  restoreForm,
  retireForm,
  updateForm,
} from '#features/scaleeditor/scaleeditor.contract.ts';
import { Can } from '#ui/api/Can.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { useNavigate } from '#ui/router/router.tsx';
import { PublishDialog } from '#blocks/scaleversions/PublishDialog.tsx';
import { editorPath } from '#blocks/scaleversions/versions.labels.ts';

/** What the owner does with a questionnaire: edit, publish, retire, delete the draft; anybody who writes forms may copy it. */
export function FormActions({ form, onDeleted }: { form: FormRow; onDeleted: () => void }) {
  const [isPublishing, setIsPublishing] = useState(false);
  const navigate = useNavigate();
  const client = useQueryClient();
  const openPublishing = () => {
    // The draft may have changed since the dialog was open last.
    for (const action of [getFormDiff, checkForm]) client.removeQueries({ queryKey: [action.name] });
    setIsPublishing(true);
  };
  const copy = useActionMutation(copyForm, {
    successMessage: '已复制为本机构的草稿',
    onDone: ({ formcode }) => void navigate(editorPath(formcode)),
  });
  const retire = useActionMutation(retireForm, { successMessage: '已停用；正在进行的测评不受影响' });
  const restore = useActionMutation(restoreForm, { successMessage: '已恢复使用' });
  const remove = useActionMutation(deleteFormDraft, {
    successMessage: '草稿已删除',
    onDone: () => form.status === 0 && onDeleted(),
  });
  const { formcode, formname, rowversion } = form;
  const isOwn = form.canedit === 1;
  return (
    <Group gap="xs">
      {isOwn && (
        <Can call={updateForm}>
          <Button size="sm" onClick={() => void navigate(editorPath(formcode))}>
            {form.hasdraft ? '继续编辑草稿' : '编辑'}
          </Button>
        </Can>
      )}
      {isOwn && form.hasdraft === 1 && (
        <Can call={publishForm}>
          <Button size="sm" variant="light" onClick={openPublishing}>
            发布草稿
          </Button>
        </Can>
      )}
      <Can call={copyForm}>
        <Button size="sm" variant="default" loading={copy.isPending} onClick={() => copy.mutate({ formcode })}>
          复制
        </Button>
      </Can>
      {isOwn && form.status === 1 && (
        <ConfirmButton
          size="sm"
          variant="default"
          question={`停用“${formname}”后，新的方案和任务不能再选用它；正在进行的测评不受影响。确定停用吗？`}
          onConfirm={() => retire.mutateAsync({ formcode })}
        >
          停用
        </ConfirmButton>
      )}
      {isOwn && form.status === 2 && (
        <Button size="sm" variant="default" loading={restore.isPending} onClick={() => restore.mutate({ formcode })}>
          恢复使用
        </Button>
      )}
      {isOwn && form.hasdraft === 1 && (
        <ConfirmButton size="sm" name={`${formname}的草稿`} onConfirm={() => remove.mutateAsync({ formcode, rowversion })}>
          删除草稿
        </ConfirmButton>
      )}
      {isPublishing && (
        <PublishDialog formcode={formcode} onClose={() => setIsPublishing(false)} onPublished={() => setIsPublishing(false)} />
      )}
    </Group>
  );
}

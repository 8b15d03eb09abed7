import { Text, TextInput } from '@mantine/core';
import { fileUses, acceptedKindOf, libraryUses, type FileUseKey } from '#domain/files/filekind.ts';
import { SelectField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { Facts } from '#ui/display/Section.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getFilePageList, updateToOSSPath, type FileRow } from '#features/file/file.contract.ts';
import { sizeLabel } from '#blocks/file/upload/upload.labels.ts';
import { typeLabel, fileUseOptions } from '#features/file/file.labels.ts';

/** Changes the name, the use or the visibility of a file. */
export function FileDrawer({ row, onClose }: { row: FileRow; onClose: () => void }) {
  const form = useActionForm(updateToOSSPath, {
    initial: { fileid: row.fileid, version: row.version, filename: row.filename, path: row.biztype, ispublic: row.ispublic },
    invalidates: [getFilePageList],
    onDone: onClose,
  });
  const path = (form.values.path ?? row.biztype) as FileUseKey;
  // The type of a file cannot change: the list has its current use and the other uses that accept its type.
  const uses = [...new Set([row.biztype, ...libraryUses.filter((use) => acceptedKindOf(use, row.mime))])];
  return (
    <FormDrawer title="修改文件" onClose={onClose} form={form}>
      <Facts
        facts={[
          ['类型', typeLabel(row.mime)],
          ['大小', sizeLabel(row.size)],
          ['上传人', row.uploader],
          ['上传时间', row.createtime],
        ]}
      />
      <TextInput {...form.field('filename')} required />
      <SelectField {...form.field('path')} options={fileUseOptions(uses)} clearable={false} />
      {fileUses[path].canBePublic && <SwitchField {...form.field('ispublic')} words="公开：知道地址的人都能看，地址长期有效" />}
      {row.ispublic === 1 && form.values.ispublic === 0 && (
        <Text size="sm" c="dimmed">
          取消公开后，已经发出去的地址立即失效。
        </Text>
      )}
    </FormDrawer>
  );
}

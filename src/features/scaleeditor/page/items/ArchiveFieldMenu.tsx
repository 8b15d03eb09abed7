import { Button, Menu, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Item, OptionRow, Scale } from '#domain/scoring/scale.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getCUserArchiveHeadList, type ArchiveHead } from '#features/archivefield/archivefield.contract.ts';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { put } from '#features/scaleeditor/page/edits/put.ts';

/** Adds a field of the archive as a question, with the input type and the options of the field. */
function addField(scale: Scale, field: ArchiveHead): Scale {
  const type = field.questiontype as 0 | 1 | 2;
  const item: Item = put(
    { c: field.fieldcode, t: field.fieldname, type } as Item,
    type === 0
      ? { input: field.inputtype as NonNullable<Item['input']>, required: false }
      : { o: field.fieldcode, scored: false, required: false },
  );
  const rows = field.options.map(({ code, label }): OptionRow => [code, label, null]);
  const optionsets = type === 0 ? scale.optionsets : { ...scale.optionsets, [field.fieldcode]: rows };
  return { ...scale, optionsets, items: [...scale.items, item] };
}

/** The fields of the archive of the form's population that are not in the form yet. */
export function ArchiveFieldMenu() {
  const { scale, change } = useEditor();
  const appid = scale.appids?.[0];
  const fields = useActionQuery(getCUserArchiveHeadList, appid ? { appid } : undefined, { quiet: true });
  const rest = (fields.data ?? []).filter((field) => !scale.items.some((item) => item.c === field.fieldcode));
  if (!appid)
    return (
      <Text size="sm" c="dimmed">
        请先在“基本信息”里选择适用人群。
      </Text>
    );
  return (
    <Menu position="bottom-start" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} loading={fields.isLoading}>
          添加档案字段
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {rest.length === 0 && <Menu.Label>字段都已在表中</Menu.Label>}
        {rest.map((field) => (
          <Menu.Item key={field.fieldcode} onClick={() => change((before) => addField(before, field))}>
            {field.fieldname}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

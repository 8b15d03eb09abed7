import { ActionIcon, Button, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { hasOptions, OwnFieldKind } from '#domain/person/ownFields.ts';
import type { Action } from '#contract/action.ts';
import { EnumField, NumberField, SwitchField, type Field } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { insertArchiveField, updateArchiveField, type OwnFieldRow } from '#features/archivefield/archivefield.contract.ts';

interface Props {
  appid: string;
  invalidates: readonly Action[];
  onClose: () => void;
}
type Option = { code?: string | undefined; label: string };

/** The form of a new own field, or of one that exists. */
export const ArchiveFieldDrawer = ({ row, ...more }: Props & { row: OwnFieldRow | 'new' }) =>
  row === 'new' ? <NewField {...more} /> : <EditField row={row} {...more} />;

function NewField({ appid, invalidates, onClose }: Props) {
  const form = useActionForm(insertArchiveField, {
    initial: { appid, kind: 'text', options: [], ordernum: 10, inlist: 0, inexport: 1, insearch: 0, required: 0, sensitive: 0 },
    invalidates: [...invalidates],
    onDone: onClose,
    successMessage: '新增成功',
  });
  return (
    <FormDrawer title={`新增字段：${Appid.label(appid)}`} onClose={onClose} form={form}>
      <TextInput {...form.field('fieldname')} maxLength={20} data-autofocus />
      <EnumField {...form.field('kind')} of={OwnFieldKind} />
      {hasOptions(form.values.kind ?? '') && (
        <Options values={form.values.options ?? []} set={(options) => form.set('options', options)} error={form.error} />
      )}
      <Uses field={form.field} isSensitive={form.values.sensitive === 1} />
    </FormDrawer>
  );
}

function EditField({ row, invalidates, onClose }: Props & { row: OwnFieldRow }) {
  const { fieldid, version, fieldname, options, ordernum, inlist, inexport, insearch, required, sensitive } = row;
  const form = useActionForm(updateArchiveField, {
    initial: { fieldid, version, fieldname, options, ordernum, inlist, inexport, insearch, required, sensitive },
    invalidates: [...invalidates],
    onDone: onClose,
    successMessage: '保存成功',
  });
  return (
    <FormDrawer title={`修改字段：${fieldname}`} onClose={onClose} form={form}>
      <TextInput {...form.field('fieldname')} required maxLength={20} />
      <Text size="sm" c="dimmed">
        类型：{OwnFieldKind.label(row.kind)}（新增后不能更改）
      </Text>
      {hasOptions(row.kind) && (
        <Options values={form.values.options ?? []} set={(next) => form.set('options', next)} error={form.error} />
      )}
      <Uses field={form.field} isSensitive={form.values.sensitive === 1} />
    </FormDrawer>
  );
}

type Use = 'ordernum' | 'inlist' | 'inexport' | 'insearch' | 'required' | 'sensitive';

/** Where the field appears. A sensitive field is on no list and no filter, so their switches disappear. */
function Uses({ field, isSensitive }: { field: (name: Use) => Field; isSensitive: boolean }) {
  return (
    <>
      <NumberField {...field('ordernum')} min={1} max={99} />
      <SwitchField {...field('required')} words="新增受测者时必须填写" />
      <SwitchField {...field('sensitive')} words="只在个人档案里查看，查看留下记录" />
      {!isSensitive && <SwitchField {...field('inlist')} words="作为档案列表的一列" />}
      {!isSensitive && <SwitchField {...field('insearch')} words="可以按它筛选档案" />}
      <SwitchField {...field('inexport')} words="随受测者名单一起导出" />
    </>
  );
}

/** The options of a choice. An option that exists keeps its code, so archives keep their meaning when it is renamed. */
function Options({
  values,
  set,
  error,
}: {
  values: readonly Option[];
  set: (options: Option[]) => void;
  error: (name: string) => ReactNode;
}) {
  return (
    <Input.Wrapper label="选项" required error={error('options')} data-path="options" tabIndex={-1}>
      <Stack gap={6} mt={4}>
        {values.map((option, index) => (
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              flex={1}
              aria-label={`选项 ${index + 1}`}
              value={option.label}
              maxLength={20}
              error={error(`options.${index}.label`)}
              data-path={`options.${index}.label`}
              onChange={(event) => {
                const label = event.currentTarget.value;
                set(values.map((item, place) => (place === index ? { ...item, label } : item)));
              }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={4}
              aria-label={`删除选项 ${index + 1}`}
              onClick={() => set(values.filter((_, place) => place !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          disabled={values.length >= 30}
          onClick={() => set([...values, { label: '' }])}
        >
          添加选项
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

import { Text, TextInput } from '@mantine/core';
import { getListViews, saveListView, type ListView, type ListViewState } from '#contract/listView.ts';
import { SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';

interface Props {
  list: string;
  /** the view that gets another name or is shared; undefined for a new one */
  view: ListView | undefined;
  state: ListViewState;
  onClose: () => void;
  onSaved: (viewid: number) => void;
}

/** Saves a view under a name, for the reader alone or for the institution. */
export function ViewDrawer({ list, view, state, onClose, onSaved }: Props) {
  const form = useActionForm(saveListView, {
    initial: { viewid: view?.viewid, list, name: view?.name ?? '', isshared: view?.isshared ?? 0, state },
    invalidates: [getListViews],
    successMessage: '视图已保存',
    onDone: ({ viewid }) => {
      onSaved(viewid);
      onClose();
    },
  });
  return (
    <FormDrawer title={view ? '改名或共享' : '保存为新视图'} onClose={onClose} form={form}>
      <Text size="sm" c="dimmed">
        视图记住查询条件、排序、显示的列、列宽和行距。共享后同事按自己的权限查看，看不到权限以外的人和列。
      </Text>
      <TextInput {...form.field('name')} data-autofocus placeholder="如 本周要复测的七年级" />
      <SwitchField {...form.field('isshared')} words="同事可以打开" />
    </FormDrawer>
  );
}

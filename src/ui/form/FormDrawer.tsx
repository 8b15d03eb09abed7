import { Alert, Button, Drawer, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode, RefObject } from 'react';
import { confirmLeave } from '#ui/feedback/confirm.tsx';
import { useFocusBack } from '#ui/feedback/useFocusBack.ts';
import classes from './FormDrawer.module.css';

interface Props {
  title: string;
  onClose: () => void;
  /** From `useActionForm`. */
  form: {
    submit: (event?: FormEvent<HTMLFormElement>) => void;
    busy: boolean;
    dirty: boolean;
    place: RefObject<HTMLFormElement | null>;
    conflict?: { name: string; time: string } | undefined;
    refusal?: string | undefined;
  };
  children: ReactNode;
  /** Label of the button; 保存 when absent. */
  save?: string;
  /** What the button does is hard to undo: the button is red. */
  isDanger?: boolean;
  /** Width in px; 480 when absent. */
  width?: number;
  /** The drawer is read-only: its button closes it. */
  readOnly?: boolean;
}

/** Says that another person changed the same fields while the form was open. The fields offer both values. */
export const ConflictNotice = ({ form: { conflict } }: { form: Pick<Props['form'], 'conflict'> }) =>
  conflict && (
    <Alert
      color="orange"
      role="status"
      title={`${conflict.name}刚刚修改了同一内容`}
      style={{ flex: 'none' }}
      styles={{ title: { color: 'var(--ink)' } }}
    >
      您填写的内容都还在。请在标出的字段选择采用对方的或保留您的，然后再保存。
    </Alert>
  );

/**
 * A form at the right of its list. The list keeps its place. Closing with unsaved changes asks first.
 * Mount it only while it is open (`{row && <FormDrawer …>}` or a child component), so that every opening starts with new values.
 */
export function FormDrawer({
  title,
  onClose,
  form,
  children,
  save = '保存',
  isDanger = false,
  width = 480,
  readOnly = false,
}: Props) {
  useFocusBack();
  const leave = async () => {
    const isUploading = form.place.current?.querySelector('[data-uploading]') != null;
    if ((!form.dirty && !isUploading) || (await confirmLeave())) onClose();
  };
  const close = (event: FormEvent) => {
    event.preventDefault();
    onClose();
  };
  return (
    <Drawer
      opened
      onClose={() => void leave()}
      title={title}
      size={`min(${width}px, 100vw)`}
      classNames={{ content: classes['content'] ?? '', body: classes['body'] ?? '' }}
    >
      <form ref={form.place} onSubmit={readOnly ? close : form.submit} className={classes['form']} noValidate>
        <Stack gap="md" className={classes['fields'] ?? ''}>
          <ConflictNotice form={form} />
          {children}
          {form.refusal && (
            <Alert color="orange" role="alert" style={{ flex: 'none' }} styles={{ message: { color: 'var(--ink)' } }}>
              {form.refusal}
            </Alert>
          )}
        </Stack>
        <Group className={classes['foot'] ?? ''} justify="flex-end">
          <Button variant="default" onClick={() => void leave()}>
            取消
          </Button>
          <Button type="submit" loading={form.busy} {...(isDanger && !readOnly ? { color: 'red' } : {})}>
            {readOnly ? '关闭' : save}
          </Button>
        </Group>
      </form>
    </Drawer>
  );
}

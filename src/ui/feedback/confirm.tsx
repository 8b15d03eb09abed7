import { Button, Group, Modal, Text } from '@mantine/core';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { LEAVE_WORDS } from '#ui/router/unsaved.ts';

export interface ConfirmOptions {
  text: ReactNode;
  title?: string;
  yes?: string;
  /** null: the dialog is an announcement with one button. */
  no?: string | null;
  danger?: boolean;
  /** The button of `no` has the focus and the colour: Enter keeps what there is. */
  prefersNo?: boolean;
}
let pending: (ConfirmOptions & { answer: (yes: boolean) => void }) | undefined;
const listeners = new Set<() => void>();
const put = (next: typeof pending) => {
  pending = next;
  for (const listener of listeners) listener();
};

/**
 * Escape answers an open question with no and reaches nothing else. Otherwise one press would also close the form below. The
 * listener is added with this module, before any dialog, so that it runs first.
 */
if (typeof window !== 'undefined')
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing || !pending) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      pending.answer(false);
      put(undefined);
    },
    { capture: true },
  );

/** Asks in a dialog titled 系统提示 with 确定 and 取消; true when confirmed. */
export const confirm = (question: ConfirmOptions | string): Promise<boolean> =>
  new Promise((answer) => {
    pending?.answer(false);
    put({ ...(typeof question === 'string' ? { text: question } : question), answer });
  });

/** Asks before unsaved input is left. The default is to stay: Enter and Escape keep the input. */
export const confirmLeave = (words: string = LEAVE_WORDS): Promise<boolean> =>
  confirm({ text: words, yes: '离开', no: '继续编辑', prefersNo: true });

/** Shows the question of `confirm`. The frame mounts it once. */
export function ConfirmDialog() {
  const question = useSyncExternalStore(
    (listener) => (listeners.add(listener), () => void listeners.delete(listener)),
    () => pending,
  );
  // While the dialog closes, it still shows the answered question.
  const [shown, setShown] = useState(question);
  if (question && question !== shown) setShown(question);
  const done = (yes: boolean) => {
    question?.answer(yes);
    put(undefined);
  };
  return (
    <Modal
      opened={question !== undefined}
      onClose={() => done(false)}
      // `confirm` has its own listener: the key that opened the question must not answer it.
      closeOnEscape={false}
      title={shown?.title ?? '系统提示'}
      size="sm"
      zIndex={400}
    >
      <Text component="div">{shown?.text}</Text>
      <Group justify="flex-end" mt="lg">
        {shown?.no !== null && (
          <Button {...(shown?.prefersNo ? { 'data-autofocus': true } : { variant: 'default' })} onClick={() => done(false)}>
            {shown?.no ?? '取消'}
          </Button>
        )}
        <Button
          {...(shown?.prefersNo ? { variant: 'default' } : { 'data-autofocus': true })}
          {...(shown?.danger ? { color: 'red' } : {})}
          onClick={() => done(true)}
        >
          {shown?.yes ?? '确定'}
        </Button>
      </Group>
    </Modal>
  );
}

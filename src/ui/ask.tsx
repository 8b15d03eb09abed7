import { Button, Group, Modal, Text } from '@mantine/core';
import { useSyncExternalStore, type ReactNode } from 'react';

interface Question {
  text: ReactNode;
  title?: string;
  yes?: string;
  /** null: the question is an announcement with one button. */
  no?: string | null;
  danger?: boolean;
}
let asked: (Question & { answer: (yes: boolean) => void }) | undefined;
const listeners = new Set<() => void>();
const put = (next: typeof asked) => {
  asked = next;
  for (const tell of listeners) tell();
};

/**
 * Escape belongs to the question while one stands: it says no, and nothing below hears of the key. Listening begins with this module,
 * before any drawer or dialog is drawn, so that it hears first; without it one press would close the form under the question, too.
 */
if (typeof window !== 'undefined')
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing || !asked) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      asked.answer(false);
      put(undefined);
    },
    { capture: true },
  );

/** Asks in a dialog titled 系统提示 with 确定 and 取消; true when confirmed. */
export const ask = (question: Question | string): Promise<boolean> =>
  new Promise((answer) => {
    asked?.answer(false);
    put({ ...(typeof question === 'string' ? { text: question } : question), answer });
  });

/** Draws the question of `ask`; stands once in the frame. */
export function AskDialog() {
  const question = useSyncExternalStore(
    (tell) => (listeners.add(tell), () => void listeners.delete(tell)),
    () => asked,
  );
  const done = (yes: boolean) => {
    question?.answer(yes);
    put(undefined);
  };
  return (
    <Modal
      opened={question !== undefined}
      onClose={() => done(false)}
      title={question?.title ?? '系统提示'}
      size="sm"
      zIndex={400}
    >
      <Text>{question?.text}</Text>
      <Group justify="flex-end" mt="lg">
        {question?.no !== null && (
          <Button variant="default" onClick={() => done(false)}>
            {question?.no ?? '取消'}
          </Button>
        )}
        <Button data-autofocus {...(question?.danger ? { color: 'red' } : {})} onClick={() => done(true)}>
          {question?.yes ?? '确定'}
        </Button>
      </Group>
    </Modal>
  );
}

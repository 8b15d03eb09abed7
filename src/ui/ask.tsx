import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { later } from '#ui/later.tsx';

const AskBox = later(() => import('#ui/AskBox.tsx').then((file) => file.AskBox));

export interface Question {
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
  // Once used it stays in the page: closing is part of how it looks.
  const [used, setUsed] = useState(false);
  if (question && !used) setUsed(true);
  return used ? <AskBox question={question} done={done} /> : null;
}

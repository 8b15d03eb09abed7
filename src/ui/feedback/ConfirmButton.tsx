import { Button, type ButtonProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { confirm } from '#ui/feedback/confirm.tsx';
import { notifyError } from '#ui/feedback/notify.ts';

interface Props extends ButtonProps {
  /** Name in the question 是否确认删除“{name}”？ `question` replaces the whole question. */
  name?: string;
  question?: ReactNode;
  /** Runs after the confirmation. A promise keeps the button busy; a refusal is shown. */
  onConfirm: () => unknown;
  children?: ReactNode;
}

/** A button that asks for confirmation. The default action is 删除. */
export function ConfirmButton({ name, question, onConfirm, children = '删除', ...look }: Props) {
  const [busy, setBusy] = useState(false);
  const danger = question === undefined;
  const act = async () => {
    if (!(await confirm({ text: question ?? `是否确认删除“${name ?? ''}”？删除后不能恢复。`, danger }))) return;
    setBusy(true);
    try {
      await onConfirm();
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      {...(danger ? { color: 'red' } : {})}
      {...look}
      loading={busy}
      onClick={() => void act()}
    >
      {children}
    </Button>
  );
}

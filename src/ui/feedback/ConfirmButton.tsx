import { Button, type ButtonProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { confirm } from '#ui/feedback/confirm.tsx';
import { notifyError } from '#ui/feedback/notify.ts';

interface Props extends ButtonProps {
  /** The thing's name: asks 是否确认删除“{name}”？ Or give the whole question in `question`. */
  name?: string;
  question?: ReactNode;
  /** Refusals are told; a promise keeps the button busy. */
  onConfirm: () => unknown;
  children?: ReactNode;
}

/** A button that asks before it acts. `delete` is what it does when nothing else is said. */
export function ConfirmButton({ name, question, onConfirm, children = '删除', ...look }: Props) {
  const [busy, setBusy] = useState(false);
  const danger = question === undefined;
  const act = async () => {
    if (!(await confirm({ text: question ?? `是否确认删除“${name ?? ''}”？`, danger }))) return;
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

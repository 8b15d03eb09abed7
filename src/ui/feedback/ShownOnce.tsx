import type { ReactNode } from 'react';
import { Alert, Button, Drawer, Stack, TextInput } from '@mantine/core';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';
import { useFocusBack } from '#ui/feedback/useFocusBack.ts';

/** A secret that the server shows once: `noun` names it (“密钥”), `hint` says what to do with it. */
export const ShownOnce = ({ label, noun, value, hint = '' }: { label: string; noun: string; value: string; hint?: string }) => (
  <>
    <TextInput label={label} value={value} readOnly onFocus={(event) => event.currentTarget.select()} />
    <Alert color="orange" styles={{ message: { color: 'var(--ink)' } }}>
      {`${noun}只显示这一次，请现在复制${hint}。`}
    </Alert>
    <CopyTextButton text={value} variant="filled">{`复制${noun}`}</CopyTextButton>
  </>
);

/** What a drawer has while it shows a secret: neither Esc nor a click beside it loses the secret. */
export const KEEP_OPEN = { closeOnEscape: false, closeOnClickOutside: false } as const;

/** A drawer that shows a secret once. Only its button closes it. */
export function SecretDrawer({ title, children, onClose }: { title: string; children: ReactNode; onClose: () => void }) {
  useFocusBack();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(480px, 100vw)"
      title={title}
      {...KEEP_OPEN}
      withCloseButton={false}
    >
      <Stack gap="md">
        {children}
        <Button variant="default" onClick={onClose}>
          我已保存
        </Button>
      </Stack>
    </Drawer>
  );
}

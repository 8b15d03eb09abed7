import { Alert, TextInput } from '@mantine/core';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';

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

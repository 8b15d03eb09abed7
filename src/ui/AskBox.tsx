import { Button, Group, Modal, Text } from '@mantine/core';
import { useOpening } from '#ui/Anchored.tsx';
import type { Question } from '#ui/ask.tsx';

/** The dialog of `ask`. */
export function AskBox({ question, done }: { question: Question | undefined; done: (yes: boolean) => void }) {
  const opened = useOpening(question !== undefined);
  return (
    <Modal
      opened={opened}
      onClose={() => done(false)}
      // `ask` listens itself: the key that asked the question must not answer it.
      closeOnEscape={false}
      title={question?.title ?? '系统提示'}
      size="sm"
      zIndex={400}
    >
      <Text component="div">{question?.text}</Text>
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

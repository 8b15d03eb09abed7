import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryClient } from '#ui/api/queryClient.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import { notify, notifyError } from '#ui/feedback/notify.ts';

/** How long a step can be undone from its message, in milliseconds. */
const MS = 10_000;

let last: { id: string; run: () => Promise<void> } | undefined;
let count = 0;

/**
 * Shows that a step is done, with a button that takes it back. Ctrl+Z does the same while the message stands. What the page shows is read
 * again after that.
 */
export function notifyWithUndo(message: string, undo: () => Promise<unknown>): void {
  const id = `undo ${++count}`;
  const run = async () => {
    if (last?.id === id) last = undefined;
    notifications.hide(id);
    try {
      await undo();
      await invalidateActions(queryClient);
      notify.done('已撤销');
    } catch (error) {
      notifyError(error);
    }
  };
  last = { id, run };
  notifications.show({
    id,
    color: 'brand',
    autoClose: MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': '关闭' },
    onClose: () => {
      if (last?.id === id) last = undefined;
    },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="light" title="Ctrl + Z" onClick={() => void run()}>
          撤销
        </Button>
      </Group>
    ),
  });
}

/** Takes the last step back whose message still stands; false without one. */
export function undoLast(): boolean {
  const step = last;
  void step?.run();
  return step !== undefined;
}

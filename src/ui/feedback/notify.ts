import { notifications } from '@mantine/notifications';
import { ApiError } from '#contract/apiError.ts';

const show = (color: string, message: string, autoClose: number): void =>
  void notifications.show({
    // A message said twice is shown once: the id is its text.
    id: `${color}:${message}`,
    message,
    color,
    autoClose,
    withBorder: true,
    closeButtonProps: { 'aria-label': '关闭' },
  });

/** Short messages at the top of the page. Errors stay five seconds (specification section 8). */
export const notify = {
  done: (message: string) => show('brand', message, 3000),
  info: (message: string) => show('gray', message, 3000),
  warn: (message: string) => show('orange', message, 5000),
  error: (message: string) => show('red', message || 'Error', 5000),
};

/** Says what went wrong, unless a dialog has already said it (identity, first password, proof). */
export function notifyError(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (error instanceof ApiError && [110000, 110005, 110007, 110010].includes(error.code)) return;
  notify.error(error instanceof Error ? error.message : 'Error');
}

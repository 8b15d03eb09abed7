import { notifications } from '@mantine/notifications';
import { ApiError } from '#contract/apiError.ts';

const show = (color: string, message: string, autoClose: number): void =>
  void notifications.show({
    // The text is the id, so that the same message appears once.
    id: `${color}:${message}`,
    message,
    color,
    autoClose,
    withBorder: true,
    closeButtonProps: { 'aria-label': '关闭' },
  });

/**
 * Shows a short message above the foot of the page, where it covers no title and no button. Errors stay five seconds (specification
 * section 8).
 */
export const notify = {
  done: (message: string) => show('brand', message, 3000),
  info: (message: string) => show('gray', message, 3000),
  warn: (message: string) => show('orange', message, 5000),
  error: (message: string) => show('red', message || 'Error', 5000),
};

/** Shows an error, unless a dialog has already shown it (identity, first password, proof). */
export function notifyError(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (error instanceof ApiError && [110000, 110005, 110007, 110010].includes(error.code)) return;
  notify.error(error instanceof Error ? error.message : 'Error');
}

import { Notifications, notifications } from '@mantine/notifications';

/** Puts a message up; `say` is what the console calls. */
export const showToast = (color: string, message: string, autoClose: number): void =>
  void notifications.show({
    // One message said twice stands once: the id is its text.
    id: `${color}:${message}`,
    message,
    color,
    autoClose,
    withBorder: true,
    closeButtonProps: { 'aria-label': '关闭' },
  });

/** Draws what `say` says; stands once in the frame. */
export const Toasts = () => <Notifications position="top-center" limit={4} zIndex={500} />;

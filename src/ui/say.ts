import { ApiError } from '#ui/call.ts';

type Tell = (color: string, message: string, autoClose: number) => void;

/** The messages' code comes with the first one; `Toasts` draws them. */
const toasts = () => import('#ui/Toasts.tsx');
const show: Tell = (...message) => {
  wanted = true;
  for (const tell of listeners) tell();
  void toasts().then(({ showToast }) => showToast(...message));
};

let wanted = false;
const listeners = new Set<() => void>();
/** Has there been anything to say? */
export const isSaid = (): boolean => wanted;
export const onSaid = (tell: () => void) => {
  listeners.add(tell);
  return () => void listeners.delete(tell);
};

/** Short messages at the top of the page. Errors stay five seconds (specification section 8). */
export const say = {
  done: (message: string) => show('brand', message, 3000),
  info: (message: string) => show('gray', message, 3000),
  warn: (message: string) => show('orange', message, 5000),
  error: (message: string) => show('red', message || 'Error', 5000),
};

/** Says what went wrong, unless a dialog has already said it (identity, first password, proof). */
export function sayError(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (error instanceof ApiError && [110000, 110005, 110007, 110010].includes(error.code)) return;
  say.error(error instanceof Error ? error.message : 'Error');
}

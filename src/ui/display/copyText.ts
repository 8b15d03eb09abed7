/**
 * Copies a text to the clipboard; false when the browser refuses. A page without https has no clipboard API and copies a selection
 * instead.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // The browser refused, or the click was too long ago: try the other way.
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.style.cssText = 'position:fixed;inset:0 auto auto 0;opacity:0';
  // Inside an open dialog: outside it the dialog's focus trap would remove the selection.
  (document.activeElement?.closest('[role=dialog]') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}

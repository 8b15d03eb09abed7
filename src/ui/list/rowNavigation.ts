import type { KeyboardEvent, MouseEvent } from 'react';
import type { Selection } from '#ui/list/selection.ts';

interface RowProps {
  id: string;
  row: unknown;
  selection: Selection | undefined;
  open: ((row: unknown) => void) | undefined;
}

/** Arrow keys walk over the rows, Enter opens, space selects. */
export function onRowKeyDown(event: KeyboardEvent<HTMLElement>, { open, row, selection, id }: RowProps) {
  if (event.target !== event.currentTarget) return;
  const to =
    event.key === 'ArrowDown'
      ? event.currentTarget.nextElementSibling
      : event.key === 'ArrowUp'
        ? event.currentTarget.previousElementSibling
        : undefined;
  if (to instanceof HTMLElement) to.focus();
  else if (event.key === 'Enter' && open) open(row);
  else if (event.key === ' ' && selection) selection.toggle(id);
  else return;
  event.preventDefault();
}

const INTERACTIVE = 'a,button,input,label,select,textarea,[role="button"],[role="menuitem"],[role="dialog"]';

/** Was the row itself clicked: nothing in it that acts by itself, no menu or dialog opened from it, no text just marked? */
export const isRowClick = ({ target, currentTarget }: MouseEvent) =>
  target instanceof Element &&
  // A click inside a menu or dialog opened from the row comes through React's tree, not the page's.
  currentTarget.contains(target) &&
  !target.closest(INTERACTIVE) &&
  !window.getSelection()?.toString();

import type { KeyboardEvent, MouseEvent } from 'react';
import type { Selection } from '#ui/list/selection.ts';

interface RowProps {
  id: string;
  row: unknown;
  selection: Selection | undefined;
  open: ((row: unknown) => void) | undefined;
}

/** Handles keys of the rows: arrow keys move the focus, Enter opens, space selects. */
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

/** Says whether the click was on the row itself: not on a control in it, not in a menu or dialog of it, and no text selection. */
export const isRowClick = ({ target, currentTarget }: MouseEvent) =>
  target instanceof Element &&
  // A click inside a menu or dialog of the row bubbles through React's tree, although its element lies elsewhere.
  currentTarget.contains(target) &&
  !target.closest(INTERACTIVE) &&
  !window.getSelection()?.toString();

/** Moves the focus to the row of a list that has this key, if the list still shows it. */
export const focusRow = (id: string): void => document.querySelector<HTMLElement>(`main [data-row="${CSS.escape(id)}"]`)?.focus();

import { useEffect } from 'react';
import { undoLast } from '#ui/feedback/undo.tsx';

const isIn = (target: EventTarget | null, places: string): boolean =>
  target instanceof Element && target.closest(places) !== null;
/** Whether keys write into a field or choose in a menu. */
const isTyping = (target: EventTarget | null): boolean =>
  isIn(target, 'input:not([type="checkbox"]):not([type="radio"]),textarea,select,[contenteditable="true"],[role="menu"]');

const visible = (element: HTMLElement): boolean => element.offsetParent !== null;

/** Moves the focus to the first field of the query form on the page. */
function focusFilter(): boolean {
  const fields = [...document.querySelectorAll<HTMLElement>('form[role="search"] input:not([type="hidden"])')];
  const field = fields.find(visible);
  field?.focus();
  return field !== undefined;
}

/** Moves the focus to the first row of the list on the page, or from row to row. */
function moveInList(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('main tr[tabindex], main li[tabindex]')].filter(visible);
  const index = rows.findIndex((row) => row === document.activeElement);
  const next = index < 0 ? rows[0] : rows[index + step];
  next?.focus();
  return next !== undefined;
}

/** Presses the button of the page that leads to the previous or the next one. */
function followNeighbour(name: 'previous' | 'next'): boolean {
  const control = [...document.querySelectorAll<HTMLElement>(`[data-neighbour="${name}"]`)].findLast(visible);
  control?.click();
  return control !== undefined;
}

/** Presses the ? of the screen. */
function openHelp(): boolean {
  const control = document.querySelector<HTMLElement>('[data-help]');
  control?.click();
  return control !== null;
}

interface Openers {
  search: () => void;
  keys: () => void;
}

/** Handles the keys of the whole console; `KeySheet` lists them. A dialog or a field in use keeps its keys. */
export function useShortcuts({ search, keys }: Openers): void {
  useEffect(() => {
    const actions: Readonly<Record<string, () => boolean | void>> = {
      '/': focusFilter,
      '?': keys,
      h: openHelp,
      j: () => moveInList(1),
      k: () => moveInList(-1),
      '[': () => followNeighbour('previous'),
      ']': () => followNeighbour('next'),
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return;
      if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        if (document.querySelector('[role="dialog"]') && !isSearchOpen()) return;
        event.preventDefault();
        return search();
      }
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'z' && !isTyping(event.target) && undoLast())
        return event.preventDefault();
      const action = actions[event.key];
      if (!action || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      // A case opens in a drawer, so its neighbours and the sheet of keys are reached from there too.
      if (isIn(event.target, '[role="dialog"]') && !'[]?'.includes(event.key)) return;
      if (action() !== false) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [search, keys]);
}

const isSearchOpen = (): boolean => document.querySelector('[data-search]') !== null;

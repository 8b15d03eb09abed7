/** The address of the console: path, query and fragment of the address bar. */
export interface Location {
  pathname: string;
  /** With its question mark, or empty. */
  search: string;
  hash: string;
  /** A new number for every navigation, also to the same address. */
  key: string;
}
export type To = string | { pathname: string; search?: string };
/** Asks before a navigation; returns nothing when it may happen at once. */
export type Blocker = (from: Location, to: Location) => Promise<boolean> | undefined;

/** The state of an entry in the browser's history: its key and its position. */
interface HistoryState {
  key: string;
  position: number;
}
let current: Location | undefined;
let position = 0;
let guard: Blocker | undefined;
/** The next navigation of the browser is caused by this file: do not ask and do not render. */
let isUndoing = false;
let isAllowed = false;
const listeners = new Set<() => void>();

const historyState = () => window.history.state as HistoryState | null;
const newKey = () => Math.random().toString(36).slice(2, 10);

function read(): Location {
  const { pathname, search, hash } = window.location;
  let state = historyState();
  if (typeof state?.position !== 'number') {
    // A first visit, or a jump to a fragment of this page, which the browser made itself.
    state = { key: newKey(), position: current ? position + 1 : 0 };
    window.history.replaceState(state, '');
  }
  return { pathname, search, hash, key: state.key };
}

function put(next: Location): void {
  current = next;
  position = historyState()?.position ?? position;
  for (const listener of listeners) listener();
}

function onPopState(): void {
  if (isUndoing) {
    isUndoing = false;
    return;
  }
  const to = read();
  const way = (historyState()?.position ?? position) - position;
  const question = isAllowed || way === 0 || !current ? undefined : guard?.(current, to);
  isAllowed = false;
  if (!question) return put(to);
  // The browser has already moved: go back until the answer is known.
  isUndoing = true;
  window.history.go(-way);
  void question.then((yes) => {
    if (!yes) return;
    isAllowed = true;
    window.history.go(way);
  });
}

/** Returns the current address. */
export function here(): Location {
  if (!current) {
    current = read();
    position = historyState()?.position ?? 0;
  }
  return current;
}

/** Adds a listener, which is called after every navigation. */
export function watch(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', onPopState);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('popstate', onPopState);
  };
}

/** Sets the guard. There is one at a time: the frame's. */
export const setBlocker = (next: Blocker | undefined): void => void (guard = next);

/** Resolves a target as a URL. A query alone stays on the path of the calling view. */
export const hrefOf = (to: To, from: string): URL =>
  new URL(typeof to === 'string' ? to : to.pathname + (to.search ?? ''), window.location.origin + from);

/** Navigates to an address; `replace` replaces the current one. The browser itself opens an address of another site. */
export function go(url: URL, replace = false): void {
  if (url.origin !== window.location.origin) return window.location.assign(url);
  const from = here();
  const { pathname, search, hash } = url;
  const to = { pathname, search, hash, key: newKey() };
  const step = () => {
    const state: HistoryState = { key: to.key, position: replace ? position : position + 1 };
    window.history[replace ? 'replaceState' : 'pushState'](state, '', pathname + search + hash);
    put(to);
  };
  const question = guard?.(from, to);
  if (question) void question.then((yes) => yes && step());
  else step();
}

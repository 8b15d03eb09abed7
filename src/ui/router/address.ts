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
interface Kept {
  key: string;
  at: number;
}
let current: Location | undefined;
let at = 0;
let guard: Blocker | undefined;
/** The next navigation of the browser is caused by this file: do not ask and do not render. */
let undoing = false;
let allowed = false;
const listeners = new Set<() => void>();

const keptNow = () => window.history.state as Kept | null;
const fresh = () => Math.random().toString(36).slice(2, 10);

function read(): Location {
  const { pathname, search, hash } = window.location;
  let keptKept = keptNow();
  if (typeof keptKept?.at !== 'number') {
    // A first visit, or a jump to a fragment of this page, which the browser made itself.
    keptKept = { key: fresh(), at: current ? at + 1 : 0 };
    window.history.replaceState(keptKept, '');
  }
  return { pathname, search, hash, key: keptKept.key };
}

function put(next: Location): void {
  current = next;
  at = keptNow()?.at ?? at;
  for (const tell of listeners) tell();
}

function stepped(): void {
  if (undoing) {
    undoing = false;
    return;
  }
  const to = read();
  const way = (keptNow()?.at ?? at) - at;
  const question = allowed || way === 0 || !current ? undefined : guard?.(current, to);
  allowed = false;
  if (!question) return put(to);
  // The browser has already moved: go back until the answer is known.
  undoing = true;
  window.history.go(-way);
  void question.then((yes) => {
    if (!yes) return;
    allowed = true;
    window.history.go(way);
  });
}

/** Returns the current address. */
export function here(): Location {
  if (!current) {
    current = read();
    at = keptNow()?.at ?? 0;
  }
  return current;
}

/** Adds a listener, which is called after every navigation. */
export function watch(tell: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', stepped);
  listeners.add(tell);
  return () => {
    listeners.delete(tell);
    if (listeners.size === 0) window.removeEventListener('popstate', stepped);
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
  const to = { pathname, search, hash, key: fresh() };
  const step = () => {
    const keptKept: Kept = { key: to.key, at: replace ? at : at + 1 };
    window.history[replace ? 'replaceState' : 'pushState'](keptKept, '', pathname + search + hash);
    put(to);
  };
  const question = guard?.(from, to);
  if (question) void question.then((yes) => yes && step());
  else step();
}

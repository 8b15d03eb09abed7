/** Where the console is: the address bar's path, query and fragment. */
export interface Location {
  pathname: string;
  /** With its question mark, or empty. */
  search: string;
  hash: string;
  /** Another one for every step, also for one to the same address. */
  key: string;
}
export type To = string | { pathname: string; search?: string };
/** Asks before a step away from here; nothing when the step may be taken at once. */
export type Blocker = (from: Location, to: Location) => Promise<boolean> | undefined;

/** What is kept with an entry of the browser's history: its name and its place in the row. */
interface Kept {
  key: string;
  at: number;
}
let current: Location | undefined;
let at = 0;
let guard: Blocker | undefined;
/** The next step of the browser is our own answer to one: it is neither asked about nor shown. */
let undoing = false;
let allowed = false;
const listeners = new Set<() => void>();

const keptNow = () => window.history.state as Kept | null;
const fresh = () => Math.random().toString(36).slice(2, 10);

function read(): Location {
  const { pathname, search, hash } = window.location;
  let keptKept = keptNow();
  if (typeof keptKept?.at !== 'number') {
    // A first visit, or a step to a fragment of this page, which the browser took by itself.
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
  // The browser has already gone there: back until the answer is known.
  undoing = true;
  window.history.go(-way);
  void question.then((yes) => {
    if (!yes) return;
    allowed = true;
    window.history.go(way);
  });
}

/** The address as it stands. */
export function here(): Location {
  if (!current) {
    current = read();
    at = keptNow()?.at ?? 0;
  }
  return current;
}

/** Told after every step. */
export function watch(tell: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', stepped);
  listeners.add(tell);
  return () => {
    listeners.delete(tell);
    if (listeners.size === 0) window.removeEventListener('popstate', stepped);
  };
}

/** One guard at a time: the frame's. */
export const setBlocker = (next: Blocker | undefined): void => void (guard = next);

/** A step as a URL; a query alone stays on the path of the view that asks. */
export const hrefOf = (to: To, from: string): URL =>
  new URL(typeof to === 'string' ? to : to.pathname + (to.search ?? ''), window.location.origin + from);

/** Goes there; `replace` puts it in place of where we are. Another site's address is left to the browser. */
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

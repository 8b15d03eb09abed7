/** Loads code; a second call costs nothing, because the browser keeps the module. */
export type LoadCode = () => Promise<unknown>;

const queue: LoadCode[] = [];
let isStarted = false;
let isLoading = false;

/** Safari has no idle callbacks; there a short delay has to do. */
const whenIdle = (work: () => void) =>
  typeof requestIdleCallback === 'function' ? requestIdleCallback(work, { timeout: 2000 }) : setTimeout(work, 200);

function loadNext(): void {
  const load = isStarted && !isLoading ? queue.shift() : undefined;
  if (!load) return;
  isLoading = true;
  const done = () => {
    isLoading = false;
    loadNext();
  };
  // Ignore prefetch errors: opening the part retries and reports.
  whenIdle(() => void load().then(done, done));
}

/** Loads this code when the first page is complete and the browser is idle, one part after the other. */
export function prefetchOnIdle(load: LoadCode): void {
  queue.push(load);
  loadNext();
}

/** Starts the prefetching. Browsers that ask to save data never prefetch. */
export function startPrefetching(): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (isStarted || connection?.saveData) return;
  isStarted = true;
  performance.mark('prefetch');
  loadNext();
}

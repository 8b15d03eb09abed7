/** Loads code. A second call costs nothing, because the browser caches the module. */
export type LoadCode = () => Promise<unknown>;

const queue: LoadCode[] = [];
let isStarted = false;
let isLoading = false;

/** Safari has no idle callbacks: use a short delay. */
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

/** Loads this code one part after the other, when the first page is complete and the browser is idle. */
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

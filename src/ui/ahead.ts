/** Fetches a part's code; a second call costs nothing. */
type Fetch = () => Promise<unknown>;

const waiting: Fetch[] = [];
let begun = false;
let fetching = false;

/** Safari has no idle callbacks: there a moment later has to do. */
const whenIdle = (work: () => void) =>
  typeof requestIdleCallback === 'function' ? requestIdleCallback(work, { timeout: 2000 }) : setTimeout(work, 200);

function next(): void {
  if (fetching || !begun) return;
  const fetch = waiting.shift();
  if (!fetch) return;
  fetching = true;
  whenIdle(() => {
    const done = () => {
      fetching = false;
      next();
    };
    // What does not come now is fetched, and complained about, when it is wanted.
    fetch().then(done, done);
  });
}

/** Has this code fetched once the page stands and has nothing else to do, one part after the other. */
export function ahead(fetch: Fetch): void {
  waiting.push(fetch);
  next();
}

/** The first page stands: from here on parts are fetched ahead, unless the reader's browser asks to save data. */
export function fetchAhead(): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (begun || connection?.saveData) return;
  begun = true;
  performance.mark('ahead');
  next();
}

/** Milliseconds of the way to the top (specification section 9). */
export const SCROLL_MS = 800;

/** Returns the scroll position after some milliseconds of the way from `start` to the top: slow, fast, slow. */
export function scrollPositionAt(start: number, elapsed: number): number {
  const share = Math.min(1, Math.max(0, elapsed / SCROLL_MS));
  const done = share < 0.5 ? 2 * share ** 2 : 1 - 2 * (1 - share) ** 2;
  return start * (1 - done);
}

/** Scrolls the page to its top. It stops when the reader scrolls, and jumps for a reader who asks for less motion. */
export function scrollToTop(): void {
  const start = window.scrollY;
  if (start === 0) return;
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return window.scrollTo({ top: 0, behavior: 'instant' });
  const stop = new AbortController();
  for (const event of ['wheel', 'touchstart', 'keydown'])
    window.addEventListener(event, () => stop.abort(), { signal: stop.signal, passive: true });
  let begin: number | undefined;
  const step = (time: number) => {
    if (stop.signal.aborted) return;
    begin ??= time;
    window.scrollTo({ top: scrollPositionAt(start, time - begin), behavior: 'instant' });
    if (time - begin < SCROLL_MS) requestAnimationFrame(step);
    else stop.abort();
  };
  requestAnimationFrame(step);
}

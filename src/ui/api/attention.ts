/** Milliseconds after the last touch of a key or pointer in which a call still counts as sent by a person. */
const ATTENDED_MS = 60_000;

let lastTouch = 0;

/** Begins to watch whether a person uses this page. */
export function watchAttention(): void {
  const touch = () => {
    lastTouch = performance.now();
  };
  for (const kind of ['pointerdown', 'keydown', 'wheel']) addEventListener(kind, touch, { capture: true, passive: true });
}

/** Whether nobody touched the page lately: its calls then come from screens that renew themselves. */
export const isUnattended = (): boolean => performance.now() - lastTouch > ATTENDED_MS;

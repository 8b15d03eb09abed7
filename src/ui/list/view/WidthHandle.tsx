import type { PointerEvent } from 'react';
import { limitWidth } from '#ui/list/view/useChosenColumns.tsx';
import classes from '#ui/list/DataTable.module.css';

/**
 * The edge of a column's header: a drag changes the width, a double click gives the list's own width back. The menu of the columns does
 * the same for the keyboard, so the edge itself takes no focus.
 */
export function WidthHandle({ resize }: { resize: (width: number | undefined) => void }) {
  const begin = (event: PointerEvent<HTMLSpanElement>) => {
    const head = event.currentTarget.closest('th');
    if (!head || event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    const from = event.clientX;
    const before = head.offsetWidth;
    const widthAt = (x: number) => limitWidth(before + x - from);
    // The header follows the pointer without a new render; the rows follow when the drag ends.
    const follow = ({ clientX }: globalThis.PointerEvent) => {
      head.style.width = head.style.minWidth = `${widthAt(clientX)}px`;
    };
    const stop = (last: globalThis.PointerEvent) => {
      handle.removeEventListener('pointermove', follow);
      if (last.type === 'pointerup' && last.clientX !== from) resize(widthAt(last.clientX));
      else head.style.width = head.style.minWidth = `${before}px`;
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', follow);
    for (const end of ['pointerup', 'pointercancel'] as const) handle.addEventListener(end, stop, { once: true });
  };
  return <span className={classes['edge']} aria-hidden onPointerDown={begin} onDoubleClick={() => resize(undefined)} />;
}

import { useLayoutEffect, useState, type RefObject } from 'react';

/** Drawn beyond the edges, so that scrolling finds rows already there. */
const AROUND = 12;

/**
 * Which of many rows are in view in a frame that scrolls: the first, and the one after the last. Rows are taken to be `height` px high;
 * 0 rows ask for nothing.
 */
export function useRowsInView(frame: RefObject<HTMLElement | null>, count: number, height: number) {
  const [view, setView] = useState({ from: 0, to: 2 * AROUND });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element || count === 0) return;
    const look = () => {
      const from = Math.max(0, Math.floor(element.scrollTop / height) - AROUND);
      const to = Math.ceil((element.scrollTop + element.clientHeight) / height) + AROUND;
      setView((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    const sized = new ResizeObserver(look);
    sized.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [frame, count, height]);
  const to = Math.min(count, view.to);
  return { from: Math.min(view.from, to), to };
}

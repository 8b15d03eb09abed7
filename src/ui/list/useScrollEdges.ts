import { useEffect, type RefObject } from 'react';

/**
 * Marks a frame that scrolls sideways with `data-before` and `data-after` while there is more to see at that side, so that its
 * styles can show it. Written to the element itself: scrolling draws nothing again.
 */
export function useScrollEdges(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      element.toggleAttribute('data-before', scrollLeft > 1);
      element.toggleAttribute('data-after', scrollWidth - clientWidth - scrollLeft > 1);
    };
    const watch = new ResizeObserver(look);
    watch.observe(element);
    for (const child of element.children) watch.observe(child);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [frame]);
}

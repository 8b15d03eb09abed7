import { useEffect, useRef, type RefObject } from 'react';

/** While `isHeld`, the form around `place` cannot be sent: `onHeld` says why. */
export function useHeldForm(place: RefObject<HTMLElement | null>, isHeld: boolean, onHeld: () => void): void {
  const onHeldRef = useRef(onHeld);
  useEffect(() => {
    onHeldRef.current = onHeld;
  });
  useEffect(() => {
    const form = place.current?.closest('form');
    if (!form || !isHeld) return;
    const hold = (event: SubmitEvent) => {
      event.preventDefault();
      event.stopPropagation();
      onHeldRef.current();
    };
    form.addEventListener('submit', hold, { capture: true });
    return () => form.removeEventListener('submit', hold, { capture: true });
  }, [place, isHeld]);
}

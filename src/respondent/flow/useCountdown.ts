import { useEffect, useRef, useState } from 'react';

const TOUCHES = ['pointerdown', 'keydown', 'wheel'];

/**
 * Counts down whole seconds and then calls `end`. Undefined without seconds. A touch or a key starts again, unless the person answers
 * with a button (`hasAnswer`).
 */
export function useCountdown(seconds: number | undefined, end: () => void, hasAnswer = false): number | undefined {
  const [left, setLeft] = useState(seconds);
  const latest = useRef(end);
  latest.current = end;
  useEffect(() => {
    if (seconds === undefined) return undefined;
    let finish = 0;
    const restart = () => void (finish = Date.now() + seconds * 1000);
    restart();
    const timer = window.setInterval(() => {
      const rest = Math.ceil((finish - Date.now()) / 1000);
      setLeft(Math.max(0, rest));
      if (rest > 0) return;
      window.clearInterval(timer);
      latest.current();
    }, 250);
    const touches = hasAnswer ? [] : TOUCHES;
    for (const touch of touches) window.addEventListener(touch, restart, true);
    return () => {
      window.clearInterval(timer);
      for (const touch of touches) window.removeEventListener(touch, restart, true);
    };
  }, [seconds, hasAnswer]);
  return left;
}

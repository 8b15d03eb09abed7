import { useState } from 'react';
import { later } from '#ui/later.tsx';

const HintBubble = later(() => import('#ui/HintBubble.tsx').then((file) => file.HintBubble));

/** Words with a definition that shows on hover and on focus. */
export function Hint({ label, className, children }: { label: string; className?: string | undefined; children: string }) {
  const [at, setAt] = useState<HTMLElement | null>(null);
  const [near, setNear] = useState(false);
  const [used, setUsed] = useState(false);
  const come = () => {
    setUsed(true);
    setNear(true);
  };
  const leave = () => setNear(false);
  return (
    <>
      <span
        ref={setAt}
        className={className}
        tabIndex={0}
        onPointerEnter={come}
        onFocus={come}
        onPointerLeave={leave}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Escape' && leave()}
      >
        {children}
      </span>
      {at && used && <HintBubble at={at} near={near} label={label} />}
    </>
  );
}

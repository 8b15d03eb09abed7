import { useEffect, useLayoutEffect, useState, type RefCallback } from 'react';

interface Props {
  /** The button that stands in the page. */
  to: HTMLElement;
  /** Set by the kit's Target, like the rest. */
  ref?: RefCallback<HTMLElement>;
  id?: string;
  'aria-controls'?: string;
}

/**
 * Makes a button drawn elsewhere the target of a menu or panel: `<Menu.Target><Anchored to={button} /></Menu.Target>`. So the code of
 * what opens can come after its button, and the button keeps its place and the focus.
 */
export function Anchored({ to, ref, id = '', 'aria-controls': controls }: Props) {
  useLayoutEffect(() => {
    if (!ref) return;
    const leave = ref(to);
    return typeof leave === 'function' ? leave : () => void ref(null);
  }, [to, ref]);
  useLayoutEffect(() => {
    // The panel is named after its button.
    to.id = id;
    return () => to.removeAttribute('id');
  }, [to, id]);
  useLayoutEffect(() => {
    if (controls) to.setAttribute('aria-controls', controls);
    return () => to.removeAttribute('aria-controls');
  }, [to, controls]);
  return null;
}

/** What comes opened is first drawn closed: the kit notes where the focus goes back to when it opens. */
export function useOpening(opened: boolean): boolean {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return drawn && opened;
}

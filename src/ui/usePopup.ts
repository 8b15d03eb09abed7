import { useState } from 'react';

/** What a menu or panel that is fetched later gets from its button. */
export interface Popup {
  /** The button it belongs to. */
  at: HTMLElement;
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/**
 * A button whose menu or panel is fetched when it is wanted: `button` are the button's props, `popup` those of what opens, from the
 * first opening on. `<Button {...button} />{popup && <LaterMenu {...popup} />}`
 */
export function usePopup(kind: 'menu' | 'dialog', warm: () => Promise<unknown>) {
  const [at, setAt] = useState<HTMLElement | null>(null);
  const [opened, setOpened] = useState(false);
  const [used, setUsed] = useState(false);
  const near = () => void warm().catch(() => undefined);
  return {
    button: {
      ref: setAt,
      'aria-haspopup': kind,
      'aria-expanded': opened,
      onPointerEnter: near,
      onFocus: near,
      onClick: () => {
        setUsed(true);
        setOpened(!opened);
      },
    },
    popup: at && used ? { at, opened, onChange: setOpened } : undefined,
    opened,
    setOpened,
  };
}

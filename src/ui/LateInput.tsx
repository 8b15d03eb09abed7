import { Input, InputBase } from '@mantine/core';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import type { Later } from '#ui/later.tsx';

interface Face {
  label: string;
  placeholder: string;
  /** What it holds, as text. */
  text: string;
  leftSection?: ReactNode;
  /** A list to open, or a calendar, which is a button. */
  kind: 'list' | 'calendar';
}
/** What the workings of an input are given beside what the screen says. */
export interface Late<E extends HTMLElement> {
  id: string;
  ref: Ref<E>;
}

/** The arrows of the kit's own lists. */
const arrows = (
  <svg
    viewBox="0 0 15 15"
    width="18"
    height="18"
    fill="currentColor"
    style={{ color: 'var(--mantine-color-dimmed)' }}
    aria-hidden
  >
    <path d="M4.6 6a.45.45 0 0 1 0-.6l2.6-2.3a.45.45 0 0 1 .6 0L10.4 5.4a.45.45 0 1 1-.6.65L7.5 4.1 5.2 6.05a.45.45 0 0 1-.6-.05Zm0 3a.45.45 0 0 1 .6-.05l2.3 1.95 2.3-1.95a.45.45 0 1 1 .6.65l-2.6 2.3a.45.45 0 0 1-.6 0L4.6 9.6a.45.45 0 0 1 0-.6Z" />
  </svg>
);
const OPENING = ['Enter', ' ', 'ArrowDown', 'ArrowUp'];

interface Props {
  of: Pick<Later<never>, 'warm' | 'useReady'>;
  face: Face;
  /** Draws the workings. */
  children: (late: Late<HTMLInputElement & HTMLButtonElement>) => ReactNode;
}

/**
 * An input that opens something: its face stands with the page, its workings come later and take the place of the face, and with it the
 * focus. One that was clicked or asked for by key before they came opens then. It is never exchanged under a pressed pointer.
 */
export function LateInput({ of: input, face, children }: Props) {
  const id = useId();
  const ready = input.useReady();
  const place = useRef<HTMLInputElement & HTMLButtonElement>(null);
  const [wanted, want] = useState(false);
  const [taken, take] = useState<'plainly' | 'focused' | 'opened' | undefined>(ready ? 'plainly' : undefined);
  useEffect(() => {
    if (!ready || taken) return;
    const swap = () => take(wanted ? 'opened' : document.activeElement === place.current ? 'focused' : 'plainly');
    if (!place.current?.matches(':active')) return swap();
    // The click that follows the release says itself that it is wanted.
    const released = () => setTimeout(swap, 50);
    window.addEventListener('pointerup', released, { once: true });
    return () => window.removeEventListener('pointerup', released);
  }, [ready, taken, wanted]);
  useLayoutEffect(() => {
    if (!taken || taken === 'plainly') return;
    place.current?.focus();
    if (taken === 'opened') place.current?.click();
  }, [taken]);
  if (taken) return children({ id, ref: place });
  const near = () => void input.warm().catch(() => undefined);
  const open = () => {
    want(true);
    near();
  };
  const common = {
    id,
    ref: place,
    label: face.label,
    leftSection: face.leftSection,
    pointer: true,
    onPointerEnter: near,
    onFocus: near,
    onClick: open,
  };
  return face.kind === 'calendar' ? (
    <InputBase {...common} component="button" type="button" multiline aria-haspopup="dialog">
      {face.text || <Input.Placeholder>{face.placeholder}</Input.Placeholder>}
    </InputBase>
  ) : (
    <InputBase
      {...common}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      readOnly
      value={face.text}
      placeholder={face.placeholder}
      rightSection={arrows}
      rightSectionPointerEvents="none"
      onKeyDown={(event: KeyboardEvent) => {
        if (!OPENING.includes(event.key)) return;
        event.preventDefault();
        open();
      }}
    />
  );
}

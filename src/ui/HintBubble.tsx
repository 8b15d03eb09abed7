import { Tooltip } from '@mantine/core';
import { useEffect, useId, useState } from 'react';

/** The definition beside its words; it waits a moment, so that a pointer passing by shows nothing. */
export function HintBubble({ at, near, label }: { at: HTMLElement; near: boolean; label: string }) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOpened(near), near ? 250 : 0);
    return () => clearTimeout(timer);
  }, [near]);
  useEffect(() => {
    if (opened) at.setAttribute('aria-describedby', id);
    return () => at.removeAttribute('aria-describedby');
  }, [at, id, opened]);
  return <Tooltip id={id} target={at} opened={opened} label={label} />;
}

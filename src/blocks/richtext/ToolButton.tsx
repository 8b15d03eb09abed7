import { Tooltip } from '@mantine/core';
import { RichTextEditor } from '@mantine/tiptap';
import type { Icon } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import classes from './editor.module.css';

/** A button of the toolbar with its name, for the pointer and for screen readers. */
export function ToolButton({
  label,
  keys,
  icon: ToolIcon,
  ...rest
}: { label: string; keys?: string | undefined; icon: Icon } & Omit<ComponentProps<typeof RichTextEditor.Control>, 'children'>) {
  return (
    <Tooltip label={keys ? `${label}（${keys}）` : label} openDelay={400}>
      <RichTextEditor.Control aria-label={label} {...rest} className={classes['tool'] ?? ''}>
        <ToolIcon size={18} stroke={1.6} aria-hidden />
      </RichTextEditor.Control>
    </Tooltip>
  );
}

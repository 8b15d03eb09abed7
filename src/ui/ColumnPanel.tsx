import { Checkbox, Popover, Stack, Text } from '@mantine/core';
import { Anchored, useOpening } from '#ui/Anchored.tsx';
import type { Popup } from '#ui/usePopup.ts';

export interface Choosing {
  columns: readonly { key: string; title: string }[];
  chosen: ReadonlySet<string>;
  toggle: (key: string) => void;
  reset: () => void;
}

/** The columns there are, to be ticked. */
export function ColumnPanel({ at, opened, onChange, columns, chosen, toggle, reset }: Choosing & Popup) {
  return (
    <Popover opened={useOpening(opened)} onChange={onChange} position="bottom-end" withinPortal shadow="sm">
      <Popover.Target>
        <Anchored to={at} />
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" mah={360} style={{ overflow: 'auto' }}>
          <Text size="xs" c="dimmed">
            显示的列
          </Text>
          {columns.map((column) => (
            <Checkbox
              key={column.key}
              size="xs"
              label={column.title}
              checked={chosen.has(column.key)}
              disabled={chosen.size === 1 && chosen.has(column.key)}
              onChange={() => toggle(column.key)}
            />
          ))}
          <Text
            component="button"
            type="button"
            size="xs"
            c="var(--ink-brand)"
            onClick={reset}
            style={{ background: 'none', border: 0, cursor: 'pointer', textAlign: 'left', padding: 0 }}
          >
            恢复默认
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

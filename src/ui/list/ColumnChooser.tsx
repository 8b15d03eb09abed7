import { ActionIcon, Checkbox, Popover, Stack, Text } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';

interface Props {
  columns: readonly { key: string; title: string }[];
  chosen: ReadonlySet<string>;
  toggle: (key: string) => void;
  reset: () => void;
}

/** The button that lets a reader choose columns; `useChosenColumns` saves the choice. */
export const ColumnChooser = ({ columns, chosen, toggle, reset }: Props) => (
  <Popover position="bottom-end" withinPortal shadow="sm" trapFocus returnFocus>
    <Popover.Target>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label="选择显示的列" title="选择显示的列">
        <IconColumns3 size={16} />
      </ActionIcon>
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

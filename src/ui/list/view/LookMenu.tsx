import { ActionIcon, Checkbox, Group, Popover, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconColumns3, IconMinus, IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Density, ListLook } from '#contract/listView.ts';

interface Props {
  columns: readonly { key: string; title: string; width?: number }[];
  chosen: ReadonlySet<string>;
  toggle: (key: string) => void;
  widths: ListLook['widths'];
  /** undefined: the list's own width */
  resize: (key: string, width: number | undefined) => void;
  density: Density;
  setDensity: (density: Density) => void;
  reset: () => void;
}

const DENSITY_WORDS: readonly { value: Density; label: string }[] = [
  { value: 'comfortable', label: '宽松' },
  { value: 'compact', label: '紧凑' },
];

/** A step of a column's width, in px. */
const STEP = 40;

/**
 * The button behind which a reader chooses density, columns and widths of a list. The edge of a column's header also changes its width
 * by drag; the buttons here do the same by one click or by the keyboard.
 */
export function LookMenu({ columns, chosen, toggle, widths, resize, density, setDensity, reset }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const phone = useMediaQuery('(max-width: 600px)');
  /** The width on the screen, where nothing else says one. */
  const widthNow = (key: string) =>
    widths[key] ??
    button.current?.closest('table')?.querySelector<HTMLElement>(`th[data-column="${CSS.escape(key)}"]`)?.offsetWidth ??
    columns.find((column) => column.key === key)?.width ??
    120;
  return (
    <Popover position="bottom-end" withinPortal shadow="sm" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size="sm"
          aria-label="选择显示的列"
          title="选择显示的列、列宽和行距"
        >
          <IconColumns3 size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" mah={420} style={{ overflow: 'auto' }}>
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label="行距"
            data={[...DENSITY_WORDS]}
            value={density}
            onChange={(value) => setDensity(value as Density)}
          />
          <Text size="xs" c="dimmed">
            显示的列
          </Text>
          {columns.map(({ key, title }) => (
            <Group key={key} justify="space-between" wrap="nowrap" gap="lg">
              <Checkbox
                size="xs"
                label={title}
                checked={chosen.has(key)}
                disabled={chosen.size === 1 && chosen.has(key)}
                onChange={() => toggle(key)}
              />
              {!phone && chosen.has(key) && (
                <Group gap={2} wrap="nowrap">
                  {[
                    { words: '变窄', step: -STEP, Icon: IconMinus },
                    { words: '变宽', step: STEP, Icon: IconPlus },
                  ].map(({ words, step, Icon }) => (
                    <ActionIcon
                      key={words}
                      size="xs"
                      variant="subtle"
                      color="gray"
                      aria-label={`${title}${words}`}
                      onClick={() => resize(key, widthNow(key) + step)}
                    >
                      <Icon size={12} />
                    </ActionIcon>
                  ))}
                </Group>
              )}
            </Group>
          ))}
          <UnstyledButton fz="xs" c="var(--ink-brand)" onClick={reset}>
            恢复默认
          </UnstyledButton>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

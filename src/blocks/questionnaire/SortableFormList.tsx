import { ActionIcon, Group, Switch, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';

interface Line {
  formcode: string;
  /** 0: may be left out */
  required?: number | undefined;
}
interface Props<L extends Line> {
  lines: readonly L[];
  onChange: (lines: L[]) => void;
  nameOf: (line: L) => string;
  /** The text below its name. */
  hintOf?: (line: L) => string;
  /** A key for each line, where a form may appear twice. */
  keyOf?: (line: L) => string;
}

/** Questionnaires in their order. The reader can move them, make them required or optional, and remove them. */
export function SortableFormList<L extends Line>({ lines, onChange, nameOf, hintOf, keyOf = (line) => line.formcode }: Props<L>) {
  const move = (index: number, by: number) => {
    const next = [...lines];
    const [line] = next.splice(index, 1);
    if (line) next.splice(index + by, 0, line);
    onChange(next);
  };
  return lines.map((line, index) => {
    const name = nameOf(line);
    return (
      <Group key={keyOf(line)} wrap="nowrap" gap="xs" justify="space-between">
        <div style={{ minWidth: 0 }}>
          <Text size="sm">
            {index + 1}. {name}
          </Text>
          {hintOf && (
            <Text size="xs" c="dimmed">
              {hintOf(line)}
            </Text>
          )}
        </div>
        <Group gap={4} wrap="nowrap">
          <Switch
            size="xs"
            label="必答"
            checked={line.required !== 0}
            onChange={(event) => {
              const required = event.currentTarget.checked ? 1 : 0;
              onChange(lines.map((item) => (item === line ? { ...item, required } : item)));
            }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`上移${name}`}
            disabled={index === 0}
            onClick={() => move(index, -1)}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`下移${name}`}
            disabled={index === lines.length - 1}
            onClick={() => move(index, 1)}
          >
            <IconArrowDown size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`移除${name}`}
            onClick={() => onChange(lines.filter((item) => item !== line))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      </Group>
    );
  });
}

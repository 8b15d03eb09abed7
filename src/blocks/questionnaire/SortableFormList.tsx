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
  /** What is said below its name. */
  hintOf?: (line: L) => string;
  /** Tells lines apart where a form may stand twice. */
  keyOf?: (line: L) => string;
}

/** Questionnaires in the order they are asked: each can be moved, required or not, or taken out. */
export function SortableFormList<L extends Line>({ lines, onChange, nameOf, hintOf, keyOf = (line) => line.formcode }: Props<L>) {
  const move = (at: number, by: number) => {
    const next = [...lines];
    const [one] = next.splice(at, 1);
    if (one) next.splice(at + by, 0, one);
    onChange(next);
  };
  return lines.map((line, at) => {
    const name = nameOf(line);
    return (
      <Group key={keyOf(line)} wrap="nowrap" gap="xs" justify="space-between">
        <div style={{ minWidth: 0 }}>
          <Text size="sm">
            {at + 1}. {name}
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
              onChange(lines.map((one) => (one === line ? { ...one, required } : one)));
            }}
          />
          <ActionIcon variant="subtle" color="gray" aria-label={`上移${name}`} disabled={at === 0} onClick={() => move(at, -1)}>
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`下移${name}`}
            disabled={at === lines.length - 1}
            onClick={() => move(at, 1)}
          >
            <IconArrowDown size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`移除${name}`}
            onClick={() => onChange(lines.filter((one) => one !== line))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      </Group>
    );
  });
}

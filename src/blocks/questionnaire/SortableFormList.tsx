import { ActionIcon, Group, Switch, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import classes from './SortableFormList.module.css';

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
  hintOf?: (line: L) => ReactNode;
  /** A key for each line, where a form may appear twice. */
  keyOf?: (line: L) => string;
  /** Another field of the line, between its name and its switch. */
  fieldOf?: (line: L, index: number) => ReactNode;
  /** The fault of a line. */
  faultOf?: (line: L) => string | undefined;
}

/**
 * Questionnaires in their order. The reader moves them with the pointer, with the arrow keys on the handle, or with the buttons, makes
 * them required or optional, and removes them.
 */
export function SortableFormList<L extends Line>({
  lines,
  onChange,
  nameOf,
  hintOf,
  keyOf = (line) => line.formcode,
  fieldOf,
  faultOf,
}: Props<L>) {
  const [dragged, setDragged] = useState<number>();
  const [place, setPlace] = useState<number>();
  const [news, setNews] = useState('');
  const moveTo = (from: number, to: number) => {
    const line = lines[from];
    if (!line || to < 0 || to >= lines.length || from === to) return;
    const next = [...lines];
    next.splice(from, 1);
    next.splice(to, 0, line);
    onChange(next);
    setNews(`${nameOf(line)}移到第 ${to + 1} 位，共 ${lines.length} 份`);
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    const target = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: lines.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    moveTo(index, target);
  };
  const endDrag = () => {
    setDragged(undefined);
    setPlace(undefined);
  };
  return (
    <>
      <ol className={classes['lines']}>
        {lines.map((line, index) => {
          const name = nameOf(line);
          const fault = faultOf?.(line);
          return (
            <li
              key={keyOf(line)}
              className={classes['line']}
              data-dragged={dragged === index}
              data-place={
                place === index && dragged !== index ? (dragged !== undefined && dragged < index ? 'after' : 'before') : undefined
              }
              data-fault={fault !== undefined}
              onDragOver={(event) => {
                if (dragged === undefined) return;
                event.preventDefault();
                setPlace(index);
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== undefined) moveTo(dragged, index);
                endDrag();
              }}
            >
              <ActionIcon
                variant="subtle"
                color="gray"
                className={classes['handle'] ?? ''}
                draggable
                aria-label={`${name}，第 ${index + 1} 位，拖动或按上下方向键调整顺序`}
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move';
                  event.dataTransfer.setData('text/plain', name);
                  setDragged(index);
                }}
                onDragEnd={endDrag}
                onKeyDown={(event) => onKey(event, index)}
              >
                <IconGripVertical size={16} />
              </ActionIcon>
              <div className={classes['name']}>
                <Text size="sm">
                  {index + 1}. {name}
                </Text>
                {hintOf && (
                  <Text size="xs" c="dimmed" component="div">
                    {hintOf(line)}
                  </Text>
                )}
                {fault && (
                  <Text size="xs" c="red" role="alert">
                    {fault}
                  </Text>
                )}
              </div>
              {fieldOf?.(line, index)}
              <Group gap={4} wrap="nowrap" className={classes['actions'] ?? ''}>
                <Switch
                  size="xs"
                  label="必答"
                  aria-label={`${name}必答`}
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
                  onClick={() => moveTo(index, index - 1)}
                >
                  <IconArrowUp size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`下移${name}`}
                  disabled={index === lines.length - 1}
                  onClick={() => moveTo(index, index + 1)}
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
            </li>
          );
        })}
      </ol>
      <VisuallyHidden role="status">{news}</VisuallyHidden>
    </>
  );
}

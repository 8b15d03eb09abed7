import { ActionIcon, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import classes from './SortableList.module.css';

interface Props<L> {
  lines: readonly L[];
  onSort: (lines: L[]) => void;
  nameOf: (line: L) => string;
  keyOf: (line: L) => string | number;
  /** The measure word of a line: 份, 节. */
  unit: string;
  /** The text below its name. */
  hintOf?: ((line: L) => ReactNode) | undefined;
  /** Another field of the line, between its name and its buttons. */
  fieldOf?: ((line: L, index: number) => ReactNode) | undefined;
  /** The fault of a line. */
  faultOf?: ((line: L) => string | undefined) | undefined;
  /** Controls before and after the two buttons that move it. */
  before?: ((line: L) => ReactNode) | undefined;
  after?: ((line: L) => ReactNode) | undefined;
}

/** Lines in their order. The reader moves them with the pointer, with the arrow keys on the handle, or with the buttons. */
export function SortableList<L>({ lines, onSort, nameOf, keyOf, unit, hintOf, fieldOf, faultOf, before, after }: Props<L>) {
  const [dragged, setDragged] = useState<number>();
  const [place, setPlace] = useState<number>();
  const [news, setNews] = useState('');
  const moveTo = (from: number, to: number) => {
    const line = lines[from];
    if (!line || to < 0 || to >= lines.length || from === to) return;
    const next = [...lines];
    next.splice(from, 1);
    next.splice(to, 0, line);
    onSort(next);
    setNews(`${nameOf(line)}移到第 ${to + 1} 位，共 ${lines.length} ${unit}`);
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
                {before?.(line)}
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
                {after?.(line)}
              </Group>
            </li>
          );
        })}
      </ol>
      <VisuallyHidden role="status">{news}</VisuallyHidden>
    </>
  );
}

import { Checkbox, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { filterTree } from '#ui/tree/filterTree.ts';
import { FoldButton } from '#ui/tree/FoldButton.tsx';
import { TreeSearch } from '#ui/tree/TreeSearch.tsx';
import classes from './CheckboxTree.module.css';

interface Node {
  id: number;
  label: string;
  menutype: 'M' | 'C' | 'F';
  /** the signed-in account may grant this right; other rights cannot be changed */
  held: boolean;
  children: readonly Node[];
}
interface Props {
  nodes: readonly Node[];
  checked: readonly number[];
  onChange?: ((ids: number[]) => void) | undefined;
  label: string;
  error?: ReactNode;
  path?: string;
}

/**
 * Shows rights as a tree of checkboxes: directories, their screens, and features below them. Without `onChange` it is read-only.
 * A search shows only what it finds; the directories fold.
 */
export function CheckboxTree({ nodes, checked, onChange, label, error, path }: Props) {
  const [text, setText] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const isSearch = text.trim() !== '';
  const found = filterTree(nodes, text);
  const on = new Set(checked);
  const readOnly = !onChange;
  const change = (ids: readonly number[], to: boolean) => {
    const next = new Set(on);
    for (const id of ids)
      if (to) next.add(id);
      else next.delete(id);
    onChange?.([...next]);
  };
  /** A directory is checked when anything below it is: without the directory's code its screens have no route. */
  const turn = (dir: Node, ids: readonly number[], to: boolean) => {
    const below = dir.children.filter((child) => (ids.includes(child.id) ? to : on.has(child.id)));
    const next = new Set(on);
    for (const id of ids)
      if (to) next.add(id);
      else next.delete(id);
    if (below.length > 0 && dir.held) next.add(dir.id);
    else if (below.length === 0) next.delete(dir.id);
    onChange?.([...next]);
  };
  const all = nodes
    .flatMap((dir) => [dir, ...dir.children])
    .filter((node) => node.held)
    .map((node) => node.id);
  const count = nodes.flatMap((dir) => dir.children).filter((child) => on.has(child.id)).length;
  return (
    <fieldset className={classes['tree'] ?? ''} data-path={path} tabIndex={-1} aria-invalid={error ? true : undefined}>
      <legend>{label}</legend>
      <Group justify="space-between" mb={6}>
        <Text size="sm" c="dimmed">
          已选 {count} 项
        </Text>
        {!readOnly && !isSearch && (
          <Group gap="xs">
            <button type="button" className={classes['quick']} onClick={() => change(all, true)}>
              全选
            </button>
            <button type="button" className={classes['quick']} onClick={() => change(all, false)}>
              清空
            </button>
          </Group>
        )}
      </Group>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
      <TreeSearch label="查找功能" value={text} onChange={setText} />
      {found.length === 0 && (
        <Text size="sm" c="dimmed">
          没有找到
        </Text>
      )}
      {found.map(({ id, children: shown }) => {
        const dir = nodes.find((node) => node.id === id)!;
        const isOpen = isSearch || !folded.has(id);
        const open = dir.children.filter((child) => child.held);
        const some = dir.children.filter((child) => on.has(child.id)).length;
        return (
          <div key={dir.id} className={classes['dir']} role="group" aria-label={dir.label}>
            <Group gap={4} wrap="nowrap">
              <FoldButton name={dir.label} isOpen={isOpen} onToggle={() => setFolded(toggled(folded, id))} />
              <Checkbox
                label={dir.label}
                fw={600}
                checked={some > 0 && some === dir.children.length}
                indeterminate={some > 0 && some < dir.children.length}
                disabled={readOnly || open.length === 0}
                onChange={(event) =>
                  turn(
                    dir,
                    open.map((child) => child.id),
                    event.currentTarget.checked,
                  )
                }
              />
              <Text size="xs" c="dimmed">
                {some} / {dir.children.length}
              </Text>
            </Group>
            {isOpen && (
              <div className={classes['below']}>
                {shown.map((child) => (
                  <Checkbox
                    key={child.id}
                    size="sm"
                    label={child.label}
                    title={child.held ? undefined : '您没有该权限，不能授予或收回'}
                    checked={on.has(child.id)}
                    disabled={readOnly || !child.held}
                    onChange={(event) => turn(dir, [child.id], event.currentTarget.checked)}
                  />
                ))}
              </div>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

const toggled = (ids: ReadonlySet<number>, id: number): ReadonlySet<number> =>
  ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id]);

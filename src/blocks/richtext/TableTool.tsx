import { Menu } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import type { ChainedCommands, Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { ToolButton } from '#blocks/richtext/ToolButton.tsx';

const edits: readonly (readonly [label: string, run: (chain: ChainedCommands) => ChainedCommands])[] = [
  ['在上方加一行', (chain) => chain.addRowBefore()],
  ['在下方加一行', (chain) => chain.addRowAfter()],
  ['在左侧加一列', (chain) => chain.addColumnBefore()],
  ['在右侧加一列', (chain) => chain.addColumnAfter()],
  ['首行作为表头', (chain) => chain.toggleHeaderRow()],
  ['合并或拆分单元格', (chain) => chain.mergeOrSplit()],
  ['删除这一行', (chain) => chain.deleteRow()],
  ['删除这一列', (chain) => chain.deleteColumn()],
];

/** Inserts a table, or changes the one around the cursor. */
export function TableTool({ editor }: { editor: Editor }) {
  const isInside = useEditorState({ editor, selector: ({ editor: current }) => current.isActive('table') });
  const act = (run: (chain: ChainedCommands) => ChainedCommands) => run(editor.chain().focus()).run();
  if (!isInside)
    return (
      <ToolButton
        label="插入表格"
        icon={IconTable}
        onClick={() => act((chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }))}
      />
    );
  return (
    <Menu position="bottom-end" withinPortal returnFocus={false}>
      <Menu.Target>
        <ToolButton label="修改表格" icon={IconTable} active />
      </Menu.Target>
      <Menu.Dropdown>
        {edits.map(([label, run]) => (
          <Menu.Item key={label} onClick={() => act(run)}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => act((chain) => chain.deleteTable())}>
          删除表格
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

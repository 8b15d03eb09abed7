import { RichTextEditor } from '@mantine/tiptap';
import {
  IconAlignCenter,
  IconAlignJustified,
  IconAlignLeft,
  IconAlignRight,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconH2,
  IconH3,
  IconH4,
  IconItalic,
  IconLineDashed,
  IconList,
  IconListNumbers,
  IconStrikethrough,
  IconUnderline,
  type Icon,
} from '@tabler/icons-react';
import type { ChainedCommands, Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { useRef } from 'react';
import type { FileUseKey } from '#domain/files/filekind.ts';
import { LinkTool } from '#blocks/richtext/LinkTool.tsx';
import { PictureTool } from '#blocks/richtext/PictureTool.tsx';
import { TableTool } from '#blocks/richtext/TableTool.tsx';
import { ToolButton } from '#blocks/richtext/ToolButton.tsx';
import { useToolKeys } from '#blocks/richtext/useToolKeys.ts';
import classes from './editor.module.css';

interface Tool {
  label: string;
  keys?: string;
  Icon: Icon;
  run: (chain: ChainedCommands) => ChainedCommands;
  isActive?: (editor: Editor) => boolean;
  isDisabled?: (editor: Editor) => boolean;
}

const heading = (level: 2 | 3 | 4, label: string, icon: Icon): Tool => ({
  label,
  keys: `Ctrl+Alt+${level}`,
  Icon: icon,
  run: (chain) => chain.toggleHeading({ level }),
  isActive: (editor) => editor.isActive('heading', { level }),
});
const align = (alignment: 'center' | 'right' | 'justify', label: string, icon: Icon): Tool => ({
  label,
  Icon: icon,
  run: (chain) => chain.toggleTextAlign(alignment),
  isActive: (editor) => editor.isActive({ textAlign: alignment }),
});

const groups: readonly (readonly [name: string, tools: readonly Tool[]])[] = [
  [
    '撤销与重做',
    [
      { label: '撤销', keys: 'Ctrl+Z', Icon: IconArrowBackUp, run: (chain) => chain.undo(), isDisabled: (e) => !e.can().undo() },
      {
        label: '重做',
        keys: 'Ctrl+Y',
        Icon: IconArrowForwardUp,
        run: (chain) => chain.redo(),
        isDisabled: (e) => !e.can().redo(),
      },
    ],
  ],
  ['标题', [heading(2, '大标题', IconH2), heading(3, '中标题', IconH3), heading(4, '小标题', IconH4)]],
  [
    '文字',
    [
      { label: '加粗', keys: 'Ctrl+B', Icon: IconBold, run: (chain) => chain.toggleBold(), isActive: (e) => e.isActive('bold') },
      {
        label: '斜体',
        keys: 'Ctrl+I',
        Icon: IconItalic,
        run: (chain) => chain.toggleItalic(),
        isActive: (e) => e.isActive('italic'),
      },
      {
        label: '下划线',
        keys: 'Ctrl+U',
        Icon: IconUnderline,
        run: (chain) => chain.toggleUnderline(),
        isActive: (e) => e.isActive('underline'),
      },
      {
        label: '删除线',
        keys: 'Ctrl+Shift+S',
        Icon: IconStrikethrough,
        run: (chain) => chain.toggleStrike(),
        isActive: (e) => e.isActive('strike'),
      },
    ],
  ],
  [
    '段落',
    [
      {
        label: '无序列表',
        keys: 'Ctrl+Shift+8',
        Icon: IconList,
        run: (chain) => chain.toggleBulletList(),
        isActive: (e) => e.isActive('bulletList'),
      },
      {
        label: '有序列表',
        keys: 'Ctrl+Shift+7',
        Icon: IconListNumbers,
        run: (chain) => chain.toggleOrderedList(),
        isActive: (e) => e.isActive('orderedList'),
      },
      {
        label: '引用',
        keys: 'Ctrl+Shift+B',
        Icon: IconBlockquote,
        run: (chain) => chain.toggleBlockquote(),
        isActive: (e) => e.isActive('blockquote'),
      },
      { label: '分隔线', Icon: IconLineDashed, run: (chain) => chain.setHorizontalRule() },
    ],
  ],
  [
    '对齐',
    [
      {
        label: '左对齐',
        Icon: IconAlignLeft,
        run: (chain) => chain.unsetTextAlign(),
        isActive: (e) => !(['center', 'right', 'justify'] as const).some((textAlign) => e.isActive({ textAlign })),
      },
      align('center', '居中', IconAlignCenter),
      align('right', '右对齐', IconAlignRight),
      align('justify', '两端对齐', IconAlignJustified),
    ],
  ],
];

/** The tools above the text. Tab reaches the toolbar once; the arrow keys move within it. */
export function Toolbar({ editor, label, use }: { editor: Editor; label: string; use: FileUseKey }) {
  const place = useRef<HTMLDivElement>(null);
  const keys = useToolKeys(place);
  const states = useEditorState({
    editor,
    selector: ({ editor: current }) =>
      groups.map(([, tools]) =>
        tools.map((tool) => ({ active: tool.isActive?.(current) ?? false, disabled: tool.isDisabled?.(current) ?? false })),
      ),
  });
  return (
    <RichTextEditor.Toolbar ref={place} role="toolbar" aria-label={`${label}工具`} className={classes['toolbar'] ?? ''} {...keys}>
      {groups.map(([name, tools], group) => (
        <RichTextEditor.ControlsGroup key={name} role="group" aria-label={name}>
          {tools.map((tool, index) => (
            <ToolButton
              key={tool.label}
              label={tool.label}
              keys={tool.keys}
              icon={tool.Icon}
              active={states[group]?.[index]?.active ?? false}
              disabled={states[group]?.[index]?.disabled ?? false}
              onClick={() => tool.run(editor.chain().focus()).run()}
            />
          ))}
        </RichTextEditor.ControlsGroup>
      ))}
      <RichTextEditor.ControlsGroup role="group" aria-label="插入">
        <LinkTool editor={editor} />
        <PictureTool editor={editor} use={use} />
        <TableTool editor={editor} />
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  );
}

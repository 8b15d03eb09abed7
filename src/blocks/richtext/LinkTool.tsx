import { Button, Group, Popover, Stack, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { useState, type KeyboardEvent } from 'react';
import { describeHrefFault, toHref } from '#blocks/richtext/href.ts';
import { ToolButton } from '#blocks/richtext/ToolButton.tsx';

/** Sets, changes or removes the link of the chosen words. Without chosen words the address itself becomes the words. */
export function LinkTool({ editor }: { editor: Editor }) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const isActive = useEditorState({ editor, selector: ({ editor: current }) => current.isActive('link') });
  const open = () => {
    setTyped((editor.getAttributes('link')['href'] as string | undefined) ?? '');
    setFault(undefined);
    setIsOpen(true);
  };
  const save = () => {
    const refusal = describeHrefFault(typed);
    if (refusal) return setFault(refusal);
    const href = toHref(typed);
    setIsOpen(false);
    const chain = editor.chain().focus().extendMarkRange('link');
    if (editor.state.selection.empty && !isActive)
      chain.insertContent({ type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.setLink({ href }).run();
  };
  const remove = () => {
    setIsOpen(false);
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save();
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} trapFocus returnFocus withinPortal shadow="md" width={300}>
      <Popover.Target>
        <ToolButton label="链接" icon={IconLink} active={isActive} aria-haspopup="dialog" onClick={open} />
      </Popover.Target>
      <Popover.Dropdown aria-label="链接">
        <Stack gap="sm">
          <TextInput
            label="链接地址"
            description="https 网址、电话或邮箱"
            data-autofocus
            value={typed}
            error={fault}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setFault(undefined);
            }}
          />
          <Group gap="xs" justify="flex-end">
            {isActive && (
              <Button variant="default" size="xs" onClick={remove}>
                去掉链接
              </Button>
            )}
            <Button size="xs" onClick={save}>
              确定
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

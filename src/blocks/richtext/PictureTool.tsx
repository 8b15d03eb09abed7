import { Menu } from '@mantine/core';
import { IconFolderOpen, IconPhoto, IconUpload } from '@tabler/icons-react';
import type { Editor } from '@tiptap/core';
import { useRef, useState } from 'react';
import { acceptedMimeTypes, type FileUseKey } from '#domain/files/filekind.ts';
import { can } from '#ui/api/session.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { getFilePageList } from '#features/file/file.contract.ts';
import { insertPictures } from '#blocks/richtext/paste.ts';
import { ToolButton } from '#blocks/richtext/ToolButton.tsx';

const LibraryPicker = lazyDialog(() => import('#blocks/file/LibraryPicker.tsx').then((file) => file.LibraryPicker));

/** Puts pictures into the text: from this computer, or public ones from 文件上传. */
export function PictureTool({ editor, use }: { editor: Editor; use: FileUseKey }) {
  const input = useRef<HTMLInputElement>(null);
  const [isPicking, setIsPicking] = useState(false);
  const hasLibrary = can(getFilePageList);
  const choose = () => input.current?.click();
  const button = <ToolButton label="插入图片" icon={IconPhoto} {...(hasLibrary ? {} : { onClick: choose })} />;
  return (
    <>
      {hasLibrary ? (
        <Menu position="bottom-end" withinPortal returnFocus={false}>
          <Menu.Target>{button}</Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconUpload size={16} aria-hidden />} onClick={choose}>
              从本机上传
            </Menu.Item>
            <Menu.Item leftSection={<IconFolderOpen size={16} aria-hidden />} onClick={() => setIsPicking(true)}>
              从已上传的公开图片中选择
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : (
        button
      )}
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="选择图片"
        accept={acceptedMimeTypes(use, 'image')}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (files.length) insertPictures(editor.view, files, use);
        }}
      />
      {isPicking && (
        <LibraryPicker
          use={use}
          group="image"
          title="选择图片"
          mustBePublic
          onClose={() => setIsPicking(false)}
          onPick={({ fileid, url }) => {
            setIsPicking(false);
            editor
              .chain()
              .focus()
              .insertContent({ type: 'image', attrs: { fileid, src: url, alt: '' } })
              .run();
          }}
        />
      )}
    </>
  );
}

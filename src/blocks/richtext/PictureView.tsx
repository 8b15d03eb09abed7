import { Button, CloseButton, Progress, Text, TextInput } from '@mantine/core';
import { NodeViewWrapper, type ReactNodeViewProps } from '@tiptap/react';
import { useEffect, type KeyboardEvent } from 'react';
import { retryPicture, usePicture } from '#blocks/richtext/pictureUploads.ts';
import classes from './editor.module.css';

/** A picture in the text: while it is uploaded its progress, then the picture with its words for those who cannot see it. */
export function PictureView({ node, updateAttributes, deleteNode, selected, editor, getPos }: ReactNodeViewProps) {
  const { src, alt, pending } = node.attrs as { src: string | null; alt: string | null; pending: string | null };
  const upload = usePicture(pending);
  const uploaded = upload?.uploaded;
  useEffect(() => {
    if (!pending || !uploaded) return;
    const { fileid, url } = uploaded;
    // Not within React's commit: the change draws the text again.
    queueMicrotask(() => !editor.isDestroyed && updateAttributes({ fileid, src: url, pending: null }));
  }, [pending, uploaded, updateAttributes, editor]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Enter leads on in the text; it would send the form.
    event.preventDefault();
    const at = getPos();
    if (at !== undefined) editor.commands.focus(at + node.nodeSize);
  };
  const name = alt || upload?.filename || '图片';
  return (
    <NodeViewWrapper
      as="figure"
      className={classes['picture']}
      data-selected={selected || undefined}
      data-pending={pending ?? undefined}
    >
      <img src={src ?? upload?.preview ?? ''} alt={alt ?? ''} data-drag-handle />
      <div className={classes['caption']} contentEditable={false}>
        {pending ? (
          <div className={classes['upload']}>
            <Text size="xs" role="status" c={upload?.error ? 'var(--level-4-ink)' : 'dimmed'}>
              {upload?.error ?? (upload && upload.share >= 1 ? '正在检查图片' : '正在上传图片')}
            </Text>
            {!upload?.error && (
              <Progress.Root size="sm">
                <Progress.Section value={(upload?.share ?? 0) * 100} aria-label={`${name}的上传进度`} />
              </Progress.Root>
            )}
          </div>
        ) : (
          <TextInput
            size="xs"
            aria-label="图片说明"
            placeholder="图片说明：看不见图片的人会听到这句话"
            maxLength={100}
            value={alt ?? ''}
            onKeyDown={onKeyDown}
            onChange={(event) => updateAttributes({ alt: event.currentTarget.value })}
          />
        )}
        {upload?.error && !upload.isFinal && pending && (
          <Button variant="default" size="compact-sm" onClick={() => retryPicture(pending)}>
            重试
          </Button>
        )}
        <CloseButton size="sm" aria-label={`移除${name}`} onClick={deleteNode} />
      </div>
    </NodeViewWrapper>
  );
}

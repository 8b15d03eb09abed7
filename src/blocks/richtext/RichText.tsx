import { Input, Text } from '@mantine/core';
import { RichTextEditor } from '@mantine/tiptap';
import '@mantine/tiptap/styles.layer.css';
import type { Editor } from '@tiptap/core';
import { Placeholder } from '@tiptap/extensions';
import { useEditor } from '@tiptap/react';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { articleLimits } from '#domain/content/content.ts';
import type { FileUseKey } from '#domain/files/filekind.ts';
import { textOf } from '#domain/content/articleHtml.ts';
import '#blocks/content/articleBody.css';
import { countPictures, fromEditor, toEditor } from '#blocks/richtext/articleHtml.ts';
import { pasteProps, type PasteNote } from '#blocks/richtext/paste.ts';
import { PasteNotice } from '#blocks/richtext/PasteNotice.tsx';
import { findPicture } from '#blocks/richtext/pictureUploads.ts';
import { extensions } from '#blocks/richtext/schema.tsx';
import { Toolbar } from '#blocks/richtext/Toolbar.tsx';
import classes from './editor.module.css';

/** A pause in typing after which the form gets the text, in milliseconds. */
const PAUSE = 250;

/** What the form asks of the editor before it saves. */
export interface RichTextHandle {
  /** The text as it is now. */
  read: () => string;
  /** Pictures that are being uploaded, and those whose upload failed. */
  pictures: () => { running: number; failed: number };
}

interface Props {
  label: string;
  /** the field of the form */
  name: string;
  /** the use of the pictures in the text */
  use: FileUseKey;
  /** HTML of the wire; another value than the last one that the editor reported replaces the text */
  value: string;
  onChange: (content: string) => void;
  error?: ReactNode;
  onReady: (handle: RichTextHandle) => void;
}

function pendingPictures(editor: Editor) {
  const counts = { running: 0, failed: 0 };
  editor.state.doc.descendants(({ attrs }) => {
    if (!attrs['pending']) return;
    counts[findPicture(attrs['pending'] as string)?.error ? 'failed' : 'running'] += 1;
  });
  return counts;
}

/** A text with pictures and its tools: of an article, of goods. It holds exactly what the server keeps. */
export function RichText({ label, name, use, value, onChange, error, onReady }: Props) {
  const [note, setNote] = useState<PasteNote>();
  // The text that the editor was given, in the words of the server and in its own: an undone change is no change.
  const given = useRef({ value, html: '' });
  const reported = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const read = useEffectEvent((editor: Editor) => {
    const html = fromEditor(editor.getHTML());
    return html === given.current.html ? given.current.value : html;
  });
  const report = useEffectEvent((editor: Editor) => {
    clearTimeout(timer.current);
    const content = read(editor);
    if (content === reported.current) return;
    reported.current = content;
    onChange(content);
  });
  const later = useEffectEvent((editor: Editor) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => report(editor), PAUSE);
  });
  const getReady = useEffectEvent((editor: Editor) => {
    given.current.html = fromEditor(editor.getHTML());
    onReady({
      read: () => {
        report(editor);
        return read(editor);
      },
      pictures: () => pendingPictures(editor),
    });
  });
  const [paste] = useState(() => pasteProps(use, (next) => setNote(next)));
  const [placeholder] = useState(() =>
    Placeholder.configure({ placeholder: `在这里写${label}。可以从 Word 或网页粘贴，图片可以直接粘贴或拖进来。` }),
  );
  const editor = useEditor({
    extensions: [...extensions, placeholder],
    content: toEditor(value),
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: {
        class: 'article-body',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'data-path': name,
      },
      ...paste,
    },
  });

  // On a slow device the kit has ended its first editor before this effect runs. The kit makes another one at once.
  useEffect(() => {
    if (!editor || editor.isDestroyed) return;
    const onUpdate = () => later(editor);
    const onBlur = () => report(editor);
    editor.on('update', onUpdate);
    editor.on('blur', onBlur);
    getReady(editor);
    return () => {
      editor.off('update', onUpdate);
      editor.off('blur', onBlur);
      clearTimeout(timer.current);
    };
  }, [editor]);

  // Another text than the editor's own: restored from this browser, or adopted from another person.
  useEffect(() => {
    if (!editor || editor.isDestroyed || value === reported.current) return;
    reported.current = value;
    editor.commands.setContent(toEditor(value), { emitUpdate: false });
    given.current = { value, html: fromEditor(editor.getHTML()) };
  }, [editor, value]);

  const letters = [...textOf(value).replace(/\s/g, '')].length;
  const pictures = countPictures(value);
  return (
    <Input.Wrapper label={label} labelElement="div">
      {error && (
        <Text component="div" size="sm" c="var(--mantine-color-error)" mb={6} role="alert">
          {error}
        </Text>
      )}
      <PasteNotice note={note} onClose={() => setNote(undefined)} />
      {/* The kit's types see the same editor by another path of its package. */}
      <RichTextEditor editor={editor as never} withTypographyStyles={false} classNames={{ root: classes['frame'] ?? '' }}>
        {editor && <Toolbar editor={editor} label={label} use={use} />}
        <RichTextEditor.Content className={classes['text'] ?? ''} />
      </RichTextEditor>
      <div className={classes['count']} data-over={pictures > articleLimits.pictures || undefined}>
        {letters} 字{pictures > 0 && `，${pictures} 张图片`}
        {pictures > articleLimits.pictures && `，最多 ${articleLimits.pictures} 张`}
      </div>
    </Input.Wrapper>
  );
}

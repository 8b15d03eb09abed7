import { Image } from '@tiptap/extension-image';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { TextAlign } from '@tiptap/extension-text-align';
import { ReactNodeViewRenderer } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { isAllowedHref } from '#blocks/richtext/href.ts';
import { PictureView } from '#blocks/richtext/PictureView.tsx';

/** The alignments that an article may have; none is the left one. */
export const alignments = ['center', 'right', 'justify'] as const;

/** An attribute of a node under its name in the HTML. */
const attribute = (key: string, name: string) => ({
  default: null,
  parseHTML: (element: HTMLElement) => element.getAttribute(name),
  renderHTML: ({ [key]: value }: Record<string, unknown>) => (value ? { [name]: value } : {}),
});

/** A picture is a public file of the institution, or (`pending`) one that is being uploaded. */
const Picture = Image.extend({
  addAttributes: () => ({
    src: attribute('src', 'src'),
    alt: { ...attribute('alt', 'alt'), renderHTML: ({ alt }: Record<string, unknown>) => ({ alt: alt ?? '' }) },
    fileid: attribute('fileid', 'data-fileid'),
    pending: attribute('pending', 'data-pending'),
  }),
  parseHTML: () => [{ tag: 'img[data-fileid]' }, { tag: 'img[data-pending]' }],
  addInputRules: () => [],
  addNodeView: () => ReactNodeViewRenderer(PictureView),
});

/** Columns share the width of the screen, so a table carries no widths. */
const PlainTable = Table.extend({ renderHTML: () => ['table', ['tbody', 0]] });

/** Alignment as an attribute: pages refuse inline styles. */
const Align = TextAlign.extend({
  addGlobalAttributes() {
    return [
      {
        types: this.options.types,
        attributes: {
          textAlign: {
            default: null,
            parseHTML: (element) => alignments.find((alignment) => alignment === element.getAttribute('data-align')) ?? null,
            renderHTML: ({ textAlign }) => (textAlign ? { 'data-align': textAlign as string } : {}),
          },
        },
      },
    ];
  },
});

/** What an article may contain: the tags that the server keeps, and no others. */
export const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    code: false,
    codeBlock: false,
    link: {
      openOnClick: false,
      autolink: false,
      linkOnPaste: true,
      defaultProtocol: 'https',
      protocols: ['tel', 'mailto'],
      HTMLAttributes: { target: null, rel: null, class: null },
      isAllowedUri: (uri) => isAllowedHref(uri),
    },
  }),
  Align.configure({ types: ['heading', 'paragraph'], alignments: [...alignments] }),
  Picture,
  PlainTable.configure({ resizable: false }),
  TableRow,
  TableHeader,
  TableCell,
];

import type { EditorProps, EditorView } from '@tiptap/pm/view';
import { acceptedMimeTypes, type FileUseKey } from '#domain/files/filekind.ts';
import { cleanPasted, isOnlyPicture } from '#blocks/richtext/cleanPasted.ts';
import { startPicture } from '#blocks/richtext/pictureUploads.ts';

/** What pasting left out, for a notice. */
export interface PasteNote {
  /** addresses of pictures on other servers */
  foreign: string[];
  /** pictures of Word that the clipboard does not contain */
  local: number;
  /** names of files that are no pictures */
  files: string[];
}

const isPicture = ({ type }: File, use: FileUseKey) =>
  acceptedMimeTypes(use, 'image').split(',').includes(type) || type.startsWith('image/');

/** Puts pictures into the text: at a place, or instead of the selection. Each is uploaded from its node. */
export function insertPictures(view: EditorView, files: readonly File[], use: FileUseKey, place?: number): void {
  const type = view.state.schema.nodes['image'];
  if (!type) return;
  let transaction = view.state.tr;
  let at = place;
  for (const file of files) {
    const node = type.create({ pending: startPicture(file, use), alt: '' });
    if (at === undefined) transaction = transaction.replaceSelectionWith(node, false);
    else {
      transaction = transaction.insert(transaction.mapping.map(at), node);
      at = place;
    }
  }
  view.dispatch(transaction.scrollIntoView());
}

/** How the editor takes what is pasted and dropped. `use` is that of its pictures; `onNote` hears what was left out. */
export function pasteProps(
  use: FileUseKey,
  onNote: (note: PasteNote) => void,
): Pick<EditorProps, 'transformPastedHTML' | 'handlePaste' | 'handleDrop'> {
  const take = (view: EditorView, files: readonly File[], place?: number) => {
    const others = files.filter((file) => !isPicture(file, use)).map(({ name }) => name);
    if (others.length) onNote({ foreign: [], local: 0, files: others });
    const pictures = files.filter((file) => isPicture(file, use));
    if (pictures.length) insertPictures(view, pictures, use, place);
    return files.length > 0;
  };
  return {
    transformPastedHTML: (pasted) => {
      const { html, foreign, local } = cleanPasted(pasted, (file) => startPicture(file, use));
      if (foreign.length || local) onNote({ foreign, local, files: [] });
      return html;
    },
    handlePaste: (view, event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      const html = event.clipboardData?.getData('text/html') ?? '';
      // Word adds a picture of the whole selection to its text. A browser adds the bytes of the one copied picture.
      return (html === '' || (isOnlyPicture(html) && !html.includes('data-pm-slice'))) && take(view, files);
    },
    handleDrop: (view, event, _slice, isMoved) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (isMoved || files.length === 0) return false;
      event.preventDefault();
      return take(view, files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos);
    },
  };
}

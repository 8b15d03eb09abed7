import type { Painter } from '#server/pdf/painter.ts';

/** A part of the document that never breaks: a line of a paragraph, a row of a table, a chart. Sizes are points. */
export interface Box {
  height: number;
  draw: (painter: Painter, x: number, y: number) => void;
  /** the space above it, except at the top of a page */
  gap?: number;
  /** It stands on the page of the next box: a heading, the first line of a paragraph. */
  keepsNext?: boolean;
  /** The head of its table, drawn again when the box begins a page. */
  head?: Box;
  /** It begins a new page. */
  startsPage?: boolean;
}

/** A box at its place; `y` counts from the top of the page's area. */
export interface PlacedBox {
  box: Box;
  y: number;
}

/**
 * Puts the boxes on pages of this height. A box that keeps its next one moves with it to the next page, unless the row of such boxes
 * is longer than a page.
 */
export function paginate(boxes: readonly Box[], pageHeight: number): PlacedBox[][] {
  const pages: PlacedBox[][] = [[]];
  let y = 0;
  let page = pages[0] as PlacedBox[];
  const turn = () => {
    pages.push((page = []));
    y = 0;
  };
  const place = (box: Box) => {
    const { head } = box;
    const isNew = page.length === 0;
    if (isNew && head && pages.length > 1) {
      page.push({ box: head, y });
      y += head.height;
    }
    if (!isNew) y += box.gap ?? 0;
    page.push({ box, y });
    y += box.height;
  };
  for (let start = 0; start < boxes.length;) {
    let end = start;
    while (boxes[end]?.keepsNext && end + 1 < boxes.length) end++;
    const group = boxes.slice(start, end + 1);
    start = end + 1;
    const height = group.reduce((sum, box, index) => sum + box.height + (index > 0 || page.length > 0 ? (box.gap ?? 0) : 0), 0);
    if (page.length > 0 && (group[0]?.startsPage || (y + height > pageHeight && height <= pageHeight))) turn();
    for (const box of group) {
      if (page.length > 0 && y + (box.gap ?? 0) + box.height > pageHeight) turn();
      place(box);
    }
  }
  return pages;
}

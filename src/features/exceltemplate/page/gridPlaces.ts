import type { Template } from '#features/exceltemplate/exceltemplate.contract.ts';

/** A drawn worksheet. */
export type Sheet = Template['sheets'][number];
export type GridCell = Sheet['rows'][number]['cells'][number];

/** The letters of a column: 0 is A, 26 is AA. */
export function columnName(column: number): string {
  let name = '';
  for (let number = column + 1; number > 0; number = Math.floor((number - 1) / 26))
    name = String.fromCharCode(65 + ((number - 1) % 26)) + name;
  return name;
}

/** The column (from 0) and the row of a reference such as `B5`. */
export function placeOfRef(ref: string): { column: number; row: number } {
  const [, letters = 'A', digits = '1'] = /^([A-Z]+)(\d+)$/.exec(ref) ?? [];
  return { column: [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1, row: Number(digits) };
}

/** Finds the drawn cell that covers a place, merged blocks included. */
export function coverOf(sheet: Sheet): (column: number, row: number) => GridCell | undefined {
  const covers = new Map<string, GridCell>();
  for (const { cells } of sheet.rows)
    for (const cell of cells) {
      const { column, row } = placeOfRef(cell.ref);
      for (let r = row; r < row + cell.rowspan; r++)
        for (let c = column; c < column + cell.colspan; c++) covers.set(`${c} ${r}`, cell);
    }
  return (column, row) => covers.get(`${column} ${row}`);
}

const STEPS: Readonly<Record<string, readonly [column: number, row: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** The cell to which an arrow key leads; undefined at the edge and for other keys. Hidden columns are passed over. */
export function nextCell(sheet: Sheet, cover: ReturnType<typeof coverOf>, cell: GridCell, key: string): GridCell | undefined {
  const step = STEPS[key];
  if (!step) return undefined;
  let { column, row } = placeOfRef(cell.ref);
  for (;;) {
    column += step[0];
    row += step[1];
    const found = cover(column, row);
    if (!found) return undefined;
    if (found.ref !== cell.ref && sheet.widths[placeOfRef(found.ref).column] !== 0) return found;
  }
}

/** The columns of a sheet as choices, each with its first texts, so that staff recognise the one with the names. */
export function columnChoices(sheet: Sheet): { value: string; label: string }[] {
  return sheet.widths.flatMap((width, column) => {
    if (width === 0) return [];
    const texts = sheet.rows
      .flatMap(({ cells }) => cells.filter((cell) => placeOfRef(cell.ref).column === column && cell.colspan === 1))
      .flatMap(({ text }) => (text ? [text] : []))
      .slice(0, 3);
    const name = columnName(column);
    return [{ value: name, label: texts.length > 0 ? `${name} 列（${texts.join('、').slice(0, 24)}…）` : `${name} 列` }];
  });
}

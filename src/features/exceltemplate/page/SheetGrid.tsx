import { useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { indicatorOf } from '#domain/exceltemplate/indicators.ts';
import type { ChosenCell, Preview } from '#features/exceltemplate/exceltemplate.contract.ts';
import { signOf } from '#features/exceltemplate/page/cellWords.ts';
import { columnName, coverOf, nextCell, placeOfRef, type GridCell, type Sheet } from '#features/exceltemplate/page/gridPlaces.ts';
import classes from '#features/exceltemplate/page/excel.module.css';

interface Props {
  sheet: Sheet;
  chosen: readonly ChosenCell[];
  preview: Preview | undefined;
  onChoose: (cell: GridCell) => void;
}

/** Pixels of one character of a column’s width. */
const CHARACTER = 7;
/** Pixels of the column with the numbers of the rows. */
const ROW_NUMBER = 44;

/** A worksheet as a grid. Arrow keys move, Enter or a click chooses. A chosen cell has a colour and a sign. */
export function SheetGrid({ sheet, chosen, preview, onChoose }: Props) {
  const cover = useMemo(() => coverOf(sheet), [sheet]);
  const [current, setCurrent] = useState(sheet.rows[0]?.cells[0]?.ref ?? 'A1');
  const place = useRef<HTMLTableElement>(null);
  const chosenByRef = useMemo(() => new Map(chosen.map((cell) => [cell.ref, cell])), [chosen]);
  const valueByRef = useMemo(
    () => new Map((preview?.cells ?? []).filter((cell) => cell.sheetname === sheet.sheetname).map((cell) => [cell.ref, cell])),
    [preview, sheet.sheetname],
  );
  const widths = sheet.widths.map((width) => (width === 0 ? 0 : Math.max(40, width * CHARACTER)));
  const cellAt = (ref: string) => {
    const { column, row } = placeOfRef(ref);
    return cover(column, row);
  };
  const open = (event: MouseEvent) => {
    const ref = (event.target as HTMLElement).closest('td')?.dataset['ref'];
    const cell = ref === undefined ? undefined : cellAt(ref);
    if (!cell) return;
    setCurrent(cell.ref);
    onChoose(cell);
  };
  const move = (event: KeyboardEvent) => {
    const cell = cellAt(current);
    if (!cell) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onChoose(cell);
      return;
    }
    const next = nextCell(sheet, cover, cell, event.key);
    if (!next) return;
    event.preventDefault();
    setCurrent(next.ref);
    place.current?.querySelector<HTMLElement>(`[data-ref="${next.ref}"]`)?.focus();
  };
  return (
    <div className={classes['scroll']}>
      <table
        ref={place}
        className={classes['grid']}
        style={{ width: widths.reduce((sum, width) => sum + width, ROW_NUMBER) }}
        role="grid"
        aria-label={`工作表 ${sheet.sheetname}`}
        onClick={open}
        onKeyDown={move}
      >
        <colgroup>
          <col style={{ width: ROW_NUMBER }} />
          {widths.map((width, column) => (
            <col key={column} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <td aria-hidden />
            {sheet.widths.map((width, column) => (
              <th key={column} scope="col" data-hidden={width === 0 || undefined}>
                {width === 0 ? '' : columnName(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sheet.rows.map(({ row, cells }) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {cells.map((cell) => {
                const mapping = chosenByRef.get(cell.ref);
                const value = valueByRef.get(cell.ref);
                const state = mapping ? 'chosen' : value ? 'filled' : cell.isFormula ? 'formula' : undefined;
                const title = mapping ? (indicatorOf(mapping.indicator)?.title ?? '') : '';
                return (
                  <td
                    key={cell.ref}
                    role="gridcell"
                    data-ref={cell.ref}
                    data-state={state}
                    colSpan={cell.colspan}
                    rowSpan={cell.rowspan}
                    tabIndex={cell.ref === current ? 0 : -1}
                    aria-label={labelOf(cell, title, value?.text)}
                    onFocus={() => setCurrent(cell.ref)}
                  >
                    {mapping && <span className={classes['sign']}>{signOf(mapping)}</span>}
                    {value
                      ? value.text
                      : mapping
                        ? title
                        : cell.isFormula
                          ? cell.text
                            ? `= ${cell.text}`
                            : '= 公式'
                          : cell.text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function labelOf({ ref, text, isFormula }: GridCell, title: string, value: string | undefined): string {
  const parts = [ref, title ? `填写 ${title}` : isFormula ? '公式' : text || '空'];
  return [...parts, ...(value === undefined ? [] : [`预览 ${value}`])].join('，');
}

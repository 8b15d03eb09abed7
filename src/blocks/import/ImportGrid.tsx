import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef, type KeyboardEvent } from 'react';
import type { Edit } from '#contract/workbook/importSheet.ts';
import type { WorksheetSchema } from '#contract/workbook/column.ts';
import { Badge, type Tone } from '#ui/display/badges.tsx';
import type { Effect } from '#contract/workbook/importJob.ts';
import type { GridRow, Importing } from '#blocks/import/useImport.ts';
import classes from './import.module.css';

const EFFECTS: Readonly<Record<Effect, readonly [string, Tone]>> = {
  new: ['新增', 'green'],
  join: ['加入', 'lime'],
  move: ['换班', 'amber'],
  update: ['更新', 'amber'],
  same: ['未变', 'gray'],
};
const ROW = 41;

interface Props {
  importing: Importing;
  rows: readonly GridRow[];
  label: string;
  /** the row with the focus */
  at: number | undefined;
  onFocusRow: (row: number | undefined) => void;
}

/**
 * The rows of an import as a table of inputs: Tab and arrow keys move, Enter goes down, Esc undoes a change. Only visible rows are
 * rendered.
 */
export function ImportGrid({ importing, rows, label, at, onFocusRow }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const { sheet } = importing;
  const present = new Set(
    importing.columns
      .filter(
        ({ state, key }) =>
          state === 'matched' || state === 'missing' || (state === 'derived' && !(key !== null && key in importing.defaults)),
      )
      .map((column) => column.key),
  );
  const wrong = new Set(importing.verdict.remarks.map((remark) => remark.key));
  const columns = sheet.columns.filter((column) => !column.isCheckOnly && (present.has(column.key) || wrong.has(column.key)));
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const items = virtualizer.getVirtualItems();
  const focused = rows.find((row) => row.row === at);
  const reasons = focused ? [...focused.errors, ...focused.warnings] : [];

  const moveByKey = (event: KeyboardEvent<HTMLTableElement>) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement)) return;
    const step = event.key === 'ArrowDown' || event.key === 'Enter' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const index = rows.findIndex((row) => row.row === Number(input.dataset['row'])) + step;
    const next = rows[index];
    if (!next) return;
    virtualizer.scrollToIndex(index);
    // The row may be rendered only after scrolling.
    requestAnimationFrame(() =>
      frame.current
        ?.querySelector<HTMLInputElement>(`input[data-row="${next.row}"][data-key="${input.dataset['key'] ?? ''}"]`)
        ?.focus(),
    );
  };

  return (
    <>
      <div ref={frame} className={classes['frame']} role="region" aria-label={label} tabIndex={0}>
        <table
          className={classes['grid']}
          aria-rowcount={rows.length}
          onKeyDown={moveByKey}
          onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && onFocusRow(undefined)}
        >
          <thead>
            <tr>
              <th className={classes['number']} scope="col">
                行
              </th>
              <th scope="col" style={{ width: 76 }}>
                结果
              </th>
              <th scope="col" className={classes['why']}>
                说明
              </th>
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  style={{ width: column.kind === 'yesno' || column.kind === 'choice' ? 96 : 140 }}
                >
                  {column.head}
                  {column.required && (
                    <span className={classes['must']} role="img" aria-label="必填">
                      {' '}
                      *
                    </span>
                  )}
                </th>
              ))}
              <th scope="col" style={{ width: 44 }}>
                <span className={classes['hidden']}>删除</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items[0] && items[0].start > 0 && (
              <tr aria-hidden>
                <td colSpan={columns.length + 4} style={{ height: items[0].start, padding: 0, border: 0 }} />
              </tr>
            )}
            {items.map((item) => {
              const row = rows[item.index];
              return (
                row && (
                  <Line
                    key={row.row}
                    index={item.index}
                    measure={virtualizer.measureElement}
                    row={row}
                    columns={columns}
                    effect={importing.verdict.effects[row.row]}
                    edit={importing.edit}
                    remove={importing.remove}
                    focus={onFocusRow}
                  />
                )
              );
            })}
            {items.length > 0 && (
              <tr aria-hidden>
                <td
                  colSpan={columns.length + 4}
                  style={{ height: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0), padding: 0, border: 0 }}
                />
              </tr>
            )}
          </tbody>
        </table>
      </div>
      <p className={classes['reasons']} role="status">
        {focused && reasons.length > 0
          ? `第 ${focused.row} 行 ${reasons.join('；')}`
          : '点选单元格可直接修改，修改后自动重新检查并保存'}
      </p>
    </>
  );
}

interface LineProps {
  index: number;
  /** reports the height of the row: its reasons wrap */
  measure: (row: HTMLTableRowElement | null) => void;
  row: GridRow;
  columns: WorksheetSchema['columns'];
  effect: Effect | undefined;
  edit: (edits: Edit[]) => void;
  remove: (rows: number[]) => void;
  focus: (row: number) => void;
}

const Line = memo(function Line({ index, measure, row, columns, effect, edit, remove, focus }: LineProps) {
  const state = row.errors.length > 0 ? (['有误', 'red'] as const) : effect ? EFFECTS[effect] : undefined;
  return (
    <tr ref={measure} data-index={index} aria-rowindex={row.row} onFocus={() => focus(row.row)}>
      <th scope="row" className={classes['number']}>
        {row.row}
      </th>
      <td>{state ? <Badge tone={state[1]}>{state[0]}</Badge> : <span className={classes['wait']}>检查中</span>}</td>
      <td className={classes['why']}>{[...row.errors, ...row.warnings].join('；')}</td>
      {columns.map(({ key, head }) => {
        const cell = row.cells[key];
        const text = cell?.text ?? '';
        return (
          <td
            key={key}
            className={classes['cell']}
            data-state={cell?.error ? 'error' : cell?.warning ? 'warning' : cell?.isDerived ? 'derived' : undefined}
          >
            <input
              // The table's text is the source: a new text needs a new input.
              key={text}
              defaultValue={text}
              data-row={row.row}
              data-key={key}
              aria-label={`第 ${row.row} 行 ${head}`}
              aria-invalid={cell?.error ? true : undefined}
              title={cell?.error ?? cell?.warning}
              maxLength={500}
              onBlur={(event) =>
                event.currentTarget.value !== text && edit([{ row: row.row, key, value: event.currentTarget.value }])
              }
              onKeyDown={(event) => {
                if (event.key !== 'Escape' || event.currentTarget.value === text) return;
                event.stopPropagation();
                event.currentTarget.value = text;
              }}
            />
          </td>
        );
      })}
      <td>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`不导入第 ${row.row} 行`}
          title="不导入这一行"
          onClick={() => remove([row.row])}
        >
          <IconTrash size={15} />
        </ActionIcon>
      </td>
    </tr>
  );
});

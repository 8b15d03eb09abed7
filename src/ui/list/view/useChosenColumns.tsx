import { useMemo } from 'react';
import { COLUMN_WIDTH, type ListLook } from '#contract/listView.ts';
import type { Column } from '#ui/list/columns.ts';
import { sayInSector } from '#domain/person/words.ts';
import { useUser } from '#ui/api/session.ts';
import { LookMenu } from '#ui/list/view/LookMenu.tsx';
import { PLAIN_LOOK } from '#ui/list/view/useLook.ts';

interface Looked {
  look: ListLook;
  setLook: (look: ListLook) => void;
}

/** Returns a width within the limits, in whole px. */
export const limitWidth = (width: number): number => Math.round(Math.min(COLUMN_WIDTH.most, Math.max(COLUMN_WIDTH.least, width)));

/** Returns the columns that the reader of a list has chosen, with the widths of the reader, and the menu that changes them. */
export function useChosenColumns<Row>({ look, setLook }: Looked, generalColumns: readonly Column<Row>[]) {
  const { sector } = useUser();
  // The titles in the words of the reader's sector.
  const columns = useMemo(
    () => generalColumns.map((column) => ({ ...column, title: sayInSector(column.title, sector) })),
    [generalColumns, sector],
  );
  const { columns: choice, widths } = look;
  // Columns are module constants of a screen, so rows stay memoised while only data changes.
  const shownColumns = useMemo(
    () =>
      columns
        .filter((column) => choice[column.key] ?? !column.hidden)
        .map((column) => {
          const width = widths[column.key];
          return width === undefined ? column : { ...column, width, isSized: true };
        }),
    [columns, choice, widths],
  );
  const resize = (key: string, width: number | undefined) => {
    const { [key]: _before, ...others } = widths;
    setLook({ ...look, widths: width === undefined ? others : { ...others, [key]: limitWidth(width) } });
  };
  const chooser = (
    <LookMenu
      columns={columns}
      chosen={new Set(shownColumns.map((column) => column.key))}
      toggle={(key) => {
        const column = columns.find((candidate) => candidate.key === key);
        if (column) setLook({ ...look, columns: { ...choice, [key]: !(choice[key] ?? !column.hidden) } });
      }}
      widths={widths}
      resize={resize}
      density={look.density}
      setDensity={(density) => setLook({ ...look, density })}
      reset={() => setLook(PLAIN_LOOK)}
    />
  );
  return { shown: shownColumns, chooser, resize };
}

import { useMemo, useState } from 'react';
import { ColumnChooser } from '#ui/list/ColumnChooser.tsx';
import type { Column } from '#ui/list/columns.ts';
import { sayInSector } from '#domain/person/words.ts';
import { useUser } from '#ui/api/session.ts';
import { savePreference, readPreference } from '#ui/api/preference.ts';

/** Returns the columns that the reader of a list has chosen, stored per account. */
export function useChosenColumns<Row>(listName: string, generalColumns: readonly Column<Row>[]) {
  const { sector } = useUser();
  // The titles in the words of the reader's sector.
  const columns = useMemo(
    () => generalColumns.map((column) => ({ ...column, title: sayInSector(column.title, sector) })),
    [generalColumns, sector],
  );
  const [choice, setChoice] = useState<Readonly<Record<string, boolean>>>(() => readPreference(`columns.${listName}`) ?? {});
  const isShown = (column: Column<Row>) => choice[column.key] ?? !column.hidden;
  // Columns are module constants of a screen, so rows stay memoised while only data changes.
  const shownColumns = useMemo(() => columns.filter((column) => choice[column.key] ?? !column.hidden), [columns, choice]);
  const change = (next: Readonly<Record<string, boolean>>) => {
    setChoice(next);
    savePreference(`columns.${listName}`, next);
  };
  const chooser = (
    <ColumnChooser
      columns={columns}
      chosen={new Set(shownColumns.map((column) => column.key))}
      toggle={(key) => {
        const column = columns.find((candidate) => candidate.key === key);
        if (column) change({ ...choice, [key]: !isShown(column) });
      }}
      reset={() => change({})}
    />
  );
  return { shown: shownColumns, chooser };
}

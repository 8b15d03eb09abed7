import { createContext, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { Badge } from '#ui/display/badges.tsx';
import { readPreference, savePreference } from '#ui/api/preference.ts';

/** Milliseconds for which leaving the list and coming back is one look. */
const ONE_LOOK_MS = 10 * 60_000;
const KEY = 'warnings.look';

interface Look {
  /** the newest news of the look before, as on the wire; '' before the first look */
  since: string;
  /** the newest news that the reader saw, as on the wire */
  until: string;
  /** when the reader looked, in milliseconds */
  at: number;
  /** the cases that the reader opened during this look */
  opened: readonly string[];
}
type NewsRow = Readonly<{ warningcode: string; newstime: string }>;

/** Says whether a case has news since the reader's last look. */
export const LookContext = createContext<(row: NewsRow) => boolean>(() => false);

/** The mark of a case with news since the reader's last look at the list. */
export function NewMark({ row }: { row: NewsRow }) {
  return useContext(LookContext)(row) ? (
    <Badge tone="green" shape={1}>
      新
    </Badge>
  ) : null;
}

/** Remembers the reader's looks at the list, for the account in this browser. */
export function useLastLook(rows: readonly NewsRow[]) {
  const [look, setLook] = useState<Look>(() => {
    const last = readPreference<Look>(KEY);
    if (last && Date.now() - last.at < ONE_LOOK_MS) return last;
    return { since: last?.until ?? '', until: last?.until ?? '', at: Date.now(), opened: [] };
  });
  useEffect(() => {
    const newest = rows.reduce((last, { newstime }) => (newstime > last ? newstime : last), '');
    if (newest) setLook((before) => (newest > before.until ? { ...before, until: newest, at: Date.now() } : before));
  }, [rows]);
  useEffect(() => savePreference(KEY, look), [look]);
  const { since, opened } = look;
  const isNew = useMemo(
    () => (row: NewsRow) => since !== '' && row.newstime > since && !opened.includes(row.warningcode),
    [since, opened],
  );
  const markOpened = useCallback(
    (warningcode: string) =>
      setLook((before) => ({ ...before, at: Date.now(), opened: [...before.opened, warningcode].slice(-200) })),
    [],
  );
  return { isNew, markOpened };
}

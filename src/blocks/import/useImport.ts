import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { WorksheetSchema } from '#contract/workbook/column.ts';
import { applyEdits, validateTable, worksheetOf, type Edit, type ParsedTable } from '#contract/workbook/importSheet.ts';
import type { ImportCounts, ImportRemark, StagedImport } from '#contract/workbook/importJob.ts';
import type { ImportCalls } from '#blocks/import/importCalls.ts';

/** Delay between the last edit and its request, in milliseconds. */
const QUIET = 500;
/** Edits of one request; more follow in the next. */
const BATCH = 500;

export interface GridCell {
  text: string;
  error?: string;
  warning?: string;
  isDerived?: true;
}
export interface GridRow {
  row: number;
  cells: Readonly<Record<string, GridCell>>;
  /** the errors of the row, in full sentences */
  errors: readonly string[];
  warnings: readonly string[];
}

interface Pending {
  edits: Edit[];
  removed: number[];
  more: { mapping?: (string | null)[] };
}
const nothing = (): Pending => ({ edits: [], removed: [], more: {} });

/**
 * One import in the browser: the table with its edits. The server's own functions check it at once. Edits are sent to the server in
 * the background and survive the closing of the page. The database's findings arrive a moment later.
 */
export function useImport<S extends StagedImport>(calls: ImportCalls<S, ImportCounts>, start: S) {
  const { kind } = calls;
  const [table, setTable] = useState<ParsedTable>({
    rows: start.rows,
    mapping: start.mapping,
    defaults: start.defaults,
    own: start.own,
  });
  const [verdict, setVerdict] = useState<S['verdict']>(start.verdict);
  const [state, setState] = useState<'saved' | 'saving' | 'failed'>('saved');
  /** rows edited since the last response: its findings for them are outdated */
  const [stale, setStale] = useState<ReadonlySet<number>>(new Set());
  const pending = useRef<Pending>(nothing());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<Promise<boolean>>(undefined);

  const send = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current);
    if (running.current) await running.current;
    const { edits, removed, more } = pending.current;
    if (edits.length + removed.length + Object.keys(more).length === 0) return true;
    const batch: Pending = { edits: edits.slice(0, BATCH), removed, more };
    pending.current = { edits: edits.slice(BATCH), removed: [], more: {} };
    setState('saving');
    const work = calls.save({ importid: start.importid, edits: batch.edits, removed: batch.removed, ...batch.more }).then(
      (next) => {
        setVerdict(next);
        setStale(new Set(pending.current.edits.map((edit) => edit.row)));
        setState('saved');
        return true;
      },
      () => {
        // The edits stay and are sent again with the next edit, by 重试, or before the import.
        const later = pending.current;
        pending.current = {
          edits: [...batch.edits, ...later.edits],
          removed: [...batch.removed, ...later.removed],
          more: { ...batch.more, ...later.more },
        };
        setState('failed');
        return false;
      },
    );
    running.current = work;
    const went = await work;
    running.current = undefined;
    return went && (pending.current.edits.length > 0 ? send() : true);
  }, [calls, start.importid]);

  const queue = useCallback(
    (add: Partial<Pending>) => {
      const heldCurrent = pending.current;
      pending.current = {
        edits: [...heldCurrent.edits, ...(add.edits ?? [])],
        removed: [...heldCurrent.removed, ...(add.removed ?? [])],
        more: { ...heldCurrent.more, ...add.more },
      };
      setState('saving');
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void send(), QUIET);
    },
    [send],
  );
  // Send the last edit when the dialog closes.
  useEffect(() => () => void send(), [send]);

  const edit = useCallback(
    (edits: Edit[]) => {
      setTable((before) => applyEdits(kind, before, edits));
      setStale((before) => new Set([...before, ...edits.map((item) => item.row)]));
      queue({ edits });
    },
    [kind, queue],
  );
  const remove = useCallback(
    (rows: number[]) => {
      setTable((before) => applyEdits(kind, before, [], rows));
      queue({ removed: rows });
    },
    [kind, queue],
  );
  const map = useCallback(
    (mapping: (string | null)[]) => {
      setTable((before) => ({ ...before, mapping }));
      queue({ more: { mapping } });
    },
    [queue],
  );

  const checked = useMemo(() => validateTable(kind, table, start.today), [kind, table, start.today]);
  const sheet = useMemo(() => worksheetOf(kind, table.own), [kind, table.own]);
  const rows = useMemo(() => gridRows(sheet, checked, verdict.remarks, stale), [sheet, checked, verdict.remarks, stale]);
  const missing = checked.columns.filter((column) => column.state === 'missing');
  const bad = rows.filter((row) => row.errors.length > 0).length;
  return {
    importid: start.importid,
    /** the columns that the import knows */
    sheet,
    rows,
    columns: checked.columns,
    mapping: table.mapping,
    width: table.rows.reduce((most, row) => Math.max(most, row.length), 0),
    missing,
    /** what the reader of the file and the check say about the whole table */
    notes: [...start.notes, ...checked.notes],
    /** columns that the import fills with the team it began in */
    defaults: start.defaults,
    /** rows whose last edit has no answer of the server yet */
    stale,
    verdict,
    bad,
    good: rows.length - bad,
    attention: rows.filter((row) => row.errors.length === 0 && row.warnings.length > 0).length,
    state,
    edit,
    remove,
    map,
    /** Sends the remaining edits; false when that failed. */
    flush: send,
    /** Reads the import again, after the server refused to import. */
    again: async () => {
      const now = await calls.get({ importid: start.importid });
      setTable({ rows: now.rows, mapping: now.mapping, defaults: now.defaults, own: now.own });
      setVerdict(now.verdict);
      setStale(new Set());
    },
  };
}
export type Importing = ReturnType<typeof useImport<StagedImport>>;

function gridRows(
  sheet: WorksheetSchema,
  checked: ReturnType<typeof validateTable>,
  remarks: readonly ImportRemark[],
  stale: ReadonlySet<number>,
): GridRow[] {
  const heads = new Map<string, string>(sheet.columns.map((column) => [column.key, column.head]));
  const byRow = new Map<number, ImportRemark[]>();
  for (const remark of remarks) if (!stale.has(remark.row)) byRow.set(remark.row, [...(byRow.get(remark.row) ?? []), remark]);
  return checked.rows.map(({ row, cells }) => {
    const shown: Record<string, GridCell> = {};
    const errors: string[] = [];
    const warnings: string[] = [];
    for (const [key, cell] of Object.entries(cells)) {
      const said = byRow.get(row)?.filter((item) => item.key === key) ?? [];
      const error = cell.error ?? said.find((candidate) => candidate.kind === 'error')?.message;
      const warning = cell.warning ?? said.find((candidate) => candidate.kind === 'warning')?.message;
      shown[key] = {
        text: cell.raw,
        ...(error ? { error } : {}),
        ...(warning ? { warning } : {}),
        ...(cell.isDerived ? { isDerived: true as const } : {}),
      };
      if (error) errors.push(`${heads.get(key) ?? key}：${error}`);
      else if (warning) warnings.push(`${heads.get(key) ?? key}：${warning}`);
    }
    return { row, cells: shown, errors, warnings };
  });
}

import { Appid } from '#domain/base/enums.ts';
import type { ArchiveFieldDef, ArchiveValue } from '#domain/person/archive.ts';
import type { Column, RowCells, WorksheetSchema } from '#contract/workbook/column.ts';
import { warn } from '#contract/workbook/personChecks.ts';

/** The institution's own archive fields as columns of an import sheet. The staged import keeps them, so that its check stays the same. */

/** A column of an own field. The sheet of several populations has one column for fields of the same name. */
export interface OwnColumn extends Column {
  /** the field by app id */
  targets: Readonly<Record<string, ArchiveFieldDef>>;
}

/** The populations whose archives a kind of sheet brings. */
const POPULATIONS: Readonly<Record<string, readonly string[]>> = {
  students: [Appid.students],
  maternity: [Appid.maternity],
  adults: [Appid.workers, Appid.elders, Appid.custom],
};
/** The populations of a kind of sheet. A list of teams has the population of its import. */
export const populationsOfSheet = (kind: string, appid: string): readonly string[] => POPULATIONS[kind] ?? [appid];

/** The values of the kinds `choice` and `list` are labels; `readOwnValues` turns them into codes. */
const KINDS = { text: 'text', integer: 'integer', date: 'date', yesno: 'yesno', choice: 'choice', list: 'text' } as const;

/** Returns the columns of the own fields of some populations. */
export function toOwnColumns(appids: readonly string[], fieldsOf: (appid: string) => readonly ArchiveFieldDef[]): OwnColumn[] {
  const byTitle = new Map<string, OwnColumn>();
  for (const appid of appids)
    for (const field of fieldsOf(appid)) {
      const { title, kind, choices } = field;
      const known = byTitle.get(title);
      const labels = new Set([...(known?.choices ?? []).map(({ label }) => label), ...(choices ?? []).map(([, label]) => label)]);
      byTitle.set(title, {
        key: known?.key ?? `own${byTitle.size + 1}`,
        head: title,
        kind: KINDS[kind],
        ...(kind === 'choice' ? { choices: [...labels].map((label) => ({ value: label, label })) } : {}),
        ...(kind === 'text' || kind === 'list' ? { maxlength: 500 } : {}),
        targets: { ...known?.targets, [appid]: field },
      });
    }
  return [...byTitle.values()];
}

/** Returns the sheet with own columns after its template's. */
export function withOwnColumns(sheet: WorksheetSchema, own: readonly OwnColumn[]): WorksheetSchema {
  if (own.length === 0) return sheet;
  return {
    ...sheet,
    columns: [...sheet.columns, ...own],
    check: (rows, today) => {
      sheet.check?.(rows, today);
      checkOwnCells(rows, own);
    },
  };
}

const splitItems = (text: string): string[] =>
  text
    .split(/[、,，;；/\n]+/)
    .map((item) => item.trim())
    .filter(Boolean);

/** Remarks values that the row's population has no field for, and refuses words that are no option. */
function checkOwnCells(rows: readonly RowCells[], own: readonly OwnColumn[]): void {
  for (const { cells } of rows)
    for (const { key, targets } of own) {
      const cell = cells[key];
      if (!cell || cell.value === null || cell.error) continue;
      const appids = Object.keys(targets);
      const appid = cells['appid'] ? String(cells['appid'].value ?? '') : (appids[0] as string);
      const target = targets[appid];
      if (!target) {
        if (appid) {
          cell.value = null;
          warn(cell, '这个人群的档案没有这一项，未导入');
        }
        continue;
      }
      const labels = target.choices?.map(([, label]) => label);
      const unknown = labels && splitItems(String(cell.value)).find((item) => !labels.includes(item));
      if (labels && unknown) cell.error = `“${unknown}”不是选项，请填写：${labels.join('、')}`;
    }
}

/** Returns the values of a valid row's own fields by code; an empty cell has none. */
export function readOwnValues(
  own: readonly OwnColumn[],
  appid: string,
  values: Readonly<Record<string, unknown>>,
): Record<string, ArchiveValue> {
  const read: Record<string, ArchiveValue> = {};
  for (const { key, kind, targets } of own) {
    const target = targets[appid];
    const value = values[key];
    if (!target || value === null || value === undefined || value === '') continue;
    const codeOf = (label: string) => target.choices?.find(([, choice]) => choice === label)?.[0] ?? label;
    if (kind === 'yesno') read[target.code] = Number(value);
    else if (kind === 'choice') read[target.code] = codeOf(String(value));
    else if (target.choices) read[target.code] = splitItems(String(value)).map(codeOf);
    else read[target.code] = value as ArchiveValue;
  }
  return read;
}

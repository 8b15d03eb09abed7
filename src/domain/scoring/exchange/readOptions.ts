import { isSame, toNumber, toPlain } from '#domain/scoring/exchange/cell.ts';
import { parseOptions, withCodes } from '#domain/scoring/exchange/optionText.ts';
import { openTable, type Row } from '#domain/scoring/exchange/table.ts';
import type { Sheet, SheetFault } from '#domain/scoring/exchange/sheets.ts';
import type { OptionRow } from '#domain/scoring/scale.ts';
import type { Places } from '#domain/scoring/exchange/places.ts';

/** The word for an option without points. */
export const NO_POINTS = '不计分';
/** The word for a choice whose options are not known yet. */
export const NO_OPTIONS = '无';
const EMPTY = new Set([NO_POINTS, '无', '-', '/', '—', '空']);

/** The option sets of the sheet 选项组, by name. An empty name repeats the one above. */
export function readOptionSets(
  sheet: Sheet | undefined,
  isSkeleton: boolean,
  faults: SheetFault[],
  places: Places,
): Map<string, OptionRow[]> {
  const sets = new Map<string, { row: Row; code: string; label: string; points: number | null }[]>();
  let name = '';
  for (const row of sheet ? openTable(sheet, '选项组', faults) : []) {
    name = row.text('名称') || name;
    if (name === '') row.fault('名称', '请填写选项组的名称');
    const label = row.text('选项');
    if (label === '' && !isSkeleton) row.fault('选项', '还没有选项的文字', 'notice');
    const text = row.text('分值');
    const points = EMPTY.has(toPlain(text)) ? null : toNumber(text);
    if (points === undefined) row.fault('分值', text ? `“${text.slice(0, 20)}”不是数字` : `请填写分值；不计分请写“${NO_POINTS}”`);
    const options = sets.get(name) ?? [];
    sets.set(name, [...options, { row, code: toPlain(row.text('编码')), label, points: points ?? null }]);
  }
  return new Map(
    [...sets].map(([setname, options]) => {
      const codes = withCodes(options.map(({ label, points }) => [label, points]));
      options.forEach(({ row }, index) => places.set(['optionsets', setname, index], row));
      return [setname, options.map(({ code, label, points }, index) => [code || (codes[index]?.[0] ?? ''), label, points])];
    }),
  );
}

/** Finds the option set of each choice, in the order of the rows. Options written in a cell become a set of their own. */
export class OptionFinder {
  readonly sets: Map<string, OptionRow[]>;
  #above: string | undefined;
  readonly #places: Places;

  constructor(sets: Map<string, OptionRow[]>, places: Places) {
    this.sets = sets;
    this.#places = places;
  }

  /** The set that the cell names, writes out, or repeats from above. */
  find(row: Row): string | undefined {
    const text = row.text('选项');
    if (text === '') {
      if (this.#above === undefined) row.fault('选项', '请填写选项，例如 从不=0；偶尔=1；经常=2');
      return this.#above;
    }
    if (text === NO_OPTIONS) return undefined;
    if (this.sets.has(text)) return (this.#above = text);
    const options = parseOptions(text);
    if (typeof options === 'string') {
      row.fault('选项', /[=＝;；\n]/.test(text) ? options : `没有名为“${text.slice(0, 20)}”的选项组`);
      return undefined;
    }
    for (const [name, rows] of this.sets) if (name.startsWith('选项') && isSame(rows, options)) return (this.#above = name);
    let number = 1;
    while (this.sets.has(`选项${number}`)) number++;
    this.#above = `选项${number}`;
    this.sets.set(this.#above, options);
    options.forEach((_, index) => this.#places.set(['optionsets', this.#above ?? '', index], row));
    return this.#above;
  }
}

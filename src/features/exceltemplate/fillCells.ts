import { Gender } from '#domain/base/enums.ts';
import { cellValue, indicatorOf, valueOf, type Figures, type Value } from '#domain/exceltemplate/indicators.ts';
import { findByName, gradeName, gradeNamed, isDownwards, partsOfTarget, type Mapping } from '#domain/exceltemplate/mapping.ts';
import type { FillSheet } from '#server/workbook/fill/grid.ts';
import { placeOf } from '#server/workbook/fill/sheet.ts';
import { letters } from '#server/workbook/parts.ts';

/** A choice of a form. */
export interface FillMapping extends Mapping {
  cellid: number;
  sheetname: string;
  ref: string;
}

/** What the cells of a form read. */
export interface FillSource {
  /** the word for the caller's whole region */
  regionname: string;
  /** facts about the form by indicator: period, datatime … */
  facts: Readonly<Record<string, string | number>>;
  schools: readonly { musercode: string; insname: string }[];
  districts: readonly { code: string; name: string }[];
  figuresOf: (place: string, people: string) => Figures;
}

/** A cell with its new value. */
export interface FilledCell {
  cellid: number;
  sheetname: string;
  path: string;
  ref: string;
  indicator: string;
  /** the school, district or region and the group, in words */
  persons: string;
  state: 'shown' | 'hidden' | 'waiting' | 'none';
  content: number | string;
  /** the cell has a percent format */
  isPercent: boolean;
}

/** The result of filling: cells, rows that name nobody known, and schools without a row where a column is filled by schools. */
export interface Filling {
  cells: FilledCell[];
  unmatched: { sheetname: string; ref: string; text: string }[];
  unlisted: string[];
}

/** Fills the chosen cells of a form. Formulas and covered cells of a column that is filled downwards stay as they are. */
export function fillCells(sheets: readonly FillSheet[], mappings: readonly FillMapping[], source: FillSource): Filling {
  const filling: Filling = { cells: [], unmatched: [], unlisted: [] };
  const single = new Set(mappings.filter((mapping) => !isDownwards(mapping)).map(({ sheetname, ref }) => `${sheetname} ${ref}`));
  const listed = new Set<string>();
  for (const mapping of mappings) {
    const sheet = sheets.find(({ sheetname }) => sheetname === mapping.sheetname);
    const start = placeOf(mapping.ref);
    if (!sheet || !start) continue;
    if (!isDownwards(mapping)) {
      filling.cells.push(fillCell(sheet, mapping, mapping.ref, mapping, source));
      continue;
    }
    for (let row = start.row; row <= sheet.last.row; row++) {
      const ref = letters(start.column) + String(row);
      // A cell with a choice of its own wins, for example the sum below the schools.
      if (sheet.formulas.has(ref) || sheet.covered.has(ref) || single.has(`${sheet.sheetname} ${ref}`)) continue;
      const target = readRow(sheet, mapping, row, source);
      if ('unmatched' in target) filling.unmatched.push(...target.unmatched);
      else if (target.place) {
        if (mapping.place === 'rows:school') listed.add(target.place);
        filling.cells.push(fillCell(sheet, mapping, ref, target, source));
      }
    }
  }
  if (mappings.some(({ place }) => place === 'rows:school'))
    filling.unlisted = source.schools.filter(({ musercode }) => !listed.has(`school:${musercode}`)).map(({ insname }) => insname);
  filling.unmatched = [...new Map(filling.unmatched.map((item) => [`${item.sheetname} ${item.ref}`, item])).values()];
  return filling;
}

type Target = { place: string; people: string } | { unmatched: Filling['unmatched'] };

/** Reads the place and the group of a row from its names. A row without a name has place ''. */
function readRow(sheet: FillSheet, mapping: FillMapping, row: number, source: FillSource): Target {
  let { place, people } = mapping;
  const unmatched: Filling['unmatched'] = [];
  if (place.startsWith('rows:')) {
    const { ref, text } = nameAt(sheet, mapping.placecolumn, row);
    if (!text) return { place: '', people };
    const found =
      place === 'rows:school'
        ? findByName(source.schools, ({ insname }) => insname, text)?.musercode
        : findByName(source.districts, ({ name }) => name, text)?.code;
    if (found === undefined) unmatched.push({ sheetname: sheet.sheetname, ref, text });
    place = `${partsOfTarget(place).code}:${found}`;
  }
  if (people === 'rows:grade') {
    const { ref, text } = nameAt(sheet, mapping.peoplecolumn, row);
    if (!text) return { place: '', people };
    const found = gradeNamed(text);
    if (found === undefined) unmatched.push({ sheetname: sheet.sheetname, ref, text });
    people = `grade:${found}`;
  }
  return unmatched.length > 0 ? { unmatched } : { place, people };
}

/** Heads of sums, which name no school or grade. */
const TOTALS = /^(?:合\s*计|总\s*计|小\s*计|平\s*均|全[市区县省]|总数)/;

/** The name of a row: the text of its cell, or of the merged block over it. */
function nameAt(sheet: FillSheet, column: string, row: number): { ref: string; text: string } {
  const ref = `${column}${row}`;
  const place = placeOf(ref);
  const block = sheet.spans.merges.find(
    ({ from, to }) => place && from.column <= place.column && place.column <= to.column && from.row <= row && row <= to.row,
  );
  const first = block ? `${letters(block.from.column)}${block.from.row}` : ref;
  const text = (sheet.texts.get(first) ?? '').trim();
  return { ref: first, text: TOTALS.test(text) ? '' : text };
}

function fillCell(
  sheet: FillSheet,
  mapping: FillMapping,
  ref: string,
  { place, people }: { place: string; people: string },
  source: FillSource,
): FilledCell {
  const { cellid, sheetname, indicator } = mapping;
  const isPercent = sheet.percents.has(ref);
  const cell = { cellid, sheetname, path: sheet.path, ref, indicator, isPercent, persons: wordsOf(place, people, source) };
  if (indicatorOf(indicator)?.of === 'form') return { ...cell, state: 'shown', content: source.facts[indicator] ?? '' };
  const value = valueOf(indicator, source.figuresOf(place, people));
  return { ...cell, state: stateOf(value), content: cellValue(value, isPercent) };
}

const stateOf = ({ is }: Value): FilledCell['state'] => (is === 'count' || is === 'rate' ? 'shown' : is);

function wordsOf(place: string, people: string, { regionname, schools, districts }: FillSource): string {
  const [where, who] = [partsOfTarget(place), partsOfTarget(people)];
  const area =
    where.kind === 'school'
      ? schools.find(({ musercode }) => musercode === where.code)?.insname
      : where.kind === 'district'
        ? districts.find(({ code }) => code === where.code)?.name
        : regionname;
  const group = who.kind === 'grade' ? gradeName(who.code) : who.kind === 'gender' ? Gender.label(who.code as '01') : '';
  return [area ?? where.code, group].filter(Boolean).join(' · ');
}

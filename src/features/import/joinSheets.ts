import type { WorksheetSchema } from '#contract/workbook/column.ts';
import { plainHead } from '#contract/workbook/column.ts';
import { findHeads, isFilled, matchHeads } from '#contract/workbook/matchHeads.ts';
import { joinHeads } from '#features/import/joinHeads.ts';
import { parseTeamName } from '#domain/person/grades.ts';

/** One sheet a class: the lists of a workbook become one table. */

interface Sheet {
  rows: string[][];
  sheetname: string;
  isTooLarge?: true;
}
interface List {
  sheetname: string;
  heads: string[];
  /** rows down to the heads */
  above: string[][];
  below: string[][];
  /** the class that the name of the sheet says, when the list has no column for it */
  classname: string;
  notes: string[];
}

/** Sheets with these names explain how to fill in a list. */
const EXPLANATION = /说明|示例|样例|字典|下拉|代码/;
const CLASS_HEAD = '班级';

function toList(schema: WorksheetSchema, { rows: read, sheetname }: Sheet): List | undefined {
  const { rows, note } = joinHeads(schema, read);
  const headIndex = findHeads(schema, rows);
  const matched = matchHeads(schema, rows, headIndex, undefined).filter((column) => column.state === 'matched');
  const name = schema.columns.find((column) => column.kind === 'name' && column.required)?.key;
  if (!matched.some((column) => column.key === name)) return undefined;
  const hasTeam = matched.some((column) => column.key === 'classname' || column.key === 'teamname');
  const takesClass = schema.columns.some((column) => column.key === 'classname');
  const isClass = takesClass && !hasTeam && parseTeamName(sheetname).classname !== '';
  return {
    sheetname,
    heads: rows[headIndex] ?? [],
    above: rows.slice(0, headIndex + 1),
    below: rows.slice(headIndex + 1),
    classname: isClass ? sheetname.trim() : '',
    notes: note ? [note] : [],
  };
}

/** Joins the lists of a workbook below the heads of the first, and says what it joined and what it left out. */
export function joinSheets(schema: WorksheetSchema, sheets: readonly Sheet[]): { rows: string[][]; notes: string[] } {
  const lists = sheets.map((sheet) => ({ sheet, list: toList(schema, sheet) }));
  const found = lists.flatMap(({ list }) => list ?? []);
  const [first] = found;
  if (!first) return { rows: sheets[0]?.rows ?? [], notes: [] };
  const notes = lists.flatMap(({ sheet, list }) =>
    sheet.isTooLarge
      ? [`工作表“${sheet.sheetname}”太大，没有读取，请另存为单独的文件`]
      : list || EXPLANATION.test(sheet.sheetname) || !sheet.rows.some((row) => row.some(isFilled))
        ? []
        : [`工作表“${sheet.sheetname}”没有姓名列，没有读取`],
  );
  notes.push(...new Set(found.flatMap((list) => list.notes)));
  if (found.length === 1 && !first.classname) return { rows: [...first.above, ...first.below], notes };

  const heads = [...first.heads];
  const placeOf = (head: string): number => {
    const place = heads.findIndex((candidate) => plainHead(candidate) === plainHead(head));
    return place >= 0 ? place : heads.push(head) - 1;
  };
  const needsClass = found.some((list) => list.classname !== '');
  const body: string[][] = [];
  const ranges: string[] = [];
  for (const list of found) {
    const places = list.heads.map((head, index) => (list === first ? index : isFilled(head) ? placeOf(head) : -1));
    const classPlace = needsClass && list.classname ? placeOf(CLASS_HEAD) : -1;
    const start = first.above.length + body.length + 1;
    for (const row of list.below) {
      const cells: string[] = [];
      row.forEach((text, index) => {
        const place = places[index] ?? -1;
        if (place >= 0) cells[place] = text;
      });
      if (classPlace >= 0 && row.some(isFilled)) cells[classPlace] = list.classname;
      body.push(Array.from(cells, (text) => text ?? ''));
    }
    ranges.push(`“${list.sheetname}”（第 ${start}–${first.above.length + body.length} 行）`);
  }
  if (found.length > 1) notes.unshift(`已合并 ${found.length} 张工作表：${ranges.join('、')}`);
  if (needsClass) notes.push(`名单中没有班级，用工作表的名称作为班级，例如“${found.find((list) => list.classname)!.classname}”`);
  return { rows: [...first.above.slice(0, -1), heads, ...body], notes };
}

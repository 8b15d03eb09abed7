import { isSame, toList, toNumber, toPlain } from '#domain/scoring/exchange/cell.ts';
import { Appid } from '#domain/base/enums.ts';
import { defaultScores } from '#domain/scoring/exchange/defaultScores.ts';
import { Places } from '#domain/scoring/exchange/places.ts';
import { codesFrom, readItemAlerts, readItems, withConditions } from '#domain/scoring/exchange/readItems.ts';
import { OptionFinder, readOptionSets } from '#domain/scoring/exchange/readOptions.ts';
import { readBands, readNorms, readRules } from '#domain/scoring/exchange/readRules.ts';
import { readScores } from '#domain/scoring/exchange/readScores.ts';
import { formTypes, tiers, type Sheet, type SheetFault, type SheetName } from '#domain/scoring/exchange/sheets.ts';
import { fieldOf, findSheet, matchHeads, openTable, restOf, withoutAbsent, type Row } from '#domain/scoring/exchange/table.ts';
import type { Scale } from '#domain/scoring/scale.ts';

/** The keys of a definition that have a column of the sheet 量表. */
export const FORM_COLUMNS = [
  ...['title', 'formtype', 'appids', 'instruction', 'recall', 'minutes'],
  ...['agemin', 'agemax', 'tier', 'citation'],
] as const;
/** The keys of a definition that have sheets. In 其他 they stand only where a sheet cannot say them. */
const SHEET_KEYS = [
  ...['items', 'optionsets', 'reverse', 'scores', 'bands', 'bandmode', 'norms'],
  ...['alerts', 'validity', 'derive', 'nextform'],
];
const ITEM_LIMIT = 500;

/** Reads populations: `学生、孕产妇`; [] stands for all. */
export function readPopulations(text: string): string[] | undefined {
  if (['全部', '全部人群', '不限', '所有'].includes(toPlain(text))) return [];
  const codes = toList(text).map((name) => Appid.options.find(({ label, value }) => label === name || value === name)?.value);
  return codes.includes(undefined) ? undefined : (codes as string[]);
}

const plainText = (text: string) => text;

function readForm(row: Row | undefined): Record<string, unknown> {
  if (!row) return {};
  const title = fieldOf(row, '名称', 'title', plainText, '');
  if (title === undefined) row.fault('名称', '请填写量表名称');
  const appids = fieldOf(
    row,
    '适用人群',
    'appids',
    readPopulations,
    `请写 ${Appid.options.map(({ label }) => label).join('、')}`,
  );
  const isForAll = row.text('适用人群') !== '' && appids?.length === 0;
  return withoutAbsent({
    ...restOf(row, FORM_COLUMNS),
    title,
    formtype: fieldOf(
      row,
      '类型',
      'formtype',
      (text) => formTypes.read(toPlain(text)),
      '请写 自评量表、档案表、登记表 或 他评量表',
    ),
    appids: isForAll ? undefined : appids,
    instruction: fieldOf(row, '指导语', 'instruction', plainText, ''),
    recall: fieldOf(row, '时间范围', 'recall', plainText, ''),
    minutes: fieldOf(row, '时长', 'minutes', toNumber, '请填分钟数'),
    agemin: fieldOf(row, '最小年龄', 'agemin', toNumber, '请填整岁'),
    agemax: fieldOf(row, '最大年龄', 'agemax', toNumber, '请填整岁'),
    tier: fieldOf(row, '来源', 'tier', (text) => tiers.read(toPlain(text)), '请写 自编、公有领域、附条件 或 已获授权'),
    citation: fieldOf(row, '出处', 'citation', plainText, ''),
  });
}

/** The sheet of questions: by its name, else the only sheet that has a column 题干. */
function findItemSheet(sheets: readonly Sheet[]): Sheet | undefined {
  const named = findSheet(sheets, '题目');
  if (named) return named;
  const like = sheets.filter((sheet) => matchHeads('题目', sheet.rows[0] ?? []).places.has('题干'));
  return like.length === 1 ? like[0] : undefined;
}

/** What worksheets say: a definition, everything that was not understood, and where each part of the definition stands. */
export interface SheetsRead {
  scale: Scale;
  faults: SheetFault[];
  places: Places;
}

/** Reads a definition from worksheets. It never throws: what it does not understand is a fault at its row. */
export function readSheets(sheets: readonly Sheet[], filename = ''): SheetsRead {
  const faults: SheetFault[] = [];
  const places = new Places();
  const itemSheet = findItemSheet(sheets);
  const rowsOf = (name: SheetName): Row[] => {
    const sheet = name === '题目' ? itemSheet : findSheet(sheets, name);
    return sheet && (name === '题目' || sheet !== itemSheet) ? openTable(sheet, name, faults) : [];
  };
  if (!itemSheet)
    faults.push({
      kind: 'error',
      sheet: '题目',
      row: 0,
      column: '',
      message: '没有找到“题目”表：请用模板，或给题目表起名为“题目”',
    });
  const [formRow] = rowsOf('量表');
  if (formRow) places.set(['form'], formRow);
  const form = readForm(formRow);
  const itemRows = rowsOf('题目').slice(0, ITEM_LIMIT + 1);
  if (itemRows.length > ITEM_LIMIT) itemRows[ITEM_LIMIT]?.fault('', `一份量表最多 ${ITEM_LIMIT} 题`);
  if (itemSheet && itemRows.length === 0)
    faults.push({ kind: 'notice', sheet: itemSheet.name, row: 0, column: '', message: '“题目”表里没有题目' });
  const options = new OptionFinder(readOptionSets(findSheet(sheets, '选项组'), form['tier'] === 'C', faults, places), places);
  const { items: bareItems, reverse, factors } = readItems(itemRows, options, form['tier'] === 'C', places);
  const optionsets = Object.fromEntries(options.sets);
  const scoreRows = rowsOf('得分');
  const [factorRow] = itemRows.filter((row) => row.text('因子') !== '');
  if (scoreRows.length > 0 && factorRow) factorRow.fault('因子', '已有“得分”表，请把因子写进“得分”表，这一列留空');
  const scores =
    scoreRows.length > 0 || 'scores' in form
      ? readScores(scoreRows, bareItems, places)
      : defaultScores({ items: bareItems, optionsets }, factors);
  const names = { items: bareItems, scores };
  const ruleRows = rowsOf('规则');
  const nextAlert = codesFrom('A', new Set(ruleRows.map((row) => toPlain(row.text('编码')))));
  const rules = readRules(ruleRows, names, readItemAlerts(itemRows, bareItems, names, nextAlert), nextAlert, places);
  const norms = readNorms(rowsOf('常模'), places);
  const items = withConditions(bareItems, itemRows, names);
  const present = Object.fromEntries(Object.entries(rules).filter(([, list]) => list.length > 0));
  if (SHEET_KEYS.some((key) => key in form && !isSame(form[key], [])))
    formRow?.fault('其他', '“其他”里写有整张表的内容，对应的表不再读取', 'notice');
  const absent = Object.keys(formRow?.other ?? {}).filter((key) => formRow?.other[key] === null);
  const whole = {
    ...{ schema: 'asds/1', formcode: '', version: 'draft', formtype: '01', tier: 'S' },
    title: filename.replace(/\.[A-Za-z0-9]{1,8}$/, '').slice(0, 50),
    ...{ optionsets, items, scores, ...readBands(rowsOf('等级'), names, places), ...present },
    ...(reverse.length > 0 ? { reverse } : {}),
    ...(Object.keys(norms).length > 0 ? { norms } : {}),
    ...form,
  };
  return {
    scale: Object.fromEntries(Object.entries(whole).filter(([key]) => !absent.includes(key))) as unknown as Scale,
    faults,
    places,
  };
}

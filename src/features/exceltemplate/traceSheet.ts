import { indicatorOf } from '#domain/exceltemplate/indicators.ts';
import type { AddedSheet } from '#server/workbook/fill/fillBook.ts';
import type { FilledCell } from '#features/exceltemplate/fillCells.ts';

/** The facts about a filling, in Shanghai time. */
export interface FillFacts {
  institution: string;
  periodname: string;
  datatime: string;
  counttime: string;
  filledby: string;
  filltime: string;
}

const STATES = { shown: '', hidden: '为保护个人，不公布', waiting: '结果尚未发布', none: '没有可以计算的人数' } as const;

/**
 * Returns the sheet 数据来源: for each number its cell, indicator, persons, value, 数据截至 and definition. No text begins like a
 * formula, because each begins with a word of ours or stands behind a name.
 */
export function traceSheet(cells: readonly FilledCell[], facts: FillFacts): AddedSheet {
  const { institution, periodname, datatime, counttime, filledby, filltime } = facts;
  const head = ['工作表', '单元格', '指标', '范围和人群', '填写内容', '数据截至', '说明', '口径'];
  const rows = cells.map(({ sheetname, ref, indicator, persons, content, state }) => {
    const found = indicatorOf(indicator);
    const until = found?.of === 'effort' ? counttime : state === 'waiting' ? '' : datatime || counttime;
    return [
      `工作表“${sheetname}”`,
      ref,
      found?.title ?? indicator,
      found?.of === 'form' ? '本表' : `范围：${persons}`,
      typeof content === 'number' ? content : `“${content}”`,
      until,
      STATES[state],
      found?.definition ?? '',
    ];
  });
  return {
    name: '数据来源',
    widths: [18, 9, 18, 34, 14, 18, 26, 60],
    rows: [
      ['数据来源：本表由系统填写的每个数字，来自哪里、是谁的、截至何时'],
      ['填报单位', `单位：${institution}`],
      ['统计时段', periodname],
      ['数据截至', `结果 ${datatime || '尚未发布'}；参测 ${counttime || '无数据'}`],
      ['填写', `由 ${filledby} 于 ${filltime} 填写`],
      ['“不公布”表示人数较少，或公布后会推出个别人；“—”表示结果尚未发布，或没有可以计算的人数。筛查结果不等于医学诊断。'],
      ['含“不公布”的行，合计公式不计入该数。'],
      [],
      head,
      ...rows,
    ],
  };
}

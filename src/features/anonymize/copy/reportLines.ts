import type { Block, ReportContent } from '#domain/report/report.content.ts';

/** The lines of a report in plain words, in reading order: the heading of the section and the text. */
export const reportLines = (content: ReportContent): [section: string, text: string][] =>
  content.sections.flatMap(({ title, blocks }) => blocks.flatMap(blockLines).map((text): [string, string] => [title, text]));

function blockLines(block: Block): string[] {
  switch (block.type) {
    case 'kv':
      return block.items.map(({ label, value }) => `${label}：${value}`);
    case 'score':
      return [`${block.name}：${block.score ?? '—'}${block.label && `（${block.label}）`}`];
    case 'radar':
      return block.axes.map(({ name, value }) => `${name}：${value}`);
    case 'line':
      return block.points.map(({ label, time, score }) => `${time} ${label}：${score}`);
    case 'table':
      return block.rows.map((row) => block.columns.map((column, i) => `${column}：${row[i] ?? ''}`).join('；'));
    case 'text':
      return [block.text];
    case 'alert':
      return [];
    case 'list':
      return block.items.map(({ text }) => text);
  }
}

import { shanghaiTime } from '#domain/base/calendar.ts';
import type { Block, ReportContent } from '#domain/report/report.content.ts';
import { blockBoxes, headingBoxes, pairBoxes, paragraphBoxes, withHead } from '#server/pdf/blocks.ts';
import { paginate, type Box, type PlacedBox } from '#server/pdf/box.ts';
import {
  drawFurniture,
  drawVerification,
  QR_SIZE,
  verificationHeight,
  type Furniture,
  type Verification,
} from '#server/pdf/furniture.ts';
import { lookOf, PAGE, type Look } from '#server/pdf/look.ts';
import { GREY, Painter } from '#server/pdf/painter.ts';

/** One report to print, with what its pages show besides its content. */
export interface ReportSheet extends Furniture {
  content: ReportContent;
  /** the version of the report; an edit makes the next one */
  version: number;
  /** the colour of the institution, `#rrggbb` */
  accent: string;
  verify: Verification;
}

/** A document: one report, or a print file of several with a title. */
export interface PrintJob {
  sheets: readonly ReportSheet[];
  title?: string;
}

/** The label of every text that a model wrote (GB 45438-2025). */
const AI_LABEL = '本段由人工智能辅助生成，经人工审核后使用';
/** The pages of the short form, the report of 孕产妇1.0 (supplement-people-statistics.md, section 7). */
const SHORT_FORM = { templatecode: 'usersReport01', pages: 2 } as const;
/** The sizes that the short form tries until its content fits; smaller ones only without the notes on questionnaires. */
const SCALES = [1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.65];
const SMALL_SCALES = [0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3];

/** The block on the first page: title, the facts of the cover and the code for verification. */
function coverBoxes({ content, version, verify }: ReportSheet, section: ReportContent['sections'][number], look: Look): Box[] {
  const facts = section.blocks.flatMap((block) => (block.type === 'kv' ? block.items : []));
  const items = [
    ...facts.filter(({ label }) => label !== '报告核验'),
    { label: '报告版本', value: `第 ${version} 版（${content.audience === 'staff' ? '工作人员版' : '本人版'}）` },
  ];
  const textWidth = look.width - QR_SIZE - 24;
  const rows = pairBoxes(items, look, textWidth);
  const caption = { ...look.small, size: Math.min(look.small.size, 7.5), leading: 10, colour: GREY };
  const height = Math.max(
    rows.reduce((sum, row) => sum + row.height + (row.gap ?? 0), 0),
    verificationHeight(caption),
  );
  const factsBox: Box = {
    height,
    gap: look.body.leading * 0.4,
    draw: (painter, x, y) => {
      let top = y;
      for (const row of rows) {
        top += row.gap ?? 0;
        row.draw(painter, x, top);
        top += row.height;
      }
      drawVerification(painter, verify, { x: x + look.width - QR_SIZE, y }, caption);
    },
  };
  const rule: Box = {
    height: 6,
    gap: look.body.leading * 0.4,
    draw: (painter, x, y) => painter.rule(x, y + 3, look.width, look.accent, 1.5),
  };
  return [...paragraphBoxes(section.title, look.title, look.width), factsBox, rule];
}

/** Fixed texts that stand in every report. Their rules are on the screen. */
const FIXED_SECTIONS: readonly string[] = ['notice', 'support', 'closing'];

/** The boxes of the whole report. */
function reportBoxes(sheet: ReportSheet, look: Look): Box[] {
  const { content } = sheet;
  const isAiLabelled = JSON.stringify(content.sections).includes('人工智能辅助生成');
  return content.sections.flatMap((section) => {
    if (section.key === 'cover') return coverBoxes(sheet, section, look);
    const hasReasons = look.hasReasons && !FIXED_SECTIONS.includes(section.key);
    const blocks = section.blocks.flatMap((block) => blockBoxes(block, { ...look, hasReasons }));
    const isAi = (section.key as string) === 'ai';
    const label = isAi && !isAiLabelled ? paragraphBoxes(AI_LABEL, { ...look.small, colour: GREY }, look.width) : [];
    return withHead(headingBoxes(section.title, look), [...label, ...blocks]);
  });
}

const AREA_HEIGHT = PAGE.height - 2 * PAGE.margin;

/** The index of the box where the second page of the short form begins: the questionnaires, or what stands in their place. */
function secondPageStart(sheet: ReportSheet, look: Look): number {
  const before = sheet.content.sections.findIndex(({ key }) => ['forms', 'suggestion', 'support'].includes(key));
  const content = { ...sheet.content, sections: sheet.content.sections.slice(0, before) };
  return reportBoxes({ ...sheet, content }, look).length;
}

/** The content with the results of the questionnaires alone: without notes on items, factors and references, but with the licences. */
function condense(content: ReportContent): ReportContent {
  const withoutNotes = (block: Block): Block[] => {
    if (block.type !== 'kv') return ['score', 'text'].includes(block.type) ? [block] : [];
    const items = block.items.filter(({ label }) => label === '版权说明' || label === '结果');
    return items.length > 0 ? [{ ...block, items }] : [];
  };
  return {
    ...content,
    sections: content.sections.map((section) =>
      section.key === 'forms' ? { ...section, blocks: section.blocks.flatMap(withoutNotes) } : section,
    ),
  };
}

/** A last page with less than this share of text is saved if smaller gaps make room for it. */
const THIN_PAGE = 0.25;
const GAPS = [0.85, 0.7, 0.55];

/** The pages of boxes, with smaller gaps where these save a nearly empty last page. */
function paginateTightly(boxes: readonly Box[]): PlacedBox[][] {
  const pages = paginate(boxes, AREA_HEIGHT);
  const last = pages.at(-1)?.at(-1);
  if (pages.length === 1 || !last || last.y + last.box.height > AREA_HEIGHT * THIN_PAGE) return pages;
  for (const share of GAPS) {
    const tight = paginate(
      boxes.map((box) => (box.gap ? { ...box, gap: box.gap * share } : box)),
      AREA_HEIGHT,
    );
    if (tight.length < pages.length) return tight;
  }
  return pages;
}

/** The pages of a report. The short form has exactly two: its text becomes smaller, or its second page begins early. */
export function layOut(sheet: ReportSheet): PlacedBox[][] {
  const { content } = sheet;
  const isShort = content.templatecode === SHORT_FORM.templatecode;
  const look = (scale: number) =>
    lookOf({ isLarge: content.largefont, accent: sheet.accent, hasReasons: content.audience === 'staff' && !isShort, scale });
  if (!isShort) return paginateTightly(reportBoxes(sheet, look(1)));
  const tries = [
    ...SCALES.map((scale) => ({ scale, tried: sheet })),
    ...[...SCALES, ...SMALL_SCALES].map((scale) => ({ scale, tried: { ...sheet, content: condense(content) } })),
  ];
  for (const { scale, tried } of tries) {
    const boxes = reportBoxes(tried, look(scale));
    const pages = paginate(boxes, AREA_HEIGHT);
    if (pages.length === SHORT_FORM.pages) return pages;
    if (pages.length > SHORT_FORM.pages) continue;
    const start = secondPageStart(tried, look(scale));
    return paginate(
      boxes.map((box, index) => (index === start ? { ...box, startsPage: true } : box)),
      AREA_HEIGHT,
    );
  }
  throw new RangeError('the report does not fit on its pages');
}

/** Whether a text of the report comes from a model. */
const hasAiText = (content: ReportContent): boolean => content.sections.some(({ key }) => (key as string) === 'ai');

/** What a program reads about the document. It names no person. */
function infoOf({ sheets, title }: PrintJob): PDFKit.DocumentInfo {
  const [first] = sheets;
  if (!first) throw new RangeError('a document needs a report');
  const { content, reportcode, version, institution, printtime } = first;
  const isSingle = sheets.length === 1 && title === undefined;
  return {
    Title: isSingle ? `${content.title} ${reportcode}` : (title ?? content.title),
    Author: institution,
    Subject: isSingle ? `报告编号 ${reportcode}，第 ${version} 版` : `共 ${sheets.length} 份报告`,
    Keywords: `规则版本 ${content.engine}`,
    Creator: 'AI智慧心理-管理端',
    Producer: 'AI智慧心理-管理端',
    CreationDate: printtime,
    ModDate: printtime,
    ...(sheets.some((sheet) => hasAiText(sheet.content))
      ? { AIGC: JSON.stringify({ Label: '1', ContentProducer: institution, ProduceID: reportcode }) }
      : {}),
  };
}

/** The first page of a print file: its title and the reports that follow. */
function drawSeparator(painter: Painter, { title = '', sheets }: PrintJob): void {
  const [first] = sheets;
  if (!first) return;
  const look = lookOf({ isLarge: false, accent: first.accent, hasReasons: false });
  painter.doc.addPage();
  painter.fill({ x: PAGE.margin, y: 240, width: 60, height: 5 }, look.accent);
  const lines = paragraphBoxes(title, { ...look.title, size: 26, leading: 36 }, look.width);
  lines.forEach((line, index) => line.draw(painter, PAGE.margin, 260 + index * 36));
  const note = { ...look.body, colour: GREY };
  const top = 276 + lines.length * 36;
  painter.line(`${first.institution} · 共 ${sheets.length} 份报告`, PAGE.margin, top, note);
  painter.line(
    `${first.reader} 打印于 ${shanghaiTime(first.printtime).slice(0, 16)}`,
    PAGE.margin,
    top + look.body.leading,
    note,
  );
  painter.line('含个人敏感信息，请当面交付，不得张贴或转发。', PAGE.margin, top + 2 * look.body.leading, note);
}

/**
 * Reports as one PDF: A4, selectable text, embedded fonts, vector charts. A print file begins with a page that names it, and each of its
 * reports begins on a sheet of paper of its own, also when both sides are printed.
 */
export async function renderReports(job: PrintJob): Promise<{ bytes: Uint8Array<ArrayBuffer>; pages: number }> {
  const painter = new Painter({ info: infoOf(job), lang: 'zh-CN', displayTitle: true });
  const chunks: Buffer[] = [];
  painter.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const end = new Promise((resolve, reject) => painter.doc.once('end', resolve).once('error', reject));
  let count = 0;
  const turnOver = () => {
    if (job.title === undefined || count % 2 === 0) return;
    painter.doc.addPage();
    count++;
  };
  if (job.title !== undefined) {
    drawSeparator(painter, job);
    count++;
  }
  for (const sheet of job.sheets) {
    turnOver();
    const pages = layOut(sheet);
    pages.forEach((boxes, index) => {
      painter.doc.addPage();
      for (const { box, y } of boxes) box.draw(painter, PAGE.margin, PAGE.margin + y);
      drawFurniture(painter, sheet, { page: index + 1, pages: pages.length });
    });
    count += pages.length;
  }
  painter.doc.end();
  await end;
  return { bytes: new Uint8Array(Buffer.concat(chunks)), pages: count };
}

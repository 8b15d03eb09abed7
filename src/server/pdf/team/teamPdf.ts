import { heightOf, optionOf } from '#domain/chart/chart.ts';
import type { TeamBlock, TeamReportContent } from '#domain/teamreport/teamreport.content.ts';
import { blockBoxes, headingBoxes, paragraphBoxes, withHead } from '#server/pdf/blocks.ts';
import { paginate, type Box } from '#server/pdf/box.ts';
import { pictureBoxes } from '#server/pdf/charts.ts';
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

/** A group report to print, with what its pages show besides its content. */
export interface TeamSheet extends Furniture {
  content: TeamReportContent;
  /** what the report is about */
  subject: string;
  /** of the snapshot; a released report has none */
  version?: number;
  /** the colour of the institution, `#rrggbb` */
  accent: string;
  /** a released report has none */
  verify?: Verification;
  /** a part comes from a model: a program reads so too (GB 45438-2025) */
  hasAiText: boolean;
}

/** The line below the title. */
export const subtitleOf = ({ subject, version }: Pick<TeamSheet, 'subject' | 'version'>): string =>
  version === undefined ? subject : `${subject} · 第 ${version} 版`;

/** What a program reads about the part that a model wrote (GB 45438-2025). */
export const aigcOf = ({ institution, reportcode }: Pick<TeamSheet, 'institution' | 'reportcode'>): string =>
  JSON.stringify({ Label: '1', ContentProducer: institution, ProduceID: reportcode });

function toBoxes(block: TeamBlock, look: Look): Box[] {
  if (block.type !== 'chart') return blockBoxes(block, look);
  const { chart } = block;
  return pictureBoxes(chart.title, (paper) => ({ option: optionOf(chart, paper), height: heightOf(chart) }), look);
}

/** The title, what the report is about, and beside them the code for verification. */
function titleBox(sheet: TeamSheet, look: Look): Box {
  const { content, verify } = sheet;
  const width = verify ? look.width - QR_SIZE - 24 : look.width;
  const rows = [
    ...paragraphBoxes(content.title, look.title, width),
    ...paragraphBoxes(subtitleOf(sheet), { ...look.body, colour: GREY }, width),
  ];
  const caption = { ...look.small, size: 7.5, leading: 10, colour: GREY };
  const textHeight = rows.reduce((sum, row) => sum + row.height + (row.gap ?? 0), 0);
  return {
    height: verify ? Math.max(textHeight, verificationHeight(caption)) : textHeight,
    gap: look.body.leading * 0.4,
    draw: (painter, x, y) => {
      let top = y;
      for (const row of rows) {
        top += row.gap ?? 0;
        row.draw(painter, x, top);
        top += row.height;
      }
      if (verify) drawVerification(painter, verify, { x: x + look.width - QR_SIZE, y }, caption);
    },
  };
}

/** The boxes of the whole report: the title, then each part with its number. */
function reportBoxes(sheet: TeamSheet, look: Look): Box[] {
  const { content, accent } = sheet;
  const rule: Box = {
    height: 6,
    gap: look.body.leading * 0.4,
    draw: (painter, x, y) => painter.rule(x, y + 3, look.width, accent, 1.5),
  };
  return [
    titleBox(sheet, look),
    rule,
    ...content.sections.flatMap(({ title, blocks }, index) =>
      withHead(
        headingBoxes(`${index + 1}. ${title}`, look),
        blocks.flatMap((block) => toBoxes(block, look)),
      ),
    ),
  ];
}

/** A group report as PDF: A4, selectable text, embedded fonts, vector charts, watermark and page numbers like individual reports. */
export async function renderTeamReport(sheet: TeamSheet): Promise<{ bytes: Uint8Array<ArrayBuffer>; pages: number }> {
  const { content, institution, reportcode, version, printtime, accent, subject } = sheet;
  const painter = new Painter({
    info: {
      Title: `${content.title} ${reportcode}`,
      Author: institution,
      Subject: `${subject}，报告编号 ${reportcode}${version === undefined ? '' : `，第 ${version} 版`}`,
      Keywords: `规则版本 ${content.engine}`,
      Creator: 'AI智慧心理-管理端',
      Producer: 'AI智慧心理-管理端',
      CreationDate: printtime,
      ModDate: printtime,
      ...(sheet.hasAiText ? { AIGC: aigcOf(sheet) } : {}),
    },
    lang: 'zh-CN',
    displayTitle: true,
  });
  const chunks: Buffer[] = [];
  painter.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const end = new Promise((resolve, reject) => painter.doc.once('end', resolve).once('error', reject));
  const look = lookOf({ isLarge: false, accent, hasReasons: true });
  const pages = paginate(reportBoxes(sheet, look), PAGE.height - 2 * PAGE.margin);
  pages.forEach((boxes, index) => {
    painter.doc.addPage();
    for (const { box, y } of boxes) box.draw(painter, PAGE.margin, PAGE.margin + y);
    drawFurniture(painter, sheet, { page: index + 1, pages: pages.length });
  });
  painter.doc.end();
  await end;
  return { bytes: new Uint8Array(Buffer.concat(chunks)), pages: pages.length };
}

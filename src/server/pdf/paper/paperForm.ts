import type { Scale } from '#domain/scoring/scale.ts';
import { paginate, type Box } from '#server/pdf/box.ts';
import { PAGE } from '#server/pdf/look.ts';
import { GREY, LINE, Painter } from '#server/pdf/painter.ts';
import { BODY, itemBoxes, textBoxes, WIDTH } from '#server/pdf/paper/itemBoxes.ts';
import { cutText, linesOf, widthOf, type TextStyle } from '#server/pdf/typeset.ts';
import { qrModules } from '#server/qr/qr.ts';

/** A blank questionnaire on paper, for persons who answer with a pen. Staff type the sheet in afterwards. */

export interface PaperForm {
  scale: Scale;
  institution: string;
  printtime: Date;
}

const TITLE: TextStyle = { size: 18, leading: 28, weight: 'bold' };
const SMALL: TextStyle = { size: 8, leading: 12, colour: GREY };
const QR_SIDE = 46;
const FOOT = 20;
const DISORDER = /抑郁|焦虑|障碍|躁狂|精神病|自杀|depress|anxi|suicid|psychosis|disorder|stress/i;

/** The title as the page of respondents has it: a self-report form names no disorder. */
export const paperTitle = ({ formtype, recall, title }: Scale): string =>
  formtype === '01' ? (recall ? `${recall}的感受` : '心理健康问卷') : title;

/** Form and version, for staff who type the sheet in. */
export const paperCode = ({ formcode, version }: Scale): string => `${formcode}@${version}`;

/** Title, institution and code of the first page. */
function headBox({ scale, institution }: PaperForm): Box {
  const room = WIDTH - QR_SIDE - 60;
  const lines = linesOf(paperTitle(scale), room, TITLE);
  const code = paperCode(scale);
  const modules = qrModules(code);
  const unit = QR_SIDE / modules.length;
  return {
    height: Math.max(QR_SIDE + SMALL.leading + 4, lines.length * TITLE.leading + SMALL.leading),
    draw: (painter, x, y) => {
      lines.forEach((line, index) => painter.line(line.text, x, y + index * TITLE.leading, TITLE, line.spacing));
      painter.line(cutText(institution, room, SMALL), x, y + lines.length * TITLE.leading, SMALL);
      const left = x + WIDTH - QR_SIDE;
      modules.forEach((row, rowIndex) =>
        row.forEach((isDark, column) => {
          if (isDark) painter.doc.rect(left + column * unit, y + rowIndex * unit, unit, unit);
        }),
      );
      painter.doc.fill('#000000');
      painter.line(code, x + WIDTH - widthOf(code, SMALL), y + QR_SIDE + 3, SMALL);
    },
  };
}

/** 编号, 姓名 and 日期 with lines to write on. */
const personBox: Box = {
  height: 26,
  gap: 6,
  draw: (painter, x, y) => {
    const part = WIDTH / 3;
    ['编号', '姓名', '日期'].forEach((label, index) => {
      const left = x + index * part;
      painter.line(label, left, y + 6, BODY);
      painter.rule(left + 28, y + 22, part - 44, GREY, 0.6);
    });
  },
};

/** Licence and source below the questions. A source that names a disorder stays away from the person's eyes. */
function licenceBoxes({ licencetext, citation, formtype }: Scale): Box[] {
  const isShown = citation !== undefined && (formtype !== '01' || !DISORDER.test(citation));
  const texts = [licencetext, isShown ? `出处：${citation}` : undefined].filter((text) => text);
  return texts.flatMap((text, index) => textBoxes(text ?? '', SMALL, index === 0 ? 18 : 2));
}

const thanks = (): Box[] => textBoxes('请检查有没有漏答的题目。谢谢您的配合。', { ...BODY, colour: GREY }, 16);

/** The blank form as a PDF: A4, selectable text, embedded fonts. */
export async function renderPaperForm(paper: PaperForm): Promise<{ bytes: Uint8Array<ArrayBuffer>; pages: number }> {
  const { scale, institution, printtime } = paper;
  const painter = new Painter({
    info: {
      Title: paperTitle(scale),
      Author: institution,
      Subject: paperCode(scale),
      Creator: 'AI智慧心理-管理端',
      Producer: 'AI智慧心理-管理端',
      CreationDate: printtime,
      ModDate: printtime,
    },
    lang: 'zh-CN',
    displayTitle: true,
  });
  const chunks: Buffer[] = [];
  painter.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const end = new Promise((resolve, reject) => painter.doc.once('end', resolve).once('error', reject));
  const boxes = [
    headBox(paper),
    personBox,
    ...(scale.instruction ? textBoxes(scale.instruction, BODY, 10) : []),
    ...itemBoxes(scale),
    ...thanks(),
    ...licenceBoxes(scale),
  ];
  const pages = paginate(boxes, PAGE.height - 2 * PAGE.margin - FOOT);
  pages.forEach((placed, index) => {
    painter.doc.addPage();
    for (const { box, y } of placed) box.draw(painter, PAGE.margin, PAGE.margin + y);
    const footY = PAGE.height - PAGE.margin;
    const place = `第 ${index + 1} / ${pages.length} 页`;
    painter.rule(PAGE.margin, footY - 4, WIDTH, LINE);
    painter.line(paperCode(scale), PAGE.margin, footY, SMALL);
    painter.line(place, PAGE.margin + WIDTH - widthOf(place, SMALL), footY, SMALL);
  });
  painter.doc.end();
  await end;
  return { bytes: new Uint8Array(Buffer.concat(chunks)), pages: pages.length };
}

import type { Block } from '#domain/report/report.content.ts';
import { colourOf } from '#domain/scoring/mentalState.ts';
import type { Box } from '#server/pdf/box.ts';
import type { Look } from '#server/pdf/look.ts';
import { GREY, INK } from '#server/pdf/painter.ts';
import { cutText, linesOf, widthOf } from '#server/pdf/typeset.ts';

type ScoreBlock = Extract<Block, { type: 'score' }>;

interface Segment {
  /** shares of the bar's width */
  from: number;
  width: number;
  label: string;
  colour: string;
  isHere: boolean;
}

/** The bands as parts of the bar, and the place of the score. Whole numbers take one place each, as on the screen. */
function toSegments({ bands, min, max, score, level, scorecode }: ScoreBlock): { segments: Segment[]; place: number | null } {
  const sorted = [...bands].sort((a, b) => (a.min ?? -Infinity) - (b.min ?? -Infinity));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return { segments: [], place: null };
  const isTouching = sorted.some((band, index) => index > 0 && band.min === sorted[index - 1]?.max);
  const unit = isTouching ? 0 : 1;
  const from = first.min ?? min ?? 0;
  const to = Math.max(last.max ?? max ?? (last.min ?? 0) + 1, last.min ?? 0) + unit;
  const begins = sorted.map((band, index) => (index === 0 ? from : (band.min ?? from)));
  const isGauge = scorecode === 'overall' || score === null;
  const segments = sorted.map((band, index): Segment => {
    const [begin, end] = [begins[index] ?? from, begins[index + 1] ?? to];
    return {
      from: (begin - from) / (to - from),
      width: Math.max(0, (end - begin) / (to - from)),
      label: band.label,
      colour: colourOf(band.level).hex,
      isHere: isGauge ? band.level === level : score !== null && score >= begin && (index === sorted.length - 1 || score < end),
    };
  });
  const place = isGauge || score === null ? null : Math.min(1, Math.max(0, (score + unit / 2 - from) / (to - from)));
  return { segments, place };
}

/** A value on its bands: name, number and level in words above the bar, the words of the bands below. */
export function scoreBoxes(block: ScoreBlock, look: Look): Box[] {
  const { body, small } = look;
  const { segments, place } = toSegments(block);
  const isGauge = block.scorecode === 'overall';
  const text = isGauge ? { ...body, size: body.size * 1.1, leading: body.leading * 1.1 } : body;
  const strong = { ...text, weight: 'bold' as const };
  const barHeight = body.size * (isGauge ? 1 : 0.75);
  const words = segments.map(({ label, width }) => linesOf(label, Math.max(small.size * 2, look.width * width - 4), small));
  const wordLines = Math.max(0, ...words.map((lines) => Math.min(2, lines.length)));
  const barTop = text.leading + (place === null ? 3 : body.size * 0.75);
  const height = segments.length === 0 ? text.leading : barTop + barHeight + 2 + wordLines * small.leading;
  const score = block.score === null || isGauge ? '' : `${block.score} 分`;
  return [
    {
      height,
      gap: body.leading * 0.35,
      // The gauge stands with the sentence that explains it.
      keepsNext: isGauge,
      draw: (painter, x, y) => {
        const level = colourOf(block.level);
        const label = ` ${block.label} `;
        const [scoreWidth, labelWidth] = [widthOf(score, strong), widthOf(label, small) + 6];
        const name = cutText(block.name, look.width - scoreWidth - labelWidth - 20, text);
        painter.line(name, x, y, text);
        let left = x + widthOf(name, text) + 8;
        painter.line(score, left, y, strong);
        left += score ? scoreWidth + 8 : 0;
        const tag = { x: left, y: y + (text.leading - small.leading) / 2, width: labelWidth, height: small.leading };
        painter.fill(tag, level.hex, 3);
        painter.line(label, left + 3, tag.y, { ...small, colour: level.text });
        segments.forEach((segment, index) => {
          const begin = x + segment.from * look.width;
          const area = { x: begin, y: y + barTop, width: segment.width * look.width - 1, height: barHeight };
          painter.doc.save().fillOpacity(segment.isHere ? 1 : 0.35);
          painter.fill(area, segment.colour);
          painter.doc.restore();
          if (segment.isHere) painter.frame({ ...area, x: area.x + 0.5, width: area.width - 1 }, INK, 1);
          const style = segment.isHere ? { ...small, weight: 'bold' as const } : { ...small, colour: GREY };
          words[index]?.slice(0, 2).forEach((line, at) => {
            const middle = begin + (area.width - widthOf(line.text, style)) / 2;
            const inside = Math.min(Math.max(middle, x), x + look.width - widthOf(line.text, style));
            painter.line(line.text, inside, area.y + barHeight + 2 + at * small.leading, style);
          });
        });
        if (place === null) return;
        const mark = x + place * look.width;
        const half = body.size * 0.32;
        painter.doc
          .moveTo(mark - half, y + barTop - half * 1.8)
          .lineTo(mark + half, y + barTop - half * 1.8)
          .lineTo(mark, y + barTop - 0.5)
          .fill(INK);
      },
    },
  ];
}

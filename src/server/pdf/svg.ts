import { SaxesParser } from 'saxes';
import { INK, type Painter } from '#server/pdf/painter.ts';
import { widthOf } from '#server/pdf/typeset.ts';

/** Draws the SVG that ECharts writes: shapes and texts with plain colours. Other elements are left out. */

type Attributes = Readonly<Record<string, string>>;

/** A colour of SVG as `#rrggbb` with its opacity; null draws nothing. */
function toColour(value: string | undefined): { colour: string; opacity: number } | null {
  if (!value || value === 'none' || value === 'transparent' || value.startsWith('url(')) return null;
  const parts = /^rgba?\(([^)]*)\)$/.exec(value)?.[1]?.split(',').map(Number);
  if (!parts) return { colour: value, opacity: 1 };
  const hex = parts.slice(0, 3).map((part) => Math.round(part).toString(16).padStart(2, '0'));
  return { colour: `#${hex.join('')}`, opacity: parts[3] ?? 1 };
}

const numbersOf = (text = ''): number[] => (text.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
const opacityOf = (text: string | undefined): number => (text === undefined ? 1 : Number(text));

/** The matrix of a `transform` of one function. */
function toMatrix(transform: string | undefined): [number, number, number, number, number, number] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbersOf(transform?.replace(/^\w+/, ''));
  if (transform?.startsWith('matrix')) return [a, b, c, d, e, f];
  if (transform?.startsWith('rotate')) {
    const angle = (a * Math.PI) / 180;
    return [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
  }
  if (transform?.startsWith('scale')) return [a, 0, 0, b || a, 0, 0];
  return [1, 0, 0, 1, a, b];
}

/** Adds the path of a shape; false when the element is none. */
function addShape({ doc }: Painter, name: string, attributes: Attributes): boolean {
  const number = (key: string) => Number(attributes[key] ?? 0);
  if (name === 'path') doc.path(attributes['d'] ?? '');
  else if (name === 'rect') doc.rect(number('x'), number('y'), number('width'), number('height'));
  else if (name === 'circle') doc.circle(number('cx'), number('cy'), number('r'));
  else if (name === 'line') doc.moveTo(number('x1'), number('y1')).lineTo(number('x2'), number('y2'));
  else if (name === 'polyline' || name === 'polygon') {
    const points = numbersOf(attributes['points']);
    for (let at = 0; at + 1 < points.length; at += 2)
      if (at === 0) doc.moveTo(points[0] as number, points[1] as number);
      else doc.lineTo(points[at] as number, points[at + 1] as number);
    if (name === 'polygon') doc.closePath();
  } else return false;
  return true;
}

function drawShape(painter: Painter, name: string, attributes: Attributes): void {
  const { doc } = painter;
  const fill = toColour(attributes['fill'] ?? (name === 'polyline' ? 'none' : '#000000'));
  const lineWidth = Number(attributes['stroke-width'] ?? 1);
  const stroke = lineWidth > 0 ? toColour(attributes['stroke']) : null;
  if (!fill && !stroke) return;
  doc.save().transform(...toMatrix(attributes['transform']));
  if (addShape(painter, name, attributes)) {
    if (fill) doc.fillOpacity(fill.opacity * opacityOf(attributes['fill-opacity']));
    if (stroke) {
      const [dash, space] = numbersOf(attributes['stroke-dasharray']);
      doc.lineWidth(lineWidth).strokeOpacity(stroke.opacity * opacityOf(attributes['stroke-opacity']));
      if (dash) doc.dash(dash, { space: space ?? dash });
    }
    if (fill && stroke) doc.fillAndStroke(fill.colour, stroke.colour);
    else if (fill) doc.fill(fill.colour);
    else if (stroke) doc.stroke(stroke.colour);
  }
  doc.restore();
}

function drawText(painter: Painter, text: string, attributes: Attributes): void {
  const size = Number(/font-size:([\d.]+)px/.exec(attributes['style'] ?? '')?.[1] ?? 12);
  const isBold = /font-weight:(bold|[6-9]00)/.test(attributes['style'] ?? '');
  const style = { size, leading: size, ...(isBold ? { weight: 'bold' as const } : {}) };
  const fill = toColour(attributes['fill']) ?? { colour: INK, opacity: 1 };
  const anchor = attributes['text-anchor'];
  const share = anchor === 'middle' ? 0.5 : anchor === 'end' ? 1 : 0;
  painter.doc.save().transform(...toMatrix(attributes['transform']));
  painter.doc.fillOpacity(fill.opacity * opacityOf(attributes['fill-opacity']));
  const x = Number(attributes['x'] ?? 0) - share * widthOf(text, style);
  const y = Number(attributes['y'] ?? 0) + (attributes['dominant-baseline'] === 'central' ? 0.36 * size : 0);
  painter.text(text, x, y, { ...style, colour: fill.colour });
  painter.doc.restore();
}

/** Draws a picture with its upper left corner at `x`, `y`; one unit of it is `scale` points. */
export function drawSvg(painter: Painter, svg: string, x: number, y: number, scale = 1): void {
  const parser = new SaxesParser();
  const hidden = new Set(['defs', 'style']);
  let hiddenDepth = 0;
  let text: { attributes: Attributes; content: string } | undefined;
  parser.on('opentag', ({ name, attributes }) => {
    if (hidden.has(name)) hiddenDepth++;
    if (hiddenDepth > 0) return;
    if (name === 'text') text = { attributes, content: '' };
    else if (name !== 'g' && name !== 'svg') drawShape(painter, name, attributes);
  });
  parser.on('text', (content) => {
    if (text && hiddenDepth === 0) text.content += content;
  });
  parser.on('closetag', ({ name }) => {
    if (hidden.has(name)) hiddenDepth--;
    if (name !== 'text' || !text) return;
    drawText(painter, text.content, text.attributes);
    text = undefined;
  });
  painter.doc.save().transform(scale, 0, 0, scale, x, y);
  parser.write(svg).close();
  painter.doc.restore();
}

import { PNG } from 'pngjs';
import { encodeQR } from 'qr';
import { bilevelPng } from '#server/qr/bilevelPng.ts';

/** Blank modules around the symbol that scanners need (ISO/IEC 18004). */
const QUIET = 4;
/** The share of the symbol's width that a logo may cover: much less than error correction level H repairs. */
const LOGO_SHARE = 0.18;
/** A module of less than two pixels is lost in print and in re-compressed pictures. */
const MIN_PIXELS = 2;
const LOGO_LIMIT = 2048;

/**
 * Returns a QR code as PNG of exactly `size` × `size` pixels with error correction H.
 * Every module has the same whole number of pixels; the remaining pixels widen the white margin.
 * @param options.logo a PNG, drawn in the middle on white, at most 18 % of the symbol's width
 * Throws RangeError when the text is too long for the size or the logo is no PNG of at most 2048 pixels.
 */
export function qrPng(text: string, options: { size: number; logo?: Uint8Array }): Buffer {
  const { size } = options;
  if (!Number.isInteger(size)) throw new RangeError('size must be a whole number of pixels');
  const modules = qrModules(text);
  const pixels = Math.floor(size / (modules.length + 2 * QUIET));
  if (pixels < MIN_PIXELS) throw new RangeError(`text too long for a QR code of ${size} pixels`);
  const symbol = pixels * modules.length;
  const margin = Math.floor((size - symbol) / 2);
  if (!options.logo)
    return bilevelPng(size, (x, y) => modules[Math.floor((y - margin) / pixels)]?.[Math.floor((x - margin) / pixels)] ?? false);
  const image = new PNG({ width: size, height: size });
  image.data.fill(0xff);
  modules.forEach((row, y) =>
    row.forEach((dark, x) => {
      if (dark) fill(image, margin + x * pixels, margin + y * pixels, pixels, 0);
    }),
  );
  drawLogo(image, Buffer.from(options.logo), Math.floor(symbol * LOGO_SHARE), pixels);
  return PNG.sync.write(image, { colorType: 2 });
}

/** Returns a QR code as SVG, one unit per module, for print at any size. */
export function qrSvg(text: string): string {
  const modules = qrModules(text);
  const width = modules.length + 2 * QUIET;
  const path = modules
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])))
    .join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${path}"/></svg>`
  );
}

/** Returns the modules without margin. The library always draws a border, which is removed. */
export function qrModules(text: string): boolean[][] {
  if (text === '') throw new RangeError('a QR code needs a text');
  return encodeQR(text, 'raw', { ecc: 'high', border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1));
}

function fill(image: PNG, left: number, top: number, side: number, value: number): void {
  for (let y = top; y < top + side; y++)
    for (let x = left; x < left + side; x++) image.data.fill(value, (y * image.width + x) * 4, (y * image.width + x) * 4 + 3);
}

/** Draws the logo by averaging its pixels over white, inside a white square one module wider on each side. */
function drawLogo(image: PNG, file: Buffer, side: number, pixels: number): void {
  const isPng = file.length > 24 && file.readUInt32BE(0) === 0x89504e47;
  // Check the header before decoding, so that a small file cannot decompress into gigabytes.
  if (!isPng || file.readUInt32BE(16) > LOGO_LIMIT || file.readUInt32BE(20) > LOGO_LIMIT)
    throw new RangeError(`the logo must be a PNG of at most ${LOGO_LIMIT} pixels`);
  const logo = PNG.sync.read(file);
  const inner = side - 2 * pixels;
  const scale = inner / Math.max(logo.width, logo.height);
  const width = Math.max(1, Math.round(logo.width * scale));
  const height = Math.max(1, Math.round(logo.height * scale));
  const corner = Math.floor((image.width - side) / 2);
  fill(image, corner, corner, side, 0xff);
  const left = Math.floor((image.width - width) / 2);
  const top = Math.floor((image.height - height) / 2);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      image.data.set(
        averageColour(logo, x / width, y / height, (x + 1) / width, (y + 1) / height),
        ((top + y) * image.width + left + x) * 4,
      );
}

/** Returns the mean colour over white of a part of an image. The corners of the part are shares of the image's sides. */
function averageColour(image: PNG, left: number, top: number, right: number, bottom: number): number[] {
  const from = [Math.floor(left * image.width), Math.floor(top * image.height)] as const;
  const to = [
    Math.max(from[0] + 1, Math.floor(right * image.width)),
    Math.max(from[1] + 1, Math.floor(bottom * image.height)),
  ] as const;
  const sum = [0, 0, 0];
  for (let y = from[1]; y < to[1]; y++)
    for (let x = from[0]; x < to[0]; x++) {
      const offset = (y * image.width + x) * 4;
      const alpha = image.data[offset + 3]! / 255;
      for (let c = 0; c < 3; c++) sum[c]! += image.data[offset + c]! * alpha + 255 * (1 - alpha);
    }
  const count = (to[0] - from[0]) * (to[1] - from[1]);
  return sum.map((total) => Math.round(total / count));
}

import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { qrPng, qrSvg } from './qr.ts';

const LINK = 'https://screening.example.cn/c/7K2M9QX4TB';
// The package is CommonJS: its types declare a function, but Node returns the module.
const decode = (jsqr as unknown as { default?: typeof jsqr }).default ?? jsqr;

function scan(png: Buffer): string | undefined {
  const image = PNG.sync.read(png);
  return (decode as unknown as typeof jsqr.default)(new Uint8ClampedArray(image.data), image.width, image.height)?.data;
}

function logo(): Buffer {
  const image = new PNG({ width: 120, height: 60 });
  for (let offset = 0; offset < image.data.length; offset += 4) image.data.set([20, 90, 160, offset % 7 ? 255 : 120], offset);
  return PNG.sync.write(image);
}

describe('the QR code of an institution', () => {
  it.each([400, 200])('is exactly %i pixels wide, and a reader decodes its link', (size) => {
    const png = qrPng(LINK, { size });
    const image = PNG.sync.read(png);
    expect([image.width, image.height]).toEqual([size, size]);
    expect(scan(png)).toBe(LINK);
  });

  it.each([400, 200])('is readable at %i pixels with the logo in its middle', (size) => {
    const png = qrPng(LINK, { size, logo: logo() });
    const image = PNG.sync.read(png);
    const middle = (size / 2) * size * 4 + (size / 2) * 4;
    expect(image.data[middle + 2]! - image.data[middle]!).toBeGreaterThan(50);
    expect(scan(png)).toBe(LINK);
  });

  it('can contain Chinese text', () => {
    expect(scan(qrPng('测评码：初一（3）班', { size: 400 }))).toBe('测评码：初一（3）班');
  });

  it('has modules of equal whole pixels and a margin of at least four modules', () => {
    const { data, width } = PNG.sync.read(qrPng(LINK, { size: 400 }));
    const isDark = (x: number, y: number): boolean => data[(y * width + x) * 4] === 0;
    let first = 0;
    while (!isDark(first, first)) first++;
    let run = 0;
    while (isDark(first + run, first)) run++;
    // The finder pattern is seven modules wide.
    expect(run % 7).toBe(0);
    const module = run / 7;
    expect(first).toBeGreaterThanOrEqual(4 * module);
    for (let y = first; y < width - first; y++)
      for (let x = first; x < width - first; x++) {
        const [cornerX, cornerY] = [x - ((x - first) % module), y - ((y - first) % module)];
        if (isDark(x, y) !== isDark(cornerX, cornerY)) throw new Error(`module broken at ${x},${y}`);
      }
  });

  it('refuses a text that is too long for the size', () => {
    expect(() => qrPng('x'.repeat(900), { size: 200 })).toThrow(RangeError);
  });

  it('refuses a logo that is no PNG or has too many pixels', () => {
    const huge = logo();
    huge.writeUInt32BE(60_000, 16);
    expect(() => qrPng(LINK, { size: 400, logo: huge })).toThrow(RangeError);
    expect(() => qrPng(LINK, { size: 400, logo: Buffer.from('GIF89a, not a picture we draw') })).toThrow(RangeError);
  });

  it('draws the same modules as SVG', () => {
    const svg = qrSvg(LINK);
    const width = Number(/viewBox="0 0 (\d+) /.exec(svg)![1]);
    const scale = 8;
    const image = new PNG({ width: width * scale, height: width * scale });
    image.data.fill(0xff);
    for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
      for (let dy = 0; dy < scale; dy++)
        for (let dx = 0; dx < scale; dx++) {
          const offset = ((Number(y) * scale + dy) * image.width + Number(x) * scale + dx) * 4;
          image.data.set([0, 0, 0], offset);
        }
    expect(scan(PNG.sync.write(image))).toBe(LINK);
  });
});

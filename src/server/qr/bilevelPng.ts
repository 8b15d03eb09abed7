import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Returns a square PNG of one bit per pixel, black or white (PNG specification: colour type 0, bit depth 1, no filter).
 * It is several times faster than a general writer, which matters for a ZIP of five hundred codes.
 * @param isDark true when the pixel at column x of row y is black; rows count from the top
 */
export function bilevelPng(size: number, isDark: (x: number, y: number) => boolean): Buffer {
  const stride = 1 + Math.ceil(size / 8);
  // A set bit is white; the first byte of each row is its filter: none.
  const rows = Buffer.alloc(stride * size);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) if (!isDark(x, y)) rows[y * stride + 1 + (x >> 3)]! |= 0x80 >> (x & 7);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 1;
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

import sharp from 'sharp';

/** Pictures larger than this are refused before they unfold: 40 million pixels are 160 MB of memory. */
const pixelLimit = 40_000_000;
/** The longer side of what is kept. */
const sideLimit = 4096;

// Several pictures at once share the machine with everybody's requests.
sharp.concurrency(1);
sharp.cache(false);

export class PictureRefused extends Error {}

/**
 * Draws a picture anew from its pixels: place, camera, comments and anything appended are gone, its rotation is applied, and it fits
 * `side` pixels (4096). The answer is in the same format. Throws PictureRefused for what is broken or too large to unfold.
 */
export async function redraw(content: Uint8Array, format: 'png' | 'jpeg' | 'webp', side = sideLimit): Promise<Buffer> {
  try {
    return await sharp(content, { limitInputPixels: pixelLimit, failOn: 'error', pages: 1 })
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toFormat(format, format === 'png' ? { compressionLevel: 8 } : { quality: 86 })
      .toBuffer();
  } catch (error) {
    const large = error instanceof Error && /pixel limit/i.test(error.message);
    throw new PictureRefused(large ? '图片的像素过多，请缩小后再上传' : '图片已损坏，无法读取', { cause: error });
  }
}

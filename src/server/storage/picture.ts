import sharp from 'sharp';

/** Larger pictures are refused before they are decoded: 40 million pixels take 160 MB of memory. */
const pixelLimit = 40_000_000;
/** The limit of a stored picture's longer side, in pixels. */
const sideLimit = 4096;

// Pictures share the processors with all other requests.
sharp.concurrency(1);
sharp.cache(false);

/** A picture that cannot be read; the message tells the user why. */
export class PictureRefused extends Error {}

/**
 * Returns a picture encoded again from its pixels, in the same format. So location, camera, comments and appended data are lost.
 * It applies the rotation and reduces the picture to `side` pixels (4096).
 * Throws PictureRefused when the picture is damaged or has too many pixels.
 */
export async function redraw(content: Uint8Array, format: 'png' | 'jpeg' | 'webp', side = sideLimit): Promise<Buffer> {
  try {
    return await sharp(content, { limitInputPixels: pixelLimit, failOn: 'error', pages: 1 })
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toFormat(format, format === 'png' ? { compressionLevel: 8 } : { quality: 86 })
      .toBuffer();
  } catch (error) {
    const isTooLarge = error instanceof Error && /pixel limit/i.test(error.message);
    throw new PictureRefused(isTooLarge ? '图片的像素过多，请缩小后再上传' : '图片已损坏，无法读取', { cause: error });
  }
}

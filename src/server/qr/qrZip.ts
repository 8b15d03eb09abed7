import { PassThrough, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import { qrPng } from '#server/qr/qr.ts';

/**
 * Returns a ZIP of QR codes of 400 pixels. Each code is drawn when the reader reaches it. Between two codes other requests can run,
 * because five hundred codes take seconds of computing.
 * @param codes the name of each picture in the ZIP, and its link; names are distinct
 * @param onDrawn is called after each code with the number of codes drawn
 */
export function qrZip(
  codes: readonly { name: string; link: string }[],
  onDrawn: (count: number) => void = () => undefined,
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let count = 0;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, link } of codes)
    zip.addReadStreamLazy(name, { compress: false }, (done) => {
      nextTurn()
        .then(() => {
          if (output.destroyed) return;
          done(null, new PassThrough().end(qrPng(link, { size: 400 })));
          onDrawn(++count);
        })
        .catch((error: unknown) => output.destroy(error as Error));
    });
  zip.end();
  return output;
}

import { PassThrough, type Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import { qrPng } from '#server/qr/qr.ts';

/**
 * A ZIP of QR codes of 400 pixels. Each is drawn when the reader has come to it, and other requests have their turn in between: five
 * hundred of them take seconds of computing.
 * @param codes the name of each picture in the ZIP, and the link it holds; names are distinct
 */
export function qrZip(
  codes: readonly { name: string; link: string }[],
  drawn: (count: number) => void = () => undefined,
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let count = 0;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, link } of codes)
    zip.addReadStreamLazy(name, { compress: false }, (done) => {
      turn()
        .then(() => {
          if (output.destroyed) return;
          done(null, new PassThrough().end(qrPng(link, { size: 400 })));
          drawn(++count);
        })
        .catch((error: unknown) => output.destroy(error as Error));
    });
  zip.end();
  return output;
}

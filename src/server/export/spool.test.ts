import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { spool } from '#server/export/spool.ts';

const MB = 1024 * 1024;
/** A stream of so many megabytes; each begins with its number. */
const megabytes = (count: number) =>
  Readable.from(
    Array.from({ length: count }, (_, index) => Buffer.alloc(MB, String.fromCharCode(65 + index))),
    { objectMode: false },
  );
const exportFiles = () => readdirSync(tmpdir()).filter((name) => name.startsWith('export-'));

test('a spooled file has the same bytes, whether it stays in memory or waits on disk, and leaves no file behind', async () => {
  const before = exportFiles();
  for (const count of [0, 1, 9])
    expect((await buffer(await spool(megabytes(count)))).equals(await buffer(megabytes(count)))).toBe(true);
  expect(exportFiles()).toEqual(before);
});

test('an error of the rows refuses the export instead of a part of the file', async () => {
  const broken = Readable.from(
    (function* () {
      for (let index = 0; index < 6; index++) yield Buffer.alloc(MB);
      throw new Error('the database is gone');
    })(),
    { objectMode: false },
  );
  await expect(spool(broken)).rejects.toThrow('the database is gone');
});

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf } from '#ui/display/csv.ts';

test('a CSV cell never begins like a formula, and other text is unchanged', async () => {
  const harmful = fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'), fc.string())
    .map((both) => both.join(''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(
          fc.oneof(
            harmful,
            fc.string().filter((text) => !text.startsWith("'")),
          ),
          { minLength: 3, maxLength: 3 },
        ),
        { minLength: 1 },
      ),
      async (rows) => {
        const text = Buffer.from(await csvOf(rows).arrayBuffer()).toString('utf8');
        const read = parse(text, { bom: true, record_delimiter: '\r\n' }) as string[][];
        expect(read.flat().filter((cell) => /^[=+\-@\t\r\0＝＋－＠]/.test(cell))).toEqual([]);
        expect(read.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@\t\r\0＝＋－＠])/, '')))).toEqual(rows);
      },
    ),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breakLines } from '#server/pdf/lineBreak.ts';

/** Chinese signs are two wide, others one. */
const measure = (text: string) => [...text].reduce((sum, sign) => sum + ((sign.codePointAt(0) as number) > 0x2e80 ? 2 : 1), 0);
const lines = (text: string, width: number) => breakLines(text, width, measure).map((line) => line.text);

test('a closing sign never begins a line, an opening one never ends it', () => {
  expect(lines('今天很好，明天（也许）更好。', 8)).toEqual(['今天很', '好，明天', '（也许）', '更好。']);
  expect(lines('他说“你好”吗', 6)).toEqual(['他说', '“你好”', '吗']);
});

test('words, numbers with their units and dates stay whole', () => {
  expect(lines('得分PHQ-9共12分', 8)).toEqual(['得分', 'PHQ-9共', '12分']);
  expect(lines('完成于2025-10-08上午', 10)).toEqual(['完成于', '2025-10-08', '上午']);
});

test('one character is not left alone on the last line', () => {
  expect(lines('一二三四五六七。', 14)).toEqual(['一二三四五', '六七。']);
});

test('an address without any place to break breaks anywhere', () => {
  expect(lines('x'.repeat(10), 4)).toEqual(['xxxx', 'xxxx', 'xx']);
});

test('no line is wider than its column, and no sign is lost', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'情绪，。（）“”PHQ9分12 3-'), maxLength: 60 }),
      fc.integer({ min: 6, max: 40 }),
      (text, width) => {
        const broken = breakLines(text, width, measure);
        for (const line of broken) expect(line.width).toBeLessThanOrEqual(Math.max(width, measure(line.text)));
        expect(
          broken
            .map((line) => line.text)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(text.replace(/\s/g, ''));
      },
    ),
  );
});

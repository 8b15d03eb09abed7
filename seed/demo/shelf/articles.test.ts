import { expect, test } from 'vitest';
import { articleLimits, MAX_RECOMMENDED_LEVEL } from '#domain/content/content.ts';
import { findForbidden } from '#domain/report/forbiddenWording.ts';
import { articles } from '#seed/demo/shelf/articles.ts';

const all = articles.flatMap(([, texts]) => texts);

test('no article of the demonstration names a disease, promises an outcome or recommends a drug', () => {
  for (const { title, summary, content } of all)
    expect([title, findForbidden(`${title}\n${summary}\n${content}`)]).toEqual([title, []]);
});

test('the articles keep the limits of the editor, and each text about wellbeing says where to find help', () => {
  for (const { title, summary, content, category, levels } of all) {
    expect(title.length).toBeLessThanOrEqual(80);
    expect(summary.length).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(content)).toBeLessThan(articleLimits.bytes);
    expect(Math.max(0, ...levels)).toBeLessThanOrEqual(MAX_RECOMMENDED_LEVEL);
    if (category === '01') expect([title, content.includes('tel:12356')]).toEqual([title, true]);
  }
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
});

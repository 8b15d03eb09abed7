import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { screenLook } from '#ui/charts/useChartLook.ts';

const css = readFileSync('src/ui/theme/theme.css', 'utf8');
const [light = '', dark = ''] = css.split("[data-mantine-color-scheme='dark']");

/** The value of a variable of the theme, with six digits. */
function variable(block: string, name: string): string {
  const value = new RegExp(`--${name}: (#[0-9a-f]+);`).exec(block)?.[1] ?? '';
  return value.length === 4 ? value.replace(/[0-9a-f]/g, '$&$&') : value;
}

test.each([
  ['light', light],
  ['dark', dark],
] as const)('pictures have the colours of the %s theme', (scheme, block) => {
  const look = screenLook(800, scheme);
  expect([look.ink, look.inkSoft, look.line, look.surface, look.brand]).toEqual(
    ['ink', 'ink-2', 'line', 'surface', 'ink-brand'].map((name) => variable(block, name)),
  );
  expect(look.levels).toEqual([0, 1, 2, 3, 4].map((level) => variable(light, `level-${level}`)));
});

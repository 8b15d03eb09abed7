import { expect, test } from 'vitest';
import { menu, type Directory } from '#contract/menu.ts';
import { helps } from '#console/help/helpOf.ts';
import { WORDS } from '#console/help/texts/words.ts';
import { details, noRights, screens } from '#console/screens.tsx';

/** Pages that are printed or projected still have their help in the frame around them. */
const paths = [
  ...Object.values<Directory>(menu).flatMap((directory) =>
    Object.entries(directory.screens)
      .filter(([key]) => key in screens)
      .map(([, screen]) => `${directory.path}/${screen.path}`),
  ),
  ...details.map(({ path }) => path),
  noRights.path,
];

test('every screen says what it is for, and no help is left of a screen that is gone', () => {
  expect(paths.filter((path) => !(path in helps))).toEqual([]);
  expect(Object.keys(helps).filter((path) => !paths.includes(path) && path !== '/earlyWarning/earlyWarning')).toEqual([]);
});

test('a help is short: three sentences, a walk of at most four steps, at most six words', () => {
  const faults = Object.entries(helps).filter(
    ([, { purpose, steps, words }]) =>
      [...purpose, ...steps].some((text) => text.length > 60 || text.length < 2) ||
      steps.length === 0 ||
      steps.length > 4 ||
      words.length > 6,
  );
  expect(faults.map(([path]) => path)).toEqual([]);
});

test('every explained word stands on a screen, and no help speaks of a diagnosis as a result', () => {
  const used = new Set(Object.values(helps).flatMap(({ words }) => words));
  expect(Object.keys(WORDS).filter((word) => !used.has(word as keyof typeof WORDS))).toEqual([]);
  const texts = [...Object.values(WORDS), ...Object.values(helps).flatMap(({ purpose, steps }) => [...purpose, ...steps])];
  expect(texts.filter((text) => /异常|患者|确诊|病人/.test(text))).toEqual([]);
});

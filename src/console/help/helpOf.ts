import { archivePaths, reportPaths } from '#contract/population.ts';
import { casework } from '#console/help/texts/casework.ts';
import type { Help, Helps } from '#console/help/texts/help.ts';
import { person, reportPage, results } from '#console/help/texts/results.ts';
import { screening } from '#console/help/texts/screening.ts';
import { settings } from '#console/help/texts/settings.ts';

/** The help of every screen by the path of its route. */
export const helps: Helps = {
  ...casework,
  ...screening,
  ...results,
  ...settings,
  // The landing page of FW01 is the same screen.
  '/earlyWarning/earlyWarning': casework['/earlyWarning/earlyWarningLevel'] as Help,
  ...Object.fromEntries(archivePaths.map((path) => [path, person])),
  ...Object.fromEntries(reportPaths.map((path) => [path, reportPage])),
};

/** Returns the help of a screen by the path of its route. */
export const helpOf = (path: string): Help | undefined => helps[path];

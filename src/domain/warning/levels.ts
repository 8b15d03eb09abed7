import type { Sector } from '#domain/base/enums.ts';
import type { CodeOf } from '#domain/base/enum.ts';

/**
 * The words for the four levels of a case, from mild to acute. Sectors number their levels in opposite directions,
 * so a text never shows our numbers. This is the only source of these words (decision 0040).
 */
const plainNames = ['一般关注', '重点关注', '预警', '危机'] as const;
const sectorNames: Partial<Record<CodeOf<typeof Sector>, readonly [string, string, string, string]>> = {
  edu: ['三级预警', '二级预警', '一级预警', '特级预警'],
  health: ['轻度风险', '中度风险', '高危', '危急'],
};

const namesOf = (sector: string): readonly string[] => sectorNames[sector as CodeOf<typeof Sector>] ?? plainNames;

/** The name of a level 1–4 in the words of the institution's sector; 无明显风险 for 0, '' without a level. */
export const levelName = (level: number | null | undefined, sector: string): string =>
  level === 0 ? '无明显风险' : level == null ? '' : (namesOf(sector)[level - 1] ?? '');

/** The levels 1–4 as choices in the words of the sector. */
export const levelOptions = (sector: string) => namesOf(sector).map((label, index) => ({ value: index + 1, label }));

/** The conclusions 0–4 of an interview as choices in the words of the sector. */
export const conclusionOptions = (sector: string) => [{ value: 0, label: levelName(0, sector) }, ...levelOptions(sector)];

/** The cases of the two highest levels, for example “预警”和“危机”个案. */
export const gravePhrase = (sector: string): string => `“${levelName(3, sector)}”和“${levelName(4, sector)}”个案`;

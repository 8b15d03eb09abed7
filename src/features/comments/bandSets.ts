import { Appid, Gender } from '#domain/base/enums.ts';
import type { BandScale } from '#domain/scoring/bandset/checkBandset.ts';
import type { Level } from '#domain/scoring/scale.ts';
import type { BandOptionInput, QuotaOptionRow } from '#features/bandset/bandset.contract.ts';

/** The rows of the list as sets: all rows of one institution for the same persons. */
export interface ShownSet {
  key: string;
  rows: QuotaOptionRow[];
  source: QuotaOptionRow['source'];
  insname: string;
  persons: string;
  /** in force as it stands here, in force in an earlier state, or a draft that never was */
  state: 'inforce' | 'edited' | 'draft';
  validfrom: string | null;
  isOriginChanged: boolean;
}

/** Whose sheets a set judges, in words. */
export const personsText = ({ appid, gender, agemin, agemax }: Pick<QuotaOptionRow, 'appid' | 'gender' | 'agemin' | 'agemax'>) =>
  [
    appid === null ? '全部人群' : Appid.label(appid),
    gender === null ? '' : Gender.label(gender),
    agemin === null && agemax === null ? '' : agemax === null ? `${agemin} 岁起` : `${agemin ?? 0}–${agemax} 岁`,
  ]
    .filter(Boolean)
    .join(' · ');

/** The sets of a score, in the order of the list. */
export function toSets(rows: readonly QuotaOptionRow[]): ShownSet[] {
  const sets = new Map<string, QuotaOptionRow[]>();
  for (const row of rows) {
    const { source, musercode, appid, gender, agemin, agemax } = row;
    const key = JSON.stringify([source, musercode, appid, gender, agemin, agemax]);
    sets.set(key, [...(sets.get(key) ?? []), row]);
  }
  return [...sets].map(([key, list]) => {
    const [first] = list as [QuotaOptionRow];
    const isEnabled = list.every(({ enabled }) => enabled === 1);
    return {
      key,
      rows: list,
      source: first.source,
      insname: first.insname,
      persons: personsText(first),
      state: isEnabled ? 'inforce' : first.validfrom ? 'edited' : 'draft',
      validfrom: first.validfrom,
      isOriginChanged: list.some(({ originchanged }) => originchanged === 1),
    };
  });
}

/** The bars of a set. A row without a number is left out. */
export const toBarBands = (rows: readonly Pick<BandOptionInput, 'minscore' | 'maxscore' | 'level' | 'levelname'>[]) =>
  rows.map(({ minscore, maxscore, level, levelname }) => ({
    min: minscore,
    max: maxscore,
    level: level as Level,
    label: levelname || `${level} 级`,
  }));

/** The part of a definition that the checks need, from the rows of the definition. */
export function toBandScale(rows: readonly QuotaOptionRow[], code: string): BandScale {
  const definition = rows.filter(({ source }) => source === 'definition');
  return {
    bands: {
      [code]: definition.map(
        ({ minscore, maxscore, level, levelname }) => [minscore, maxscore, level as Level, levelname] as const,
      ),
    },
    bandmode: definition[0]?.halfopen === 1 ? { [code]: 'halfopen' } : {},
  };
}

/** A row of the form that edits a set. */
export const toOption = (row: QuotaOptionRow, isOwn: boolean): BandOptionInput => ({
  ...(isOwn && row.optionid !== null ? { optionid: row.optionid } : {}),
  minscore: row.minscore,
  maxscore: row.maxscore,
  level: row.level,
  levelname: row.levelname,
  comment: row.comment,
  staffcomment: row.staffcomment,
  suggestion: row.suggestion,
});

type LevelRow = Pick<BandOptionInput, 'minscore' | 'maxscore' | 'level' | 'levelname'>;

/** What a replay of a set needs: its persons, and its limits and levels, the lowest first as switching on compares them. */
export const toTrial = (quotacode: string, persons: Record<string, unknown>, options: readonly LevelRow[]) => {
  const personOf = <T>(name: string) => (persons[name] ?? null) as T | null;
  return {
    quotacode,
    appid: personOf<string>('appid') || null,
    gender: personOf<'01' | '02'>('gender') || null,
    agemin: personOf<number>('agemin'),
    agemax: personOf<number>('agemax'),
    options: options
      .map(({ minscore, maxscore, level, levelname }) => ({ minscore, maxscore, level, levelname }))
      .sort((a, b) => (a.minscore ?? -Infinity) - (b.minscore ?? -Infinity)),
  };
};

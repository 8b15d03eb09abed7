import { MAX_RECOMMENDED_LEVEL, recommendedAtMost, type ContentKindCode } from '#domain/content/content.ts';

/** What a report recommends, and when it offers a person instead (design/supplement-scales-operations.md 6). */

/** The number of a content and its kind. */
export interface ContentRef {
  kind: ContentKindCode;
  id: number;
}
/** A content as a report names it, with its title at the hand-in. */
export type Recommended = ContentRef & { title: string };

/** A content that persons may read at the hand-in, and that is marked for the level of the report. */
export interface Candidate extends Recommended {
  /** the person's institution offers it; others come from institutions above */
  isown: boolean;
  istop: boolean;
  /** when it was published, or made */
  time: Date;
}

/** What is known about a sheet when its report recommends something. */
export interface SheetState {
  isValid: boolean;
  /** null: no score gives a level */
  overalllevel: number | null;
  /** an answer of the sheet raised an alert, also one that was changed back */
  hasalert: boolean;
  /** the level of the case that the sheet opened or joined; null without one */
  caselevel: number | null;
}

/**
 * Whether a report may recommend contents: valid, level 0 to 2, no alert, and no case of level 3 or more from this sheet. A case of
 * level 2 follows from level 2 itself, for which contents may be recommended.
 */
export const mayRecommend = ({ isValid, overalllevel, hasalert, caselevel }: SheetState): boolean =>
  isValid &&
  !hasalert &&
  overalllevel !== null &&
  overalllevel <= MAX_RECOMMENDED_LEVEL &&
  (caselevel ?? 0) <= MAX_RECOMMENDED_LEVEL;

const byOrder = (a: Candidate, b: Candidate): number =>
  Number(b.isown) - Number(a.isown) || Number(b.istop) - Number(a.istop) || b.time.getTime() - a.time.getTime() || b.id - a.id;

/** The contents that a report recommends: articles, music, courses. Own ones come first, then pinned ones, then the newest. */
export function chooseRecommendations(sheet: SheetState, candidates: readonly Candidate[]): Recommended[] {
  if (!mayRecommend(sheet)) return [];
  return (Object.keys(recommendedAtMost) as ContentKindCode[]).flatMap((kind) =>
    candidates
      .filter((candidate) => candidate.kind === kind)
      .sort(byOrder)
      .slice(0, recommendedAtMost[kind])
      .map(({ id, title }) => ({ kind, id, title })),
  );
}

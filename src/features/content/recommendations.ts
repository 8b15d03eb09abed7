import { ContentKind } from '#domain/content/content.ts';
import { chooseRecommendations, mayRecommend, type ContentRef, type SheetState } from '#domain/content/recommend.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';
import type { Scope } from '#server/db/scope.ts';
import * as queries from '#features/content/recommendations.queries.ts';
import { findPerson } from '#features/content/shelf.queries.ts';

/** The contents that a report recommends. They are chosen once, at the hand-in, with their titles of that moment. */

/** Returns the contents for a report, for its basis. It asks the database only when the sheet may get some. */
export async function findRecommendations(
  scope: Scope,
  { musercode, appid }: { musercode: string; appid: string },
  sheet: SheetState,
  now: Date,
): Promise<NonNullable<ReportFacts['contents']>> {
  if (!mayRecommend(sheet)) return [];
  const reader = { audience: 'persons', musercode, appids: [appid] } as const;
  const candidates = await queries.findCandidates(scope, reader, sheet.overalllevel ?? 0, now);
  return chooseRecommendations(sheet, candidates).map(({ kind, id, title }) => ({
    kind: ContentKind.label(kind),
    title,
    ref: { kind, id },
  }));
}

/** Returns those of the contents that the person may open now. */
export async function findContentsOnShelf(
  scope: Scope,
  { cuserid, musercode }: { cuserid: string; musercode: string },
  contents: readonly ContentRef[],
  now: Date,
): Promise<ContentRef[]> {
  if (contents.length === 0) return [];
  const person = await findPerson(scope, cuserid);
  const reader = { audience: 'persons', musercode, appids: person ? [person.appid] : [] } as const;
  return queries.findOnShelf(scope, reader, contents, now);
}

import type { Commentary, CommentaryCond, CommentarySection } from '#domain/report/commentary/commentary.ts';
import type { Audience } from '#domain/report/forbiddenWording.ts';

/** A paragraph as table `commentary` stores it: an empty field is null. */
export interface StoredCommentary {
  section: CommentarySection | 'group';
  audience: Audience;
  reader: 'child' | null;
  appid: string | null;
  formcode: string | null;
  /** `PHQ9.total` */
  quotacode: string | null;
  level: number | null;
  gender: string | null;
  agemin: number | null;
  agemax: number | null;
  priority: number;
  cond: CommentaryCond | null;
  template: string;
  tier: number | null;
  excl: string | null;
}

/** The form and the score of a condition that only names one level; undefined for other conditions. */
function levelOf(cond: CommentaryCond | undefined): { quotacode: string; level: number } | undefined {
  if (!cond || !('level' in cond) || typeof cond.level !== 'string' || typeof cond.eq !== 'number') return undefined;
  const { level: score, eq: level, ...rest } = cond;
  const form = 'form' in rest ? `${rest.form}.` : '';
  return Object.keys(rest).every((key) => key === 'form') ? { quotacode: `${form}${score}`, level } : undefined;
}

/** A shipped row for the table. A condition that names one level becomes the fields for it, so that lists can filter by them. */
export function toStored(row: Commentary): StoredCommentary {
  const level = levelOf(row.cond);
  return {
    section: row.section,
    audience: row.audience,
    reader: row.reader ?? null,
    appid: row.appid ?? null,
    formcode: row.form ?? null,
    quotacode: level?.quotacode ?? row.quotacode ?? null,
    level: level?.level ?? row.level ?? null,
    gender: row.gender ?? null,
    agemin: row.agemin ?? null,
    agemax: row.agemax ?? null,
    priority: row.priority ?? 0,
    cond: level ? null : (row.cond ?? null),
    template: row.t,
    tier: row.tier ?? null,
    excl: row.excl ?? null,
  };
}

/** A stored row for the engine. Rows for group reports have an engine of their own. */
export function fromStored(
  id: string,
  row: StoredCommentary & { section: CommentarySection },
  place: { depth?: number; origin?: string } = {},
): Commentary {
  const optional = {
    depth: place.depth,
    origin: place.origin,
    reader: row.reader ?? undefined,
    appid: row.appid ?? undefined,
    form: row.formcode ?? undefined,
    quotacode: row.quotacode ?? undefined,
    level: row.level ?? undefined,
    gender: row.gender ?? undefined,
    agemin: row.agemin ?? undefined,
    agemax: row.agemax ?? undefined,
    cond: row.cond ?? undefined,
    tier: row.tier ?? undefined,
    excl: row.excl ?? undefined,
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<Commentary>;
  return { id, section: row.section, audience: row.audience, priority: row.priority, t: row.template, ...given };
}

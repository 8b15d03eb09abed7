import { sql } from 'kysely';
import type { Hotline } from '#domain/exam/hotline.ts';
import type { Scope } from '#server/db/scope.ts';

/** The consent settings of the entry of an institution. */
export const findEntrySettings = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient')
    .select(['consentterms', 'hotlines', 'version'])
    .where('musercode', '=', musercode)
    .executeTakeFirst();

/** Saves the hotlines and the changed terms of the entry of an institution. */
export const saveEntrySettings = (
  scope: Scope,
  musercode: string,
  { terms, hotlines, now }: { terms: object; hotlines: readonly Hotline[]; now: Date },
) =>
  scope.db
    .updateTable('muserclient')

    .set({
      consentterms: sql`consentterms || ${JSON.stringify(terms)}::jsonb`,
      hotlines: JSON.stringify(hotlines),
      updatetime: now,
    })
    .where('musercode', '=', musercode)
    .execute();

/** The hotlines of the region of an institution and of the country, with their sources. */
export const findSharedHotlines = async (scope: Scope, musercode: string) =>
  (
    await sql<{ number: string; name: string; hours: string; source: string; checkedon: string }>`
      select h.number, h.name, h.hours, h.source, to_char(h.checkedon, 'YYYY-MM-DD') as checkedon
      from ref.hotline h, muser m
      where m.musercode = ${musercode} and h.region in ('', m.provincecode, m.citycode, m.districtcode)
      order by h.ordernum`.execute(scope.db)
  ).rows;

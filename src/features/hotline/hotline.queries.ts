import { CompiledQuery } from 'kysely';
import type { Hotline } from '#domain/exam/hotline.ts';
import type { Scope } from '#server/db/scope.ts';

/** The hotlines of institutions: their own, then those of their region, then those of the country. */

/** The regions of an institution, the smallest first, and the lines that it has entered itself. */
export interface HotlinePlace {
  regions: readonly string[];
  own: readonly Hotline[];
  /** schools also get lines for the young */
  sector: string;
}

/**
 * The hotlines of a place. A line of a smaller region replaces the same number of a larger one, and an institution's own line
 * replaces both. Two roles ask: one before the caller is known, the others in a transaction.
 */
export async function findHotlines(
  read: (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>,
  { regions, own, sector }: HotlinePlace,
): Promise<Hotline[]> {
  const { rows } = await read(
    `select number, name, hours, to_char(checkedon, 'YYYY-MM-DD') as checkedon
     from (select distinct on (number) * from ref.hotline where (region = '' or region = any ($1::text[])) and (audience <> '青少年' or $2)
       order by number, array_position($1::text[], region) nulls last) h
     order by ordernum, number`,
    [[...regions], sector === 'edu'],
  );
  const ownNumbers = new Set(own.map(({ number }) => number));
  return [...own, ...(rows as Hotline[]).filter(({ number }) => !ownNumbers.has(number))];
}

/** An institution's own lines: the table of lines, then the older single number of the entry. */
export const toOwnLines = (lines: readonly Hotline[] | null | undefined, single: string | null | undefined): Hotline[] => [
  ...(lines ?? []),
  ...(single ?? '')
    .split(/[、,，]/)
    .map((number) => number.trim())
    .filter((number) => number && number !== '12356' && !lines?.some((line) => line.number === number))
    .map((number) => ({ number, name: '本单位求助电话', hours: '', checkedon: '' })),
];

/** The hotlines of an institution, in the caller's transaction. */
export async function findInstitutionHotlines(scope: Scope, musercode: string): Promise<Hotline[]> {
  const place = await scope.db
    .selectFrom('muser as m')
    .leftJoin('muserclient as k', 'k.musercode', 'm.musercode')
    .select(['m.districtcode', 'm.citycode', 'm.provincecode', 'm.sector', 'k.hotline', 'k.hotlines'])
    .where('m.musercode', '=', musercode)
    .executeTakeFirst();
  return findHotlines((text, values) => scope.db.executeQuery(CompiledQuery.raw(text, [...values])), {
    regions: [place?.districtcode, place?.citycode, place?.provincecode].filter((code) => code != null),
    own: toOwnLines(place?.hotlines as Hotline[] | null, place?.hotline),
    sector: place?.sector ?? '',
  });
}

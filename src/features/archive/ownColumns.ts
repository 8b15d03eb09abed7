import type { ArchiveFieldDef } from '#domain/person/archive.ts';
import { OWN_CODES, type OwnCode } from '#domain/person/ownFields.ts';
import { problems } from '#contract/problem.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import { findOwnFields } from '#features/archivefield/archivefield.queries.ts';

/** The own fields of one institution in a list or an export of archives. */
export interface OwnColumns {
  /** only archives of this institution have these fields */
  musercode: string;
  fieldsOf: (appid: string) => readonly ArchiveFieldDef[];
  /** the filters by own fields */
  conditions: readonly { field: ArchiveFieldDef; value: string }[];
}

/** Returns the own fields of the institution that a list shows: the filtered one, else the caller's. Refuses unknown filters (120002). */
export async function findOwnColumns(
  { scope, caller }: Pick<ReadContext<'staff'>, 'scope' | 'caller'>,
  filters: { appid?: string | undefined; musercode?: string | undefined } & Partial<Record<OwnCode, string | undefined>>,
): Promise<OwnColumns> {
  const musercode = filters.musercode || caller.musercode;
  const fieldsOf = await findOwnFields(scope, musercode);
  const conditions = OWN_CODES.flatMap((code) => {
    const value = filters[code];
    if (!value) return [];
    const field = fieldsOf(filters.appid ?? '').find((item) => item.code === code && item.inSearch);
    if (!field) throw problems.invalid({ message: '没有这个筛选项，请刷新页面' }, { field: code });
    return [{ field, value }];
  });
  return { musercode, fieldsOf, conditions };
}

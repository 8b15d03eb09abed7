import type { ArchiveFieldDef } from '#domain/person/archive.ts';
import { toFieldDef } from '#domain/person/ownFields.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getCUserArchiveHeadList } from '#features/archivefield/archivefield.contract.ts';

/** The own fields of an institution for a population; those of the caller's institution without `musercode`. */
export function useOwnFields(appid: string | undefined, musercode?: string): readonly ArchiveFieldDef[] {
  const heads = useActionQuery(getCUserArchiveHeadList, appid ? { appid, ...(musercode ? { musercode } : {}) } : undefined, {
    quiet: true,
  });
  return (heads.data ?? []).filter((head) => head.own === 1).map(toFieldDef);
}

import type { ResponseOf } from '#contract/action.ts';
import type { getCUserArchive } from '#features/archive/archive.contract.ts';

/** What the page of one person shows. */
export type PersonFile = ResponseOf<typeof getCUserArchive>;

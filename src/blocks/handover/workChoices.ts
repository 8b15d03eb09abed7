import type { RequestOf, ResponseOf } from '#contract/action.ts';
import type { handOver } from '#features/handover/handOver.contract.ts';
import { WORK_KINDS, type WorkKind } from '#features/handover/handOver.contract.ts';

/** The choices of a hand-over on the screen. */

export type WorkPreview = ResponseOf<typeof handOver>;
export type WorkRow = WorkPreview[WorkKind]['rows'][number];

/** The choice of no receiver: `stay` hands nothing over, `none` leaves the row without an owner. */
export const STAY = 'stay';
export const NONE = 'none';

export interface WorkChoices {
  /** the receiver of everything without a choice of its own */
  touserid?: string | undefined;
  /** a user id, `STAY` or `NONE`, by kind */
  kinds: Readonly<Partial<Record<WorkKind, string>>>;
  /** a user id or `NONE`, by kind and id (`rowKey`) */
  rows: Readonly<Record<string, string>>;
}
export const NO_CHOICES: WorkChoices = { kinds: {}, rows: {} };
export const rowKey = (kind: WorkKind, id: string) => `${kind} ${id}`;

type WorkItems = NonNullable<RequestOf<typeof handOver>['items']>;
const receiver = (chosen: string) => (chosen === NONE ? null : chosen);

/** The choices as a request. Kinds without a receiver are left out. */
export function toWork({ touserid, kinds, rows }: WorkChoices): { touserid?: string; items: WorkItems } {
  const items: WorkItems = [];
  for (const kind of WORK_KINDS) {
    const chosen = kinds[kind] ?? touserid;
    for (const [key, value] of Object.entries(rows)) {
      const [rowKind, id = ''] = key.split(' ');
      if (rowKind === kind) items.push({ kind, ids: [id], touserid: receiver(value) });
    }
    if (chosen !== undefined && chosen !== STAY) items.push({ kind, touserid: receiver(chosen) });
  }
  return { ...(touserid === undefined ? {} : { touserid }), items };
}

export const totalOf = (preview: WorkPreview, kinds: readonly WorkKind[] = WORK_KINDS) =>
  kinds.reduce((sum, kind) => sum + preview[kind].total, 0);
export const movedOf = (preview: WorkPreview) => WORK_KINDS.reduce((sum, kind) => sum + preview[kind].moved, 0);
/** The kinds that an account must not keep when it is disabled. */
export const MUST_MOVE = ['cases', 'followups', 'bookings'] as const;
/** The rows that a leaving colleague would still own. */
export const leftOf = (preview: WorkPreview) =>
  MUST_MOVE.reduce((sum, kind) => sum + preview[kind].total - preview[kind].moved, 0);

import type { z } from 'zod';
import { isPermitted, type Action } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';

type StaffContext = Context<'staff'>;
type Raw = Readonly<Record<string, unknown>>;

/** An export that needs an approval: its filters as the action reads them, and the persons it would contain now. */
export interface ExportSubject {
  action: Action;
  persons: (raw: Raw, ctx: StaffContext) => Promise<{ given: Raw; cuserids: string[] }>;
}

/** One subject for each call that needs an approval. The features with such exports declare them; `actions.ts` puts them together. */
export type ExportSubjects = Readonly<Record<GatedCall, ExportSubject>>;

/**
 * Declares an export that needs an approval. `persons` finds the persons of a checked request; filters of another shape are
 * refused (120002).
 */
export function exportSubject<Request extends z.ZodType>(
  action: Action<Request>,
  persons: (filters: z.output<Request>, ctx: StaffContext) => Promise<string[]>,
): ExportSubject {
  return {
    action,
    persons: async (raw, ctx) => {
      const checked = action.request.safeParse(raw);
      if (!checked.success) throw problems.invalid({ message: '筛选条件不正确' }, { field: 'filter' });
      return { given: checked.data as Raw, cuserids: await persons(checked.data, ctx) };
    },
  };
}

/**
 * The persons an export would contain now, and its filters as the action reads them. Refuses callers who may not make that export
 * (110004), because the number of persons with a warning is already an answer.
 */
export async function findExportPersons(
  subjects: ExportSubjects,
  ctx: StaffContext,
  call: GatedCall,
  { approvalid: _, ...filter }: Raw,
): Promise<{ given: Raw; cuserids: string[] }> {
  const { action, persons } = subjects[call];
  if (!isPermitted(action.allow, ctx.caller.codes, ctx.caller.musertype)) throw problems.notAllowed();
  return persons(filter, ctx);
}

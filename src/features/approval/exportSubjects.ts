import type { z } from 'zod';
import { isPermitted, type Action } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';

type StaffContext = Context<'staff'>;
type Filters = Readonly<Record<string, unknown>>;

/** An export that needs an approval. `persons` returns the parsed filters and the persons of the export now. */
export interface ExportSubject {
  action: Action;
  persons: (filters: Filters, ctx: StaffContext) => Promise<{ filters: Filters; cuserids: string[] }>;
}

/** One subject for each call that needs an approval. Each feature declares its exports; src/server/actions.ts collects them. */
export type ExportSubjects = Readonly<Record<GatedCall, ExportSubject>>;

/** Declares an export that needs an approval. `persons` finds the persons of a valid request. Invalid filters are refused (120002). */
export function exportSubject<Request extends z.ZodType>(
  action: Action<Request>,
  persons: (filters: z.output<Request>, ctx: StaffContext) => Promise<string[]>,
): ExportSubject {
  return {
    action,
    persons: async (filters, ctx) => {
      const parsed = action.request.safeParse(filters);
      if (!parsed.success) throw problems.invalid({ message: '筛选条件不正确' }, { field: 'filter' });
      return { filters: parsed.data as Filters, cuserids: await persons(parsed.data, ctx) };
    },
  };
}

/**
 * The persons of an export now, and its parsed filters. Refuses (110004) callers without the right to the export, because even the
 * number of persons with a warning is sensitive.
 */
export async function findExportPersons(
  subjects: ExportSubjects,
  ctx: StaffContext,
  call: GatedCall,
  { approvalid: _, ...filters }: Filters,
): Promise<{ filters: Filters; cuserids: string[] }> {
  const { action, persons } = subjects[call];
  if (!isPermitted(action.allow, ctx.caller.codes, ctx.caller.musertype)) throw problems.notAllowed();
  return persons(filters, ctx);
}

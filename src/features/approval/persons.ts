import type { z } from 'zod';
import { permits, type Action } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import type { Ctx } from '#server/handle.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';
import { exportFollowUpList } from '#features/care/care.contract.ts';
import { personsOfFollowUps } from '#features/care/exportrows.ts';
import { exportCUserWarningDetailData, exportWarningList } from '#features/warning/warning.contract.ts';
import { personsOfReports, personsOfWarnings } from '#features/warning/exportrows.ts';

type StaffCtx = Ctx<'staff'>;
type Raw = Readonly<Record<string, unknown>>;

/** What an export asks and whom it would contain, for each call that needs an approval. */
const sources: Readonly<
  Record<GatedCall, { action: Action; persons: (raw: Raw, ctx: StaffCtx) => Promise<{ given: Raw; cuserids: string[] }> }>
> = {
  'as.m.warning.exportWarningList': {
    action: exportWarningList,
    persons: async (raw, ctx) => {
      const given = parsed(exportWarningList.request, raw);
      return { given, cuserids: await personsOfWarnings(given, ctx) };
    },
  },
  'as.m.exam.exportCUserWarningDetailData': {
    action: exportCUserWarningDetailData,
    persons: async (raw, ctx) => {
      const given = parsed(exportCUserWarningDetailData.request, raw);
      return { given, cuserids: await personsOfReports(given, ctx) };
    },
  },
  'as.m.followup.exportFollowUpList': {
    action: exportFollowUpList,
    persons: async (raw, ctx) => {
      const given = parsed(exportFollowUpList.request, raw);
      return { given, cuserids: await personsOfFollowUps(given, ctx) };
    },
  },
};

function parsed<S extends z.ZodType>(request: S, raw: Raw): z.output<S> & Raw {
  const checked = request.safeParse(raw);
  if (!checked.success) throw problems.invalid({ message: '筛选条件不正确' }, { field: 'filter' });
  return checked.data as z.output<S> & Raw;
}

/**
 * The persons an export would contain now, and its filters as they were understood. Throws 110004 to whoever may not make that export
 * (a number of persons with a warning is an answer, too) and 120002 for filters the call does not know.
 */
export async function personsOf(ctx: StaffCtx, call: GatedCall, { approvalid: _, ...filter }: Raw) {
  const { action, persons } = sources[call];
  if (!permits(action.allow, ctx.caller.codes, ctx.caller.musertype)) throw problems.notAllowed();
  return persons(filter, ctx);
}

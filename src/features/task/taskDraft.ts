import type { RequestOf } from '#contract/action.ts';
import type { insertAssessTask } from '#features/task/task.contract.ts';

/** A task that the wizard has not created yet. */
export type TaskDraft = RequestOf<typeof insertAssessTask> & { teamcodes: string[] };

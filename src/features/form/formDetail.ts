import type { ResponseOf } from '#contract/action.ts';
import type { getFormDetail } from '#features/form/form.contract.ts';

/** One version of a form, as its page shows it. */
export type FormDetail = ResponseOf<typeof getFormDetail>;

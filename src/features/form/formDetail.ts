import type { ResponseOf } from '#contract/action.ts';
import type { getFormDetail } from '#features/form/form.contract.ts';

/** The response of `getFormDetail`: one version of a form. */
export type FormDetail = ResponseOf<typeof getFormDetail>;

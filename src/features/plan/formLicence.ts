import { shanghaiDate } from '#domain/base/calendar.ts';
import { checkUsable, toLicenceFacts } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findFormsForUse } from '#features/plan/plan.queries.ts';

/** Whether an institution may use a questionnaire now, and the reasons against it. */
export interface FormUse {
  formcode: string;
  formname: string;
  agemin: number | null;
  agemax: number | null;
  ok: boolean;
  reasons: string[];
}

/** Returns for each questionnaire whether an institution may use it now. The rules are in domain/scoring/licence.ts. */
export async function checkFormLicences(
  scope: Scope,
  formcodes: readonly string[],
  musercode: string,
  now: Date,
): Promise<Map<string, FormUse>> {
  const rows = await findFormsForUse(scope, formcodes, musercode);
  return new Map(
    rows.map((row) => {
      const scale = row.definition as Scale;
      const { reasons } = checkUsable(scale, toLicenceFacts(row, shanghaiDate(now)));
      if (row.status === 0) reasons.push('该量表尚未发布');
      else if (row.status !== 1 || row.enabled !== 1) reasons.push('该量表已停用');
      if (row.versionstatus === 3) reasons.push('现行版本计分有误，已撤回');
      const { formcode, formname, agemin, agemax } = row;
      return [formcode, { formcode, formname, agemin, agemax, ok: reasons.length === 0, reasons }];
    }),
  );
}

/** Returns the questionnaires if the institution may use all of them. Otherwise it refuses (150002); `data.forms` has the reasons. */
export async function requireUsable(scope: Scope, formcodes: readonly string[], musercode: string, now: Date) {
  const forms = await checkFormLicences(scope, formcodes, musercode, now);
  const unknown = formcodes.find((code) => !forms.has(code));
  if (unknown) throw problems.notFound({ what: `量表 ${unknown} ` });
  const blockedForms = [...forms.values()].filter((form) => !form.ok);
  if (!blockedForms.length) return forms;
  const why = blockedForms.map((form) => `“${form.formname}”暂不能使用：${form.reasons.join('；')}`).join('。');
  throw problems.licenceMissing({ why }, { field: 'forms', data: { forms: blockedForms } });
}

/** Refuses a package with a price that has a tier-B form: their conditions forbid to charge for them (150002). */
export async function assertFree(scope: Scope, formcodes: readonly string[], musercode: string, price: number): Promise<void> {
  if (price === 0) return;
  const conditional = (await findFormsForUse(scope, formcodes, musercode)).filter((row) => row.tier === 'B');
  if (!conditional.length) return;
  const names = conditional.map(({ formname }) => `“${formname}”`).join('、');
  throw problems.licenceMissing(
    { why: `${names}附有使用条件，不得收费：请把方案价格改为 0，或移除这些量表` },
    { field: 'price' },
  );
}

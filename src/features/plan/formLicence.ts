import { checkUsable, type FormWording, type LicenceFacts } from '#domain/scoring/licence.ts';
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
): Promise<Map<string, FormUse>> {
  const rows = await findFormsForUse(scope, formcodes, musercode);
  return new Map(
    rows.map((row) => {
      const scale = row.definition as Scale;
      const facts: LicenceFacts = {
        accepted: row.accepted === 1,
        proof: row.prooffileid !== null,
        ...(row.wording ? { wording: row.wording as FormWording } : {}),
      };
      const reasons = [...checkUsable(scale, facts).reasons];
      if (row.status === 0) reasons.push('该量表尚未发布');
      else if (row.status !== 1 || row.enabled !== 1) reasons.push('该量表已停用');
      if (row.versionstatus === 3) reasons.push('现行版本计分有误，已撤回');
      const { formcode, formname, agemin, agemax } = row;
      return [formcode, { formcode, formname, agemin, agemax, ok: reasons.length === 0, reasons }];
    }),
  );
}

/** Returns the questionnaires if the institution may use all of them. Otherwise it refuses (150002); `data.forms` has the reasons. */
export async function requireUsable(scope: Scope, formcodes: readonly string[], musercode: string) {
  const forms = await checkFormLicences(scope, formcodes, musercode);
  const unknown = formcodes.find((code) => !forms.has(code));
  if (unknown) throw problems.notFound({ what: `量表 ${unknown} ` });
  const blockedForms = [...forms.values()].filter((form) => !form.ok);
  if (!blockedForms.length) return forms;
  const why = blockedForms.map((form) => `“${form.formname}”暂不能使用：${form.reasons.join('；')}`).join('。');
  throw problems.licenceMissing({ why }, { field: 'forms', data: { forms: blockedForms } });
}

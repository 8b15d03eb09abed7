import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import { insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import { DRAFT_KEYS, toSafetyPlanDraft, type SafetyPlanDraft } from '#features/warning/plan/planDraft.ts';
import { SafetyPlanFields } from '#features/warning/plan/SafetyPlanFields.tsx';

/** The form of a safety plan on its own. Saving adds a version. */
export function SafetyPlanDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode } = detail;
  const form = useActionForm(insertSafetyPlan, {
    initial: { warningcode, ...toSafetyPlanDraft(full.safetyplan) },
    onDone: onClose,
    successMessage: '安全计划已保存',
  });
  const draft = Object.fromEntries(DRAFT_KEYS.map((key) => [key, form.values[key]])) as SafetyPlanDraft;
  return (
    <FormDrawer title="安全计划" onClose={onClose} form={form} save="保存安全计划" width={720}>
      <SafetyPlanFields
        draft={draft}
        change={(changes) => {
          for (const key of DRAFT_KEYS) if (key in changes) form.set(key, changes[key]);
        }}
        errorOf={(path) => form.error(path) as string | undefined}
        pathOf={(path) => path}
        isMinor={full.minor}
      />
    </FormDrawer>
  );
}

import { Alert, Button, Stack } from '@mantine/core';
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
  const newest = full.safetyplan;
  return (
    <FormDrawer title="安全计划" onClose={onClose} form={form} save="保存安全计划" width={720}>
      {newest && newest.version !== form.values.planversion && (
        <Alert color="orange" role="alert" title="有人在您填写期间保存了安全计划" styles={{ title: { color: 'var(--ink)' } }}>
          <Stack gap="xs" align="flex-start">
            {newest.operatorname}于 {newest.time.slice(0, 16)} 保存了第 {newest.version}{' '}
            版。请在个案页核对其内容，把需要保留的补进来；您填写的内容还在这里。
            <Button size="compact-sm" variant="default" onClick={() => form.set('planversion', newest.version)}>
              已核对，在其后保存我的内容
            </Button>
          </Stack>
        </Alert>
      )}
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

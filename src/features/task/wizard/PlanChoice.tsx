import { Group, Text } from '@mantine/core';
import { Badge } from '#ui/display/badges.tsx';
import { SelectField } from '#ui/form/fields.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getFormInfoByPlanCode, getMUserExamPlanPage } from '#features/plan/plan.contract.ts';
import classes from '#features/task/task.module.css';

/** The request for the plans of a population. */
export const planRequest = (appid: string) => ({ appid, status: 1 as const, page: 1, pageSize: 100 });

/** Lets the user choose a plan of a population; shows its forms and whether the institution may use them. */
export function PlanChoice({
  appid,
  plancode,
  stagecode,
  fault,
  stageFault,
  onChange,
}: {
  appid: string;
  plancode: string;
  stagecode: string | null;
  fault: string | undefined;
  stageFault: string | undefined;
  onChange: (change: { plancode: string; stagecode: string | null }) => void;
}) {
  const plans = useActionQuery(getMUserExamPlanPage, planRequest(appid));
  return (
    <Loaded read={plans} skeleton={<Skeletons.Lines />}>
      {({ rows }) => {
        const selectedPlan = rows.find((row) => row.plancode === plancode);
        if (!rows.length) return <EmptyState title="该人群还没有方案" hint="请先到方案库新建方案" />;
        return (
          <>
            {fault && (
              <Text c="red" size="sm" role="alert">
                {fault}
              </Text>
            )}
            <div
              id="task-plancode"
              role="radiogroup"
              aria-label="方案"
              aria-invalid={fault !== undefined}
              style={{ display: 'grid', gap: 8 }}
            >
              {rows.map((row) => (
                <button
                  key={row.plancode}
                  type="button"
                  role="radio"
                  aria-checked={row.plancode === plancode}
                  className={classes['plan']}
                  onClick={() => onChange({ plancode: row.plancode, stagecode: null })}
                >
                  <Group justify="space-between" gap="xs" w="100%">
                    <Text fw={500}>{row.planname}</Text>
                    <span className={classes['quiet']}>
                      {row.itemcount} 题 · 约 {row.minutes} 分钟{row.iscommon === 1 && ' · 公共方案'}
                    </span>
                  </Group>
                  <span className={classes['quiet']}>{row.introduce || row.forms.map((form) => form.formname).join('、')}</span>
                </button>
              ))}
            </div>
            {selectedPlan && selectedPlan.stages.length > 0 && (
              <div id="task-stagecode">
                <SelectField
                  label="阶段"
                  required
                  error={stageFault}
                  options={selectedPlan.stages.map((stage) => ({ value: stage.stagecode, label: stage.stagename }))}
                  value={stagecode}
                  onChange={((next: string | null) => onChange({ plancode, stagecode: next })) as never}
                />
              </div>
            )}
            {selectedPlan && <PlanForms plancode={selectedPlan.plancode} />}
          </>
        );
      }}
    </Loaded>
  );
}

/** Lists the forms of a plan with their length, age range and licence. */
function PlanForms({ plancode }: { plancode: string }) {
  const forms = useActionQuery(getFormInfoByPlanCode, { plancode });
  return (
    <Loaded read={forms} skeleton={<Skeletons.Lines />}>
      {(rows) => (
        <ul style={{ margin: 0, paddingLeft: 18, display: 'grid', gap: 6 }}>
          {rows.map((form) => (
            <li key={form.formcode}>
              <Group gap="xs">
                <span>{form.formname}</span>
                <span className={classes['quiet']}>
                  {form.itemcount} 题 · {form.minutes} 分钟
                  {form.agemin !== null && ` · ${form.agemin} 岁及以上`}
                  {form.agemax !== null && ` · ${form.agemax} 岁及以下`}
                </span>
                {form.licenceok ? (
                  <Badge tone="green">可用</Badge>
                ) : (
                  <Badge tone="orange" shape={1}>
                    {form.reasons.join('；') || '暂不能使用'}
                  </Badge>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}

import { conclusionOptions, levelName } from '#domain/warning/levels.ts';
import { Button, Checkbox, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { hasAsqAnswers, triageAsq, type AsqAnswers } from '#domain/warning/asqTriage.ts';
import {
  isLowConclusion,
  LOW_CONFIRM_HOURS,
  LOW_REASON_MIN,
  RISK_CHOICES,
  RISK_FLAGS,
  suggestLevel,
  type RiskInterview,
  type RiskSuggestion,
} from '#domain/warning/riskassess.ts';
import { needsSafetyPlan } from '#domain/warning/safetyPlan.ts';
import { LevelBadge } from '#ui/display/badges.tsx';
import { EnumRadio, LongTextField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm, type ActionForm } from '#ui/form/useActionForm.ts';
import { AsqPart } from '#features/warning/interview/AsqPart.tsx';
import { insertRiskAssess } from '#features/warning/handling/handling.contract.ts';
import { SecondField } from '#features/warning/second/SecondField.tsx';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import { toSafetyPlanDraft, type SafetyPlanDraft } from '#features/warning/plan/planDraft.ts';
import { SafetyPlanFields } from '#features/warning/plan/SafetyPlanFields.tsx';
import { PROTECTIVE } from '#features/warning/case.labels.ts';
import type { FullCase } from '#features/warning/warning.contract.ts';
import classes from '#features/warning/warning.module.css';

type AssessForm = ActionForm<typeof insertRiskAssess>;

/** The answers of the form as the domain reads them. An unanswered question counts as the least grave answer. */
function toInterview(values: AssessForm['values'], answers: AsqAnswers): RiskInterview {
  const number = (key: string) => Number(values[key] ?? 0) || 0;
  const keys = ['ideation', 'plan', 'means', 'attempthistory', 'hopelessness', 'psychosis', 'substance', 'infantharm', 'abuse'];
  return {
    ...Object.fromEntries(keys.map((key) => [key, number(key)])),
    support: values.support === undefined ? 2 : number('support'),
    asqresult: hasAsqAnswers(answers) ? triageAsq(answers).result : null,
  } as unknown as RiskInterview;
}

/**
 * The form of the structured interview, in the order of the talk. It shows the suggested level beside the conclusion; the
 * interviewer decides. A low conclusion asks for its reason. The safety plan can be written in the same talk.
 */
export function AssessDrawer({ detail, full, onClose }: StepProps) {
  const form = useActionForm(insertRiskAssess, {
    initial: { warningcode: detail.warningcode, protective: [], seconds: [] },
    onDone: onClose,
    successMessage: '评估已保存',
  });
  const { values } = form;
  const answers = (values.asqanswers ?? {}) as AsqAnswers;
  const suggestion = suggestLevel(toInterview(values, answers));
  const flags: readonly (readonly [string, string])[] =
    detail.appid === '000000001' ? [...RISK_FLAGS, ['infantharm', '有伤害婴儿的想法']] : RISK_FLAGS;
  return (
    <FormDrawer title="结构化评估" onClose={onClose} form={form} save="保存评估" width={720}>
      <Part title="自杀风险筛查（ASQ）">
        <AsqPart
          answers={answers}
          isFirst={full.asqfirst === 1}
          skipReason={form.field('asqskipreason')}
          onChange={(next) => form.set('asqanswers', next)}
        />
      </Part>
      <Part title="想法与经历">
        <EnumRadio {...form.field('ideation')} of={{ options: RISK_CHOICES.ideation }} />
        <EnumRadio {...form.field('attempthistory')} of={{ options: RISK_CHOICES.attempthistory }} />
        <div
          style={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))', gap: 8 }}
          role="group"
          aria-label="其他发现"
        >
          {flags.map(([key, label]) => (
            <SwitchField key={key} {...form.field(key as 'plan')} label="" words={label} />
          ))}
        </div>
        {Number(values.abuse) === 1 && (
          <p className={classes['answer']}>
            {full.minor
              ? '疑似侵害、忽视或欺凌：须立即向公安机关报告（强制报告），不需要审批。保存后请在“期限与专项职责”中登记报告单位、时间和回执。'
              : '疑似受到侵害：先征得本人同意再报警或求助；有生命危险时立即报警。'}
            请单独询问，勿邀疑似伤害本人的人在场。
          </p>
        )}
      </Part>
      <Part title="支持">
        <EnumRadio {...form.field('support')} of={{ options: RISK_CHOICES.support }} />
        <Checkbox.Group label="保护因素" value={[...(values.protective ?? [])]} onChange={(next) => form.set('protective', next)}>
          <div style={{ display: 'flex', flexWrap: 'wrap', gap: '8px 16px', paddingTop: 6 }}>
            {PROTECTIVE.map((factor) => (
              <Checkbox key={factor} value={factor} label={factor} />
            ))}
          </div>
        </Checkbox.Group>
        <LongTextField {...form.field('note')} maxLength={2000} />
      </Part>
      <Part title="结论">
        <Conclusion form={form} suggestion={suggestion} caselevel={detail.level ?? 0} sector={full.sector} />
      </Part>
      <Part title="安全计划">
        <PlanPart form={form} full={full} suggestedlevel={suggestion.level} />
      </Part>
    </FormDrawer>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes['formpart']} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** The suggestion, the conclusion, and the reason for a low conclusion. */
interface ConclusionProps {
  form: AssessForm;
  suggestion: RiskSuggestion;
  caselevel: number;
  sector: string;
}

function Conclusion({ form, suggestion, caselevel, sector }: ConclusionProps) {
  const { ideation, support, attempthistory, conclusionlevel } = form.values;
  const isDecided = conclusionlevel !== undefined && conclusionlevel !== null;
  const hasBasics = [ideation, support, attempthistory].every((value) => value !== undefined);
  const isLow = isDecided && isLowConclusion(Number(conclusionlevel), suggestion.level);
  // A grave answer shows its suggestion at once, also before the other questions are answered.
  const hasSuggestion = hasBasics || suggestion.level >= 3;
  return (
    <div className={classes['suggest']}>
      <div aria-live="polite">
        <Text size="sm" fw={600} mb={4}>
          系统建议{' '}
          {hasSuggestion ? (
            <LevelBadge level={suggestion.level} label={levelName(suggestion.level, sector)} />
          ) : (
            <span className={classes['quiet']}>选好自杀意念、既往和支持系统后给出</span>
          )}
        </Text>
        {hasSuggestion && (
          <Text size="sm" c="dimmed">
            {suggestion.reasons.join('；') || '所填内容没有提示明显风险'}
          </Text>
        )}
      </div>
      <div style={{ height: 8 }} />
      <EnumRadio {...form.field('conclusionlevel')} of={{ options: conclusionOptions(sector) }} />
      <div aria-live="polite">
        {isLow && (
          <Text size="sm" c="var(--level-4-ink)" mt={6}>
            {`低于系统建议：请写明理由（不少于 ${LOW_REASON_MIN} 个字），${LOW_CONFIRM_HOURS} 小时内由另一名工作人员复核。`}
            {`复核前个案按“${levelName(suggestion.level, sector)}”处理；这次结论不作为结案依据。`}
          </Text>
        )}
        {isDecided && !isLow && Number(conclusionlevel) < suggestion.level && (
          <Text size="sm" c="var(--level-4-ink)" mt={6}>
            低于系统建议：请在访谈记录中说明理由
          </Text>
        )}
        {isDecided && Math.max(Number(conclusionlevel), isLow ? suggestion.level : 0) > caselevel && (
          <Text size="sm" c="var(--level-4-ink)" mt={6}>
            高于当前等级：保存后个案将升级并通知相关人员
          </Text>
        )}
      </div>
      {(isLow || form.error('lowreason')) && (
        <div style={{ marginTop: 8 }}>
          <LongTextField {...form.field('lowreason')} required maxLength={1000} />
          <SecondField
            {...form.field('seconds')}
            warningcode={form.values.warningcode ?? ''}
            subject="conclusion"
            onPick={(userids) => form.set('seconds', userids)}
          />
        </div>
      )}
    </div>
  );
}

/** The safety plan within the interview: a note on the plan that exists, and the fields once it is written or updated. */
function PlanPart({ form, full, suggestedlevel }: { form: AssessForm; full: FullCase; suggestedlevel: number }) {
  const draft = form.values.safetyplan as SafetyPlanDraft | undefined;
  const plan = full.safetyplan;
  if (draft)
    return (
      <>
        <SafetyPlanFields
          draft={draft}
          change={(changes) => form.set('safetyplan', { ...draft, ...changes })}
          errorOf={(path) => form.error(`safetyplan.${path}`) as string | undefined}
          pathOf={(path) => `safetyplan.${path}`}
          isMinor={full.minor}
        />
        <Button
          variant="subtle"
          size="compact-sm"
          style={{ alignSelf: 'start', flexShrink: 0 }}
          onClick={() => form.set('safetyplan', undefined)}
        >
          这次不填安全计划
        </Button>
      </>
    );
  return (
    <>
      <Text size="sm" c="dimmed">
        {plan
          ? `已有第 ${plan.version} 版（${plan.time.slice(0, 10)}，${plan.iscomplete === 1 ? '完整' : `尚缺：${plan.gaps.join('、')}`}）。`
          : needsSafetyPlan(suggestedlevel)
            ? `系统建议“${levelName(2, full.sector)}”及以上：开始干预或转入随访观察前，须和本人一起写好安全计划。`
            : '这次谈话里可以和本人一起写，也可以稍后单独填写。'}
      </Text>
      <Button
        variant="default"
        size="compact-sm"
        style={{ alignSelf: 'start', flexShrink: 0 }}
        onClick={() => form.set('safetyplan', toSafetyPlanDraft(plan))}
      >
        {plan ? '更新安全计划' : '现在填写安全计划'}
      </Button>
    </>
  );
}

import { Button, Checkbox, Collapse, Text } from '@mantine/core';
import { useState } from 'react';
import { suggestLevel, type RiskInterview } from '#domain/warning/riskassess.ts';
import { asq } from '#domain/scoring/scales/asq.ts';
import { applicableItems, toQuestionnaire } from '#domain/exam/questionFlow.ts';
import { LevelBadge } from '#ui/display/badges.tsx';
import { EnumRadio, LongTextField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { QuestionnaireForm } from '#blocks/questionnaire/QuestionnaireForm.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { insertRiskAssess } from '#features/warning/handling/handling.contract.ts';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import { PROTECTIVE, RISK_CHOICES, RISK_FLAGS, SCRIPTS } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

const sheet = toQuestionnaire(asq);

/** The form of the structured interview. It shows the suggested level beside the conclusion; the interviewer decides. */
export function AssessDrawer({ detail, full, onClose }: StepProps) {
  const form = useActionForm(insertRiskAssess, {
    initial: { warningcode: detail.warningcode, protective: [], plantext: full.plantext },
    onDone: onClose,
    successMessage: '评估已保存',
  });
  const [isAsqOpen, setIsAsqOpen] = useState(false);
  const { values } = form;
  const number = (key: string) => Number(values[key] ?? 0) || 0;
  const answers = (values.asqanswers ?? {}) as Record<string, string | null>;
  const interview = Object.fromEntries(
    ['ideation', 'plan', 'means', 'attempthistory', 'hopelessness', 'psychosis', 'substance', 'infantharm'].map((key) => [
      key,
      number(key),
    ]),
  );
  const hasBasics = values.ideation !== undefined && values.support !== undefined;
  const suggestion = suggestLevel({
    ...interview,
    support: values.support === undefined ? 2 : number('support'),
    asqacute: answers['q5'] === '1' ? 1 : 0,
  } as unknown as RiskInterview);
  const flags: readonly (readonly [string, string])[] =
    detail.appid === '000000001' ? [...RISK_FLAGS, ['infantharm', '有伤害婴儿的想法']] : RISK_FLAGS;
  return (
    <FormDrawer title="结构化评估" onClose={onClose} form={form} save="保存评估" width={640}>
      <EnumRadio {...form.field('ideation')} of={{ options: RISK_CHOICES.ideation }} />
      <EnumRadio {...form.field('attempthistory')} of={{ options: RISK_CHOICES.attempthistory }} />
      <EnumRadio {...form.field('support')} of={{ options: RISK_CHOICES.support }} />
      <div
        style={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))', gap: 8 }}
        role="group"
        aria-label="其他发现"
      >
        {flags.map(([key, label]) => (
          <SwitchField key={key} {...form.field(key as 'plan')} label="" words={label} />
        ))}
      </div>
      {number('abuse') === 1 && (
        <p className={classes['answer']}>
          疑似侵害、忽视或欺凌：须立即向公安机关报告（强制报告），保存后请在记录中登记报告时间与经办人。
        </p>
      )}
      <Checkbox.Group label="保护因素" value={[...(values.protective ?? [])]} onChange={(next) => form.set('protective', next)}>
        <div style={{ display: 'flex', flexWrap: 'wrap', gap: '8px 16px', paddingTop: 6 }}>
          {PROTECTIVE.map((factor) => (
            <Checkbox key={factor} value={factor} label={factor} />
          ))}
        </div>
      </Checkbox.Group>
      <div>
        <Button variant="default" size="compact-sm" aria-expanded={isAsqOpen} onClick={() => setIsAsqOpen(!isAsqOpen)}>
          {isAsqOpen ? '收起 ASQ' : '同时询问 ASQ（自杀风险筛查）'}
        </Button>
        <Collapse expanded={isAsqOpen}>
          <div style={{ height: 12 }} />
          <QuestionnaireForm
            questionnaire={sheet}
            answers={answers}
            itemCodes={applicableItems(sheet, answers)}
            onChange={(code, answer) => form.set('asqanswers', { ...answers, [code]: answer as string | null })}
          />
        </Collapse>
      </div>
      <LongTextField {...form.field('note')} maxLength={2000} />
      <LongTextField {...form.field('plantext')} maxLength={2000} />
      {!values.plantext && (
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'start', flexShrink: 0 }}
          onClick={() => form.set('plantext', SCRIPTS.plan)}
        >
          使用安全计划模板
        </Button>
      )}
      <div className={classes['suggest']} aria-live="polite">
        <Text size="sm" fw={600} mb={4}>
          系统建议{' '}
          {hasBasics ? (
            <LevelBadge level={suggestion.level} label={RISK_CHOICES.conclusion[suggestion.level]?.label ?? ''} />
          ) : (
            <span className={classes['quiet']}>填写上面三项后给出</span>
          )}
        </Text>
        {hasBasics && (
          <Text size="sm" c="dimmed">
            {suggestion.reasons.join('；') || '未见明显风险因素'}
          </Text>
        )}
        <div style={{ height: 8 }} />
        <EnumRadio {...form.field('conclusionlevel')} of={{ options: RISK_CHOICES.conclusion }} />
        {values.conclusionlevel !== undefined && Number(values.conclusionlevel) < suggestion.level && (
          <Text size="sm" c="red" mt={6}>
            低于系统建议：请在访谈记录中说明理由
          </Text>
        )}
        {values.conclusionlevel !== undefined && Number(values.conclusionlevel) > (detail.level ?? 0) && (
          <Text size="sm" c="red" mt={6}>
            高于当前等级：保存后个案将升级并通知相关人员
          </Text>
        )}
      </div>
    </FormDrawer>
  );
}

import { conclusionOptions } from '#domain/warning/levels.ts';
import { Group, TextInput } from '@mantine/core';
import { fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { followSchedule } from '#domain/warning/deadline.ts';
import { FollowMethod, InterfereKind, ReferralStatus } from '#domain/base/enums.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { DayField, MomentField } from '#ui/dates/dateFields.tsx';
import { EnumField, EnumRadio, LongTextField, NumberField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { UploadField } from '#blocks/file/UploadField.tsx';
import { useActionForm, type ActionForm } from '#ui/form/useActionForm.ts';
import { finishFollowUp, insertFollowUp, insertInterfere } from '#features/care/care.contract.ts';
import { insertReferral, observe, updateReferral } from '#features/warning/handling/handling.contract.ts';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import { EFFECTS } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

/** The form that records an intervention. */
export function InterfereDrawer({ detail, onClose }: StepProps) {
  const { warningcode, cuserid } = detail;
  const form = useActionForm(insertInterfere, {
    initial: { warningcode, cuserid, kind: '01', minutes: 45 },
    onDone: onClose,
    successMessage: '已记录',
  });
  return (
    <FormDrawer title="记录干预" onClose={onClose} form={form} width={560}>
      <EnumField {...form.field('kind')} of={InterfereKind} />
      <MomentField {...form.field('begintime')} max={shanghaiDate(new Date())} placeholder="不填为现在" />
      <NumberField {...form.field('minutes')} min={0} max={600} suffix=" 分钟" />
      <LongTextField {...form.field('content')} maxLength={2000} />
      <SelectField {...form.field('effect')} options={EFFECTS} />
    </FormDrawer>
  );
}

/** The form that writes a referral letter. */
export function ReferralDrawer({ detail, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const form = useActionForm(insertReferral, {
    initial: { warningcode, version, urgent: (detail.level ?? 0) >= 4 ? 1 : 0 },
    onDone: onClose,
    successMessage: '已开具转介单',
  });
  return (
    <FormDrawer title="开具转介单" onClose={onClose} form={form} width={560}>
      <TextInput {...form.field('tohospital')} />
      <TextInput {...form.field('todept')} placeholder="例如 心理门诊、精神科" />
      <LongTextField {...form.field('reason')} maxLength={2000} />
      <SwitchField {...form.field('urgent')} words="须当日就诊" />
      <UploadField {...form.field('fileids')} use="case" onPick={(fileids) => form.set('fileids', fileids)} />
    </FormDrawer>
  );
}

/** The form that records the hospital's feedback. */
export function FeedbackDrawer({ detail, full, onClose, id }: StepProps) {
  const { warningcode, version } = detail;
  const referral = full.referrals.find((candidate) => candidate.referralid === id);
  const form = useActionForm(updateReferral, {
    initial: { warningcode, version, referralid: id, visitdate: referral?.visitdate ?? '', feedback: referral?.feedback ?? '' },
    onDone: onClose,
    successMessage: '已登记回执',
  });
  return (
    <FormDrawer title={`转介回执：${referral?.tohospital ?? ''}`} onClose={onClose} form={form}>
      <EnumRadio {...form.field('status')} of={ReferralStatus} />
      <DayField {...form.field('visitdate')} max={shanghaiDate(new Date())} />
      <LongTextField {...form.field('feedback')} maxLength={2000} />
      <UploadField {...form.field('fileids')} use="case" onPick={(fileids) => form.set('fileids', fileids)} />
      <p className={classes['script']}>{'诊断信息仅在本人或监护人提供时登记。'}</p>
    </FormDrawer>
  );
}

/** The form that moves a case to observation. It shows the follow-ups that the step will plan. */
export function ObserveDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const today = shanghaiDate(new Date());
  const form = useActionForm(observe, {
    initial: { warningcode, version, begindate: today, method: '01' },
    onDone: onClose,
    successMessage: '已转入随访观察',
  });
  const waitingFollowups = full.followups.filter((followup) => followup.status === '01' || followup.status === '03');
  const begin = form.values.begindate ?? today;
  const dues = followSchedule((detail.level ?? 2) as WarningLevelCode, fromShanghai(`${begin} 17:00`)).filter(
    (due) => due > new Date(),
  );
  return (
    <FormDrawer title="转入随访观察" onClose={onClose} form={form} save="转入随访观察">
      {waitingFollowups.length === 0 && (
        <>
          <DayField {...form.field('begindate')} />
          <EnumRadio {...form.field('method')} of={FollowMethod} />
        </>
      )}
      <p className={classes['script']}>
        {waitingFollowups.length > 0
          ? `沿用已有随访计划（待随访 ${waitingFollowups.length} 次）。`
          : `按等级自动安排 ${dues.length} 次随访：${dues
              .slice(0, 6)
              .map((due) => shanghaiDate(due).slice(5))
              .join('、')}${dues.length > 6 ? ' …' : ''}`}
      </p>
    </FormDrawer>
  );
}

/** The props of the field for the interval or the number of repeated follow-ups. */
const repeatField = (form: ActionForm<typeof insertFollowUp>, part: 'everydays' | 'times', label: string) => ({
  label,
  required: true,
  value: form.values.repeat?.[part],
  error: form.error(`repeat.${part}`),
  onChange: ((value: number | undefined) => form.set('repeat', { ...form.values.repeat, [part]: value })) as never,
});

/** The form that plans follow-ups of a case. */
export function PlanDrawer({ detail, onClose }: StepProps) {
  const { warningcode, cuserid } = detail;
  const form = useActionForm(insertFollowUp, {
    initial: { warningcode, cuserid, method: '02' },
    onDone: onClose,
    successMessage: '已安排',
  });
  return (
    <FormDrawer title="新增随访" onClose={onClose} form={form}>
      <MomentField {...form.field('duetime')} min={shanghaiDate(new Date())} />
      <EnumRadio {...form.field('method')} of={FollowMethod} />
      <SwitchField
        label="连续安排"
        words="按固定间隔安排多次"
        value={form.values.repeat ? 1 : 0}
        onChange={((on: number) => form.set('repeat', on ? { everydays: 7, times: 4 } : undefined)) as never}
      />
      {form.values.repeat && (
        <Group grow align="start">
          <NumberField {...repeatField(form, 'everydays', '间隔')} min={1} max={90} suffix=" 天" />
          <NumberField {...repeatField(form, 'times', '次数')} min={1} max={30} suffix=" 次" />
        </Group>
      )}
    </FormDrawer>
  );
}

/** The form that records a follow-up. */
export function FollowDrawer({ detail, full, onClose, id }: StepProps) {
  const followup = full.followups.find((candidate) => candidate.followupid === id);
  const seenExamcodes = new Set<string>();
  const retests = full.results.flatMap((result) => {
    if (result.submittime <= detail.createtime || seenExamcodes.has(result.examcode)) return [];
    seenExamcodes.add(result.examcode);
    return [{ value: result.examcode, label: `${result.submittime.slice(0, 10)} ${result.quotaname} ${result.score ?? '—'} 分` }];
  });
  const form = useActionForm(finishFollowUp, {
    initial: { followupid: id, status: '02', method: (followup?.method ?? '01') as '01' },
    onDone: onClose,
    successMessage: '已登记随访',
  });
  return (
    <FormDrawer title={`随访登记（应于 ${followup?.duetime.slice(0, 16) ?? ''}）`} onClose={onClose} form={form} width={560}>
      <EnumRadio
        {...form.field('status')}
        of={{
          options: [
            { value: '02', label: '已联系上' },
            { value: '04', label: '未能联系上' },
          ],
        }}
      />
      <EnumRadio {...form.field('method')} of={FollowMethod} />
      <LongTextField {...form.field('content')} maxLength={2000} />
      <SelectField {...form.field('currentlevel')} options={conclusionOptions(full.sector)} />
      {Number(form.values.currentlevel) >= 3 && (
        <p className={classes['script']}>{'当前状态需要立即处理：请完成结构化评估，必要时升级。'}</p>
      )}
      {retests.length > 0 && <SelectField {...form.field('examcode')} options={retests} placeholder="没有可以不选" />}
      <MomentField {...form.field('nextduetime')} min={shanghaiDate(new Date())} placeholder="不填则按等级安排" />
    </FormDrawer>
  );
}

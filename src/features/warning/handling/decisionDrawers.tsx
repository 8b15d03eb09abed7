import { levelOptions } from '#domain/warning/levels.ts';
import { Select, TextInput } from '@mantine/core';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { isNoteSufficient, NOTE_MIN } from '#domain/warning/closing.ts';
import { subjectOf } from '#domain/warning/decision/secondRequest.ts';
import { StaffCloseReason } from '#domain/base/enums.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { EnumRadio, LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { UploadField } from '#blocks/file/UploadField.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { Checklist } from '#features/warning/handling/Checklist.tsx';
import {
  closeWarning,
  guardianMethods,
  notifyGuardian,
  reopenWarning,
  updateWarningLevel,
} from '#features/warning/handling/handling.contract.ts';
import { SecondField } from '#features/warning/second/SecondField.tsx';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import { toGuardianScript } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

/** The form that records the notification of a guardian. */
export function GuardianDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const [firstGuardian] = full.guardians;
  const form = useActionForm(notifyGuardian, {
    initial: { warningcode, version, ...(firstGuardian ? { guardianid: firstGuardian.guardianid } : {}) },
    onDone: onClose,
    successMessage: '已登记',
  });
  const { onChange: _, ...guardianField } = form.field('guardianid');
  return (
    <FormDrawer title="登记告知监护人" onClose={onClose} form={form} width={560}>
      <p className={classes['script']}>{toGuardianScript({ isScreening: detail.source === '01', isMinor: full.minor })}</p>
      {full.duties.some(({ kind, donetime }) => kind === 'abuse' && donetime === null) && (
        <p className={classes['answer']}>
          有疑似侵害：先单独问清谁是安全的人。疑似侵害人是监护人的，不要告知，改为“登记不告知理由”。
        </p>
      )}
      {full.guardians.length > 0 && (
        <Select
          {...guardianField}
          clearable
          data={full.guardians.map((guardian) => ({
            value: String(guardian.guardianid),
            label: `${guardian.name} ${guardian.phonenumber}`,
          }))}
          value={form.values.guardianid ? String(form.values.guardianid) : null}
          onChange={(value) => form.set('guardianid', value ? Number(value) : undefined)}
        />
      )}
      {!form.values.guardianid && <TextInput {...form.field('guardianname')} placeholder="姓名与关系，例如 林建国（父亲）" />}
      <EnumRadio
        {...form.field('method')}
        of={{ options: Object.entries(guardianMethods).map(([value, label]) => ({ value, label })) }}
      />
      <MomentField {...form.field('time')} max={shanghaiDate(new Date())} placeholder="不填为现在" />
      <LongTextField {...form.field('content')} maxLength={2000} />
      <UploadField {...form.field('fileids')} use="case" onPick={(fileids) => form.set('fileids', fileids)} />
    </FormDrawer>
  );
}

/** The form that raises (`up`) or lowers the level. */
export function LevelDrawer({ detail, full, onClose, up = false }: StepProps & { up?: boolean }) {
  const { warningcode, version } = detail;
  const currentLevel = detail.level ?? 1;
  const options = levelOptions(full.sector).filter(({ value }) => (up ? value > currentLevel : value === currentLevel - 1));
  const form = useActionForm(updateWarningLevel, {
    initial: { warningcode, version, level: up ? currentLevel + 1 : currentLevel - 1 },
    onDone: onClose,
    successMessage: up ? '已升级，相关人员已收到通知' : '已降级',
  });
  return (
    <FormDrawer title={up ? '升级' : '降级'} onClose={onClose} form={form} save={up ? '升级' : '降级'}>
      <EnumRadio {...form.field('level')} of={{ options }} />
      <LongTextField {...form.field('reason')} maxLength={2000} />
      {!up && <p className={classes['script']}>{'每次只能下调一级，7 天内只能下调一次；须有 7 天内的访谈评估支持。'}</p>}
    </FormDrawer>
  );
}

/** The form that closes a case. It shows the criteria of the chosen reason. */
export function CloseDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode, version, state } = detail;
  const form = useActionForm(closeWarning, {
    initial: { warningcode, version, closereason: '01', closenote: '', seconds: [] },
    onDone: ({ waits }) => {
      notify.done(waits === 1 ? '已提交复核' : '已结案');
      onClose();
    },
    successMessage: '',
  });
  const reason = form.values.closereason ?? '01';
  const needsSecond = (full.criteria[reason] ?? []).some(({ bysecond }) => bysecond === 1);
  const note = form.values.closenote ?? '';
  const needsPolice = (full.criteria[reason] ?? []).some(({ key }) => key === 'police');
  const criteria = [
    ...(reason === '01'
      ? [{ key: 'state', title: '已转入随访观察', met: state === '06', detail: '请先转入随访观察并完成随访' }]
      : []),
    ...(full.criteria[reason] ?? [])
      .filter(({ bysecond }) => bysecond === 0)
      .map((line) => (line.key === 'police' && form.values.policerecord?.trim() ? { ...line, met: true, detail: '' } : line)),
    {
      key: 'note',
      title: `结案说明不少于${NOTE_MIN}个字`,
      met: isNoteSufficient(note),
      detail: `现有${[...note.trim()].length}个字`,
    },
  ];
  return (
    <FormDrawer title="结案" onClose={onClose} form={form} save={needsSecond ? '提交复核' : '结案'} width={560}>
      <EnumRadio {...form.field('closereason')} of={StaffCloseReason} />
      <LongTextField {...form.field('closenote')} maxLength={2000} />
      {needsPolice && <LongTextField {...form.field('policerecord')} maxLength={500} />}
      <Checklist label="结案条件" lines={criteria} />
      {criteria.some((line) => !line.met) && (
        <p className={classes['script']}>{'条件全部满足后才能结案。未满足的条件已列出缺少什么。'}</p>
      )}
      {needsSecond && (
        <SecondField
          {...form.field('seconds')}
          warningcode={warningcode}
          subject={subjectOf({ kind: 'close', closereason: reason, closenote: note })}
          onPick={(userids) => form.set('seconds', userids)}
        />
      )}
    </FormDrawer>
  );
}

/** The form that opens a closed case again. */
export function ReopenDrawer({ detail, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const form = useActionForm(reopenWarning, { initial: { warningcode, version }, onDone: onClose, successMessage: '已重开' });
  return (
    <FormDrawer title="重开预警" onClose={onClose} form={form} save="重开">
      <LongTextField {...form.field('reason')} maxLength={2000} />
    </FormDrawer>
  );
}

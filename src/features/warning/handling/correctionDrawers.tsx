import { conclusionOptions } from '#domain/warning/levels.ts';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { FollowMethod, InterfereKind } from '#domain/base/enums.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { EnumField, EnumRadio, LongTextField, NumberField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { deleteInterfere, updateFollowUp, updateInterfere } from '#features/care/care.contract.ts';
import { deleteCaseFile } from '#features/warning/files/casefile.contract.ts';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import { EFFECTS } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

/** Tells the user that the log of the case keeps the text before a correction. */
const historyNote = <p className={classes['script']}>{'修改前的内容会保留在处置记录中。'}</p>;

/** The form that corrects an intervention. */
export function EditInterventionDrawer({ full, onClose, id }: StepProps) {
  const row = full.interferes.find((interfere) => interfere.interfereid === id);
  const form = useActionForm(updateInterfere, {
    initial: {
      interfereid: id,
      version: row?.version,
      kind: row?.kind as '01',
      begintime: row?.begintime.slice(0, 16),
      minutes: row?.minutes,
      content: row?.content,
      effect: row?.effect,
    },
    onDone: onClose,
    successMessage: '已修改',
  });
  return (
    <FormDrawer title="修改干预记录" onClose={onClose} form={form} width={560}>
      <EnumField {...form.field('kind')} of={InterfereKind} />
      <MomentField {...form.field('begintime')} max={shanghaiDate(new Date())} />
      <NumberField {...form.field('minutes')} min={0} max={600} suffix=" 分钟" />
      <LongTextField {...form.field('content')} maxLength={2000} />
      <SelectField {...form.field('effect')} options={EFFECTS} />
      {historyNote}
    </FormDrawer>
  );
}

/** The form that deletes an intervention and asks for the reason. */
export function DeleteInterventionDrawer({ onClose, id }: StepProps) {
  const form = useActionForm(deleteInterfere, { initial: { interfereid: id }, onDone: onClose, successMessage: '删除成功' });
  return (
    <FormDrawer title="删除干预记录" onClose={onClose} form={form} save="删除" isDanger>
      <LongTextField {...form.field('reason')} maxLength={500} />
      <p className={classes['script']}>{'删除的记录不再显示，原因保留在处置记录中。'}</p>
    </FormDrawer>
  );
}

/** The form that moves a waiting follow-up or corrects the record of a completed one. */
export function EditFollowupDrawer({ full, onClose, id }: StepProps) {
  const row = full.followups.find((followup) => followup.followupid === id);
  const isWaiting = row?.status === '01' || row?.status === '03';
  const form = useActionForm(updateFollowUp, {
    initial: isWaiting
      ? {
          followupid: id,
          version: row.version,
          method: row.method as '01',
          ...(row.overdue ? {} : { duetime: row.duetime.slice(0, 16) }),
        }
      : {
          followupid: id,
          version: row?.version,
          method: row?.method as '01',
          content: row?.content,
          currentlevel: row?.currentlevel ?? undefined,
        },
    onDone: onClose,
    successMessage: '已修改',
  });
  return (
    <FormDrawer title={isWaiting ? '随访改期' : '更正随访记录'} onClose={onClose} form={form}>
      {isWaiting && <MomentField {...form.field('duetime')} min={shanghaiDate(new Date())} />}
      <EnumRadio {...form.field('method')} of={FollowMethod} />
      {!isWaiting && (
        <>
          <LongTextField {...form.field('content')} maxLength={2000} />
          <SelectField {...form.field('currentlevel')} options={conclusionOptions(full.sector)} clearable={false} />
          {historyNote}
        </>
      )}
    </FormDrawer>
  );
}

/** The form that deletes an attachment and asks for the reason. */
export function DeleteCaseFileDrawer({ detail, full, onClose, fileid }: StepProps) {
  const { warningcode, version } = detail;
  const form = useActionForm(deleteCaseFile, {
    initial: { warningcode, version, fileid },
    onDone: onClose,
    successMessage: '删除成功',
  });
  return (
    <FormDrawer
      title={`删除附件：${full.files.find((file) => file.fileid === fileid)?.filename ?? ''}`}
      onClose={onClose}
      form={form}
      save="删除"
      isDanger
    >
      <LongTextField {...form.field('reason')} maxLength={500} />
    </FormDrawer>
  );
}

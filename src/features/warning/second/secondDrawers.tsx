import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { answerSecondRequest, askSecond } from '#features/warning/second/second.contract.ts';
import { SecondField } from '#features/warning/second/SecondField.tsx';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import classes from '#features/warning/warning.module.css';

/** The form of the second person: agrees to a request, or returns it (`back`). */
function AnswerDrawer({ detail, full, onClose, id, back = false }: StepProps & { back?: boolean }) {
  const { warningcode, version } = detail;
  const request = full.requests.find((item) => item.requestid === id);
  const form = useActionForm(answerSecondRequest, {
    initial: { warningcode, version, requestid: id, agreed: back ? 0 : 1 },
    onDone: ({ isdone, reasons }) => {
      if (back) notify.done('已退回，申请人会收到您的意见');
      else if (isdone === 1) notify.done('已同意并办理');
      else notify.warn(`条件已不满足，没有办理，已退回申请人：${reasons.join('；')}`);
      onClose();
    },
    successMessage: '',
  });
  return (
    <FormDrawer
      title={`${back ? '退回' : '同意'}：${request?.title ?? '复核'}`}
      onClose={onClose}
      form={form}
      save={back ? '退回' : '同意并办理'}
      width={560}
    >
      <p className={classes['answer']}>{request?.summary}</p>
      <LongTextField {...form.field('content')} label={back ? '退回的原因' : '复核意见'} required maxLength={2000} />
      <p className={classes['script']}>
        {back
          ? '申请人会收到您写的原因，可以补充后重新申请。'
          : '您以第二人身份独立核对，意见不少于 10 个字。同意后立即按现在的规则办理；条件已不满足时会说明并退回申请人。'}
      </p>
    </FormDrawer>
  );
}
export const AgreeSecondDrawer = (props: StepProps) => <AnswerDrawer {...props} />;
export const ReturnSecondDrawer = (props: StepProps) => <AnswerDrawer {...props} back />;

/** The form that asks a second person to confirm what is recorded already. */
export function AskSecondDrawer({ detail, onClose, subject }: StepProps) {
  const { warningcode, version } = detail;
  const form = useActionForm(askSecond, {
    initial: { warningcode, version, seconds: [], ...(subject ? { subject } : {}) },
    onDone: onClose,
    successMessage: '已提交复核',
  });
  return (
    <FormDrawer title="申请复核" onClose={onClose} form={form} save="提交复核">
      <SecondField
        {...form.field('seconds')}
        warningcode={warningcode}
        subject={subject ?? 'exempt'}
        onPick={(userids) => form.set('seconds', userids)}
      />
    </FormDrawer>
  );
}

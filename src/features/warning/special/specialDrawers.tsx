import { TextInput } from '@mantine/core';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { EXEMPT_GROUNDS, type ExemptGround } from '#domain/warning/decision/exemption.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { EnumRadio, LongTextField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { exemptGuardian } from '#features/warning/handling/handling.contract.ts';
import {
  correctDeath,
  dischargeWarning,
  finishDuty,
  receiveWarning,
  reportDeath,
} from '#features/warning/special/special.contract.ts';
import { isBySecond } from '#features/warning/second/isBySecond.ts';
import { SecondField } from '#features/warning/second/SecondField.tsx';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import classes from '#features/warning/warning.module.css';

/** The grounds that fit the person. */
const groundsFor = (minor: boolean, level: number) =>
  (Object.entries(EXEMPT_GROUNDS) as unknown as [string, (typeof EXEMPT_GROUNDS)[ExemptGround]][])
    .map(([ground, { title }]) => ({ value: Number(ground) as ExemptGround, label: title }))
    .filter(({ value }) => (value === 6 ? !minor && level <= 3 : value === 5 ? minor : true));

/** The form that records why the guardian is not told, and who is told instead. */
export function ExemptDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const level = detail.level ?? 1;
  const needsSecond = full.peaklevel >= 3;
  const form = useActionForm(exemptGuardian, {
    initial: { warningcode, version, seconds: [] },
    onDone: onClose,
    successMessage: needsSecond ? '已登记，已提交复核' : '已登记',
  });
  const ground = EXEMPT_GROUNDS[Number(form.values.ground) as ExemptGround] as (typeof EXEMPT_GROUNDS)[ExemptGround] | undefined;
  return (
    <FormDrawer title="登记不告知监护人的理由" onClose={onClose} form={form} width={560}>
      <EnumRadio {...form.field('ground')} of={{ options: groundsFor(full.minor, level) }} />
      {ground?.abuse && (
        <p className={classes['answer']}>{'疑似侵害未成年人的，须立即向公安机关报告。保存后会生成强制报告的期限。'}</p>
      )}
      {ground?.hours && <p className={classes['script']}>{`这是临时理由：${ground.hours}小时后失效，需要重新决定。`}</p>}
      <LongTextField {...form.field('reason')} maxLength={2000} />
      <TextInput {...form.field('alternate')} placeholder={`例如 ${ground?.alternate ?? '其他近亲属'}：姓名、身份、时间`} />
      <p className={classes['script']}>
        {'“本人要求保密”不能作为理由。' + (needsSecond ? '这一等级须由另一名工作人员复核后才有效。' : '')}
      </p>
      {needsSecond && (
        <SecondField
          {...form.field('seconds')}
          warningcode={warningcode}
          subject="exempt"
          onPick={(userids) => form.set('seconds', userids)}
        />
      )}
    </FormDrawer>
  );
}

/** The form that records the receiver's receipt. */
export function ReceiveDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const form = useActionForm(receiveWarning, {
    initial: { warningcode, version },
    onDone: onClose,
    successMessage: '已登记回执，可以按“转出/移交”结案',
  });
  return (
    <FormDrawer title="登记移交回执" onClose={onClose} form={form}>
      {full.transfer && <p className={classes['script']}>{`移交给：${full.transfer.to}`}</p>}
      <LongTextField {...form.field('content')} maxLength={2000} />
    </FormDrawer>
  );
}

/** The form that records a discharge from hospital. */
export function DischargeDrawer({ detail, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const form = useActionForm(dischargeWarning, {
    initial: { warningcode, version },
    onDone: onClose,
    successMessage: '已登记出院，出院后的联系已列入期限',
  });
  return (
    <FormDrawer title="登记出院" onClose={onClose} form={form} width={560}>
      <p className={classes['script']}>
        {
          '出院后的第一周最需要陪伴：自伤或自杀后住院的，或曾达到“危机”级的，24 小时内和 72 小时内各联系一次；其他 72 小时内联系。'
        }
      </p>
      <TextInput {...form.field('hospital')} />
      <MomentField {...form.field('time')} max={shanghaiDate(new Date())} placeholder="不填为现在" />
      <SwitchField {...form.field('afterattempt')} label="" words="因自杀或自伤住院" />
      <LongTextField {...form.field('content')} maxLength={2000} />
    </FormDrawer>
  );
}

/** The form that records who was told about a duty, when, and with which receipt. */
export function DutyRecordDrawer({ detail, full, onClose, id }: StepProps) {
  const { warningcode, version } = detail;
  const duty = full.duties.find((item) => item.dutyid === id);
  const form = useActionForm(finishDuty, {
    initial: { warningcode, version, dutyid: id },
    onDone: onClose,
    successMessage: '已登记',
  });
  return (
    <FormDrawer title={duty?.title ?? '登记专项职责'} onClose={onClose} form={form} width={560}>
      {duty?.kind === 'danger' ? (
        <>
          <p className={classes['script']}>{'危险解除前，身边须一直有人。陪伴人的姓名和身份至少填一项。'}</p>
          <TextInput {...form.field('companion')} />
          <TextInput {...form.field('companionrole')} placeholder="例如 父亲、班主任、值班护士" />
          <MomentField {...form.field('companionfrom')} max={shanghaiDate(new Date())} placeholder="不填为现在" />
          <MomentField {...form.field('companionuntil')} max={shanghaiDate(new Date())} placeholder="不填为仍在陪伴" />
        </>
      ) : (
        <>
          <TextInput {...form.field('unit')} required />
          <MomentField {...form.field('time')} max={shanghaiDate(new Date())} placeholder="不填为现在" />
          <TextInput {...form.field('receipt')} />
        </>
      )}
      <LongTextField {...form.field('content')} maxLength={2000} />
    </FormDrawer>
  );
}

/** The form that reports a death. */
export function DeathDrawer({ detail, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const form = useActionForm(reportDeath, {
    initial: { warningcode, version },
    onDone: onClose,
    successMessage: '已登记，善后清单已生成',
  });
  return (
    <FormDrawer title="登记死亡" onClose={onClose} form={form} save="登记">
      <p className={classes['script']}>
        {'登记后立即从任务、班级和提醒中移出，不再发送任何消息，并生成善后清单。须由另一名工作人员核实后结案。登记有误可以更正。'}
      </p>
      <LongTextField {...form.field('source')} maxLength={500} />
    </FormDrawer>
  );
}

/** The form that corrects a death reported by mistake. */
export function CorrectDeathDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const needsSecond = isBySecond(full, 'correctdeath');
  const form = useActionForm(correctDeath, {
    initial: { warningcode, version, seconds: [] },
    onDone: onClose,
    successMessage: needsSecond ? '已提交复核' : '已更正',
  });
  return (
    <FormDrawer title="更正死亡登记" onClose={onClose} form={form} save={needsSecond ? '提交复核' : '更正'}>
      <p className={classes['script']}>{'须由另一名工作人员复核。更正后个案按新情况重新开始计时。'}</p>
      <LongTextField {...form.field('reason')} maxLength={2000} />
      {needsSecond && (
        <SecondField
          {...form.field('seconds')}
          warningcode={warningcode}
          subject="death"
          onPick={(userids) => form.set('seconds', userids)}
        />
      )}
    </FormDrawer>
  );
}

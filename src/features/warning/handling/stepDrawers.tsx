import { gravePhrase } from '#domain/warning/levels.ts';
import { ContactResult } from '#domain/base/enums.ts';
import { EnumRadio, LongTextField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { call } from '#ui/api/call.ts';
import { notify } from '#ui/feedback/notify.ts';
import { notifyWithUndo } from '#ui/feedback/undo.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getWarningStaffList } from '#features/warning/duty/duty.contract.ts';
import {
  assignWarning,
  contactChannels,
  insertWarningLog,
  logActions,
  startIntervene,
  verifyWarning,
} from '#features/warning/handling/handling.contract.ts';
import { isBySecond } from '#features/warning/second/isBySecond.ts';
import { MentionInput } from '#features/warning/note/MentionInput.tsx';
import { SecondField } from '#features/warning/second/SecondField.tsx';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import { SCRIPTS } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

const CHANNELS = Object.entries(contactChannels).map(([value, label]) => ({ value, label }));

/** The form that chooses another owner. */
export function AssignDrawer({ detail, onClose }: StepProps) {
  const { warningcode, version, owneruserid, pending } = detail;
  const staff = useActionQuery(getWarningStaffList, { warningcode });
  const form = useActionForm(assignWarning, {
    initial: { warningcode, version, ...(owneruserid ? { owneruserid } : {}) },
    onDone: () => {
      onClose();
      // An acceptance does not come back with its owner.
      if (owneruserid && pending === 1)
        notifyWithUndo('已分派', () => call(assignWarning, { warningcode, owneruserid, content: '撤销分派' }));
      else notify.done('已分派');
    },
    successMessage: '',
  });
  const options = (staff.data ?? []).map((item) => ({
    value: item.userid,
    label: `${item.realname}${item.onduty ? ' · 值班' : ''} · 在办 ${item.opencases}`,
  }));
  return (
    <FormDrawer title="分派责任人" onClose={onClose} form={form} save="分派">
      <SelectField {...form.field('owneruserid')} options={options} />
      <LongTextField {...form.field('content')} />
    </FormDrawer>
  );
}

/** The form that records the contact with the person, or excludes the case (`falseAlarm`). */
export function VerifyDrawer({ detail, full, onClose, mistaken: falseAlarm = false }: StepProps & { mistaken?: boolean }) {
  const { warningcode, version } = detail;
  const needsSecond = falseAlarm && isBySecond(full, 'exclude');
  const form = useActionForm(verifyWarning, {
    initial: {
      warningcode,
      version,
      falsealarm: falseAlarm ? 1 : 0,
      ...(falseAlarm ? { contactresult: '02' as const, seconds: [] } : {}),
    },
    onDone: onClose,
    successMessage: needsSecond ? '已提交复核' : falseAlarm ? '已排除' : '已记录核实结果',
  });
  return (
    <FormDrawer
      title={falseAlarm ? '排除/误报' : '核实'}
      onClose={onClose}
      form={form}
      save={needsSecond ? '提交复核' : falseAlarm ? '排除' : '提交核实结果'}
    >
      {!falseAlarm && <p className={classes['script']}>{detail.source === '01' ? SCRIPTS.verify : SCRIPTS.verifyReport}</p>}
      {falseAlarm ? (
        <p className={classes['script']}>
          {'排除后个案结束。须已联系到本人，说明不少于 10 个字；' + gravePhrase(full.sector) + '须由另一名工作人员复核。'}
        </p>
      ) : (
        <EnumRadio {...form.field('contactresult')} of={ContactResult} />
      )}
      <LongTextField {...form.field('content')} maxLength={2000} />
      {needsSecond && (
        <SecondField
          {...form.field('seconds')}
          warningcode={warningcode}
          subject="exclude"
          onPick={(userids) => form.set('seconds', userids)}
        />
      )}
      {form.values.contactresult === '03' && (
        <>
          <SelectField {...form.field('channel')} options={CHANNELS} />
          <p className={classes['script']}>
            {(detail.level ?? 0) >= 3
              ? '保存后立即通知上级与值班人员，并给出紧急联系卡。尽快换一种方式联系；必要时拨打 110 上门查看。'
              : '将记为一次联系尝试。失访结案需要 3 个不同日期、2 种方式的联系记录。'}
          </p>
        </>
      )}
    </FormDrawer>
  );
}

/** The form that starts the intervention. It says whether the safety plan is complete. */
export function InterveneDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const plan = full.safetyplan;
  const form = useActionForm(startIntervene, {
    initial: { warningcode, version },
    onDone: onClose,
    successMessage: '已进入干预',
  });
  return (
    <FormDrawer title="开始干预" onClose={onClose} form={form} save="开始干预">
      <p className={classes['script']}>
        {plan?.iscomplete === 1
          ? `安全计划第 ${plan.version} 版已写好（${plan.time.slice(0, 10)}）。请确认本人手里有一份。`
          : plan
            ? `安全计划还没有写全，尚缺：${plan.gaps.join('、')}。可在个案页的“安全计划”中补全。`
            : '还没有安全计划。请在个案页的“安全计划”中和本人一起填写。'}
      </p>
    </FormDrawer>
  );
}

/** The form that adds a log line. */
export function LogDrawer({ detail, onClose }: StepProps) {
  const form = useActionForm(insertWarningLog, {
    initial: { warningcode: detail.warningcode, action: '备注' },
    onDone: onClose,
    successMessage: '已记录',
  });
  return (
    <FormDrawer title="添加记录" onClose={onClose} form={form}>
      <EnumRadio {...form.field('action')} of={{ options: logActions.map((value) => ({ value, label: value })) }} />
      {form.values.action === '联系尝试' && <SelectField {...form.field('channel')} options={CHANNELS} />}
      <MentionInput long label="内容" form={form} placeholder="发生了什么，接下来怎么办" />
    </FormDrawer>
  );
}

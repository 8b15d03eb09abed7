import { useUser } from '#ui/api/session.ts';
import { levelOptions } from '#domain/warning/levels.ts';
import { Checkbox, TextInput } from '@mantine/core';
import { findSigns, REPORT_SIGNS, type ReportSign } from '#domain/warning/clock/caseduty.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EnumRadio, LongTextField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { PersonField } from '#blocks/person/PersonField.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getColleagueList } from '#features/warning/special/special.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import classes from './warning.module.css';

/** 人工上报: staff report an observation, without a questionnaire. */
export function ReportDrawer({ onClose, onDone }: { onClose: () => void; onDone: (warningcode: string) => void }) {
  const { sector } = useUser();
  const form = useActionForm(insertWarning, {
    initial: { level: 2 },
    successMessage: '已上报，值班人员已收到通知',
    onDone: ({ warningcode }) => {
      onClose();
      onDone(warningcode);
    },
  });
  const staff = useActionQuery(getColleagueList, {});
  const colleagues = (staff.data ?? []).map(({ userid, realname, post }) => ({
    value: userid,
    label: post ? `${realname}（${post}）` : realname,
  }));
  const isAbuse = findSigns(form.values.content ?? '', form.values.signs ?? []).includes('abuse');
  return (
    <FormDrawer title="人工上报" onClose={onClose} form={form} save="上报">
      <PersonField {...form.field('cuserid')} onPick={(cuserid) => form.set('cuserid', cuserid)} />
      <EnumRadio {...form.field('level')} of={{ options: levelOptions(sector) }} />
      <LongTextField {...form.field('content')} maxLength={2000} />
      <Checkbox.Group
        label="紧急情形（可多选）"
        value={[...(form.values.signs ?? [])]}
        onChange={(next) => form.set('signs', next as ReportSign[])}
      >
        <div style={{ display: 'grid', gap: 8, paddingTop: 6 }}>
          {Object.entries(REPORT_SIGNS).map(([value, label]) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </div>
      </Checkbox.Group>
      {isAbuse && (
        <>
          <SelectField {...form.field('suspectuserid')} options={colleagues} />
          <TextInput {...form.field('suspectname')} placeholder="不是本机构人员时填写；不确定可以不填" />
          <p className={classes['answer']}>
            {
              '疑似侵害未成年人的，须立即向公安机关报告，不需要审批。疑似侵害人不会收到任何通知，也看不到这个个案；请不要让其知道本次上报。'
            }
          </p>
        </>
      )}
      <p className={classes['script']}>{'如有现实危险：不要让当事人独处，立即联系值班人员，必要时拨打 120 / 110，再补登记。'}</p>
    </FormDrawer>
  );
}

import { TextInput } from '@mantine/core';
import { shanghaiDate } from '#domain/base/calendar.ts';
import type { Level } from '#domain/scoring/scale.ts';
import { RETURN_STATES, findReturnFaults, type ReturnFacts } from '#domain/warning/returnassess.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import { EnumRadio, LongTextField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { RetestDrawer } from '#blocks/person/RetestDrawer.tsx';
import { UploadField } from '#blocks/file/UploadField.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import {
  attachCaseFile,
  caseFileKinds,
  insertReturnAssess,
  returnConclusions,
} from '#features/warning/files/casefile.contract.ts';
import { Checklist } from '#features/warning/handling/Checklist.tsx';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import { instant, returnWord } from '#features/warning/case.labels.ts';

const options = <T extends Readonly<Record<string, string>>>(of: T) =>
  Object.entries(of)
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));

export function AttachDrawer({ detail, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const form = useActionForm(attachCaseFile, {
    initial: { warningcode, version, fileids: [] },
    onDone: onClose,
    successMessage: '已上传',
  });
  return (
    <FormDrawer title="上传附件" onClose={onClose} form={form}>
      <SelectField {...form.field('kind')} options={options(caseFileKinds)} />
      <UploadField {...form.field('fileids')} use="case" onPick={(fileids) => form.set('fileids', fileids)} />
    </FormDrawer>
  );
}

export const CaseRetestDrawer = ({ detail, full, onClose }: StepProps) => (
  <RetestDrawer person={detail} warningcode={detail.warningcode} plancode={full.plancode} onClose={onClose} />
);

/** 复学评估. What still stands in the way of coming back is said while it is filled in. */
export function ReturnDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const today = shanghaiDate(new Date());
  const word = returnWord(full.sector);
  const form = useActionForm(insertReturnAssess, {
    initial: {
      warningcode,
      version,
      assessdate: today,
      hospital: full.referrals[0]?.tohospital ?? '',
      fileids: [],
      guardianagreed: 0,
    },
    onDone: onClose,
    successMessage: `已登记${word}评估`,
  });
  const { values } = form;
  const last = full.assesses[0];
  const comes = values.conclusion === '01' || values.conclusion === '02';
  const missing = new Set(
    findReturnFaults(
      // Only what the rule asks of a case; the server judges by everything there is.
      {
        state: detail.state as ReturnFacts['state'],
        minor: full.minor,
        createtime: new Date(0),
        raisedtime: null,
        reopentime: null,
        riskassess: last ? [{ time: new Date(instant(last.time) ?? 0), conclusionlevel: last.conclusionlevel as Level }] : [],
      } satisfies ReturnFacts,
      {
        conclusion: values.conclusion ?? '03',
        conditions: values.conditions ?? '',
        guardianagreed: values.guardianagreed === 1,
        returndate: values.returndate ?? '',
        papers: values.fileids?.length ?? 0,
      },
      new Date(),
    ),
  );
  return (
    <FormDrawer title={`${word}评估`} onClose={onClose} form={form} save="提交评估" width={600}>
      <DayField {...form.field('assessdate')} max={today} />
      <TextInput {...form.field('hospital')} />
      <UploadField {...form.field('fileids')} required use="case" onPick={(fileids) => form.set('fileids', fileids)} />
      <EnumRadio
        {...form.field('conclusion')}
        of={{ options: options(returnConclusions).map((option) => ({ ...option, label: option.label.replace('复学', word) })) }}
      />
      {values.conclusion === '02' && <LongTextField {...form.field('conditions')} required maxLength={1000} />}
      {comes && (
        <>
          <DayField {...form.field('returndate')} required />
          {full.minor && <SwitchField {...form.field('guardianagreed')} words="监护人已同意本次安排" />}
        </>
      )}
      <LongTextField {...form.field('supportplan')} maxLength={2000} />
      {values.conclusion !== undefined && (
        <Checklist
          label={`${word}条件`}
          lines={
            missing.size === 0
              ? [{ key: 'all', title: '条件已满足', met: true, detail: '' }]
              : [...missing].map((title) => ({ key: title, title, met: false, detail: '' }))
          }
        />
      )}
    </FormDrawer>
  );
}
export const mayReturn = (state: string): boolean => RETURN_STATES.includes(state);

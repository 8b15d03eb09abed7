import { TextInput } from '@mantine/core';
import { shanghaiDate } from '#domain/base/calendar.ts';
import type { Level } from '#domain/scoring/scale.ts';
import { RETURN_STATES, findReturnFaults, type ReturnFacts } from '#domain/warning/decision/returnassess.ts';
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
import { toInstant, returnLabel } from '#features/warning/case.labels.ts';

const toOptions = <T extends Readonly<Record<string, string>>>(labels: T) =>
  Object.entries(labels)
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));

/** The form that attaches files. */
export function AttachDrawer({ detail, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const form = useActionForm(attachCaseFile, {
    initial: { warningcode, version, fileids: [] },
    onDone: onClose,
    successMessage: '已上传',
  });
  return (
    <FormDrawer title="上传附件" onClose={onClose} form={form}>
      <SelectField {...form.field('kind')} options={toOptions(caseFileKinds)} />
      <UploadField {...form.field('fileids')} use="case" onPick={(fileids) => form.set('fileids', fileids)} />
    </FormDrawer>
  );
}

/** The form that plans a re-test for the person of the case. */
export const CaseRetestDrawer = ({ detail, full, onClose }: StepProps) => (
  <RetestDrawer person={detail} warningcode={detail.warningcode} plancode={full.plancode} onClose={onClose} />
);

/** The form of 复学评估. It lists the unmet conditions while the user fills it in. */
export function ReturnDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const today = shanghaiDate(new Date());
  const label = returnLabel(full.sector);
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
    successMessage: `已登记${label}评估`,
  });
  const { values } = form;
  const lastAssess = full.assesses[0];
  const isReturning = values.conclusion === '01' || values.conclusion === '02';
  const missing = new Set(
    findReturnFaults(
      // The form knows only these facts of the case. The server checks with all of them.
      {
        state: detail.state as ReturnFacts['state'],
        minor: full.minor,
        sector: full.sector as ReturnFacts['sector'],
        newstime: new Date(toInstant(full.newstime) ?? 0),
        newsno: 0,
        riskassess: lastAssess
          ? [
              {
                time: new Date(toInstant(lastAssess.time) ?? 0),
                newsno: 0,
                conclusionlevel: lastAssess.effectivelevel as Level,
                finished: lastAssess.isfinished === 1,
                islow: false,
                asqnegative: false,
              },
            ]
          : [],
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
    <FormDrawer title={`${label}评估`} onClose={onClose} form={form} save="提交评估" width={600}>
      <DayField {...form.field('assessdate')} max={today} />
      <TextInput {...form.field('hospital')} />
      <UploadField {...form.field('fileids')} required use="case" onPick={(fileids) => form.set('fileids', fileids)} />
      <EnumRadio
        {...form.field('conclusion')}
        of={{
          options: toOptions(returnConclusions).map((option) => ({ ...option, label: option.label.replace('复学', label) })),
        }}
      />
      {values.conclusion === '02' && <LongTextField {...form.field('conditions')} required maxLength={1000} />}
      {isReturning && (
        <>
          <DayField {...form.field('returndate')} required />
          {full.minor && <SwitchField {...form.field('guardianagreed')} words="监护人已同意本次安排" />}
        </>
      )}
      <LongTextField {...form.field('supportplan')} maxLength={2000} />
      {values.conclusion !== undefined && (
        <Checklist
          label={`${label}条件`}
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
/** Says whether a case in this state can have a return assessment. */
export const canReturn = (state: string): boolean => RETURN_STATES.includes(state);

import { Alert, Select, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import { LongTextField, NumberField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { SortableFormList } from '#blocks/questionnaire/SortableFormList.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { notify } from '#ui/feedback/notify.ts';
import { useActionForm, type ActionForm } from '#ui/form/useActionForm.ts';
import { getFormPageList, type FormRow } from '#features/form/form.contract.ts';
import { getMUserExamPlanPage, insertMUserExamPlan, updateMUserExamPlan, type PlanRow } from '#features/plan/plan.contract.ts';

const populations = Appid.options.filter((option) => option.value !== Appid.custom);

/**
 * Creates a plan, copies one or changes one. A change of the questionnaires of a used plan creates a new plan, and the drawer says so.
 */
export function PlanDrawer({ row, isCopy, onClose }: { row: PlanRow | undefined; isCopy: boolean; onClose: () => void }) {
  return row && !isCopy ? <Edit row={row} onClose={onClose} /> : <Create row={row} onClose={onClose} />;
}

const toContent = (row: PlanRow) => ({
  forms: row.forms.map(({ formcode, required, stagecode }) => ({ formcode, required, stagecode })),
  stagecodes: row.stages.map((stage) => stage.stagecode),
  reportmode: row.reportmode as '01',
  ...(row.retestdays ? { retestdays: row.retestdays } : {}),
  ...(row.introduce ? { introduce: row.introduce } : {}),
});

function Create({ row, onClose }: { row: PlanRow | undefined; onClose: () => void }) {
  const form = useActionForm(insertMUserExamPlan, {
    initial: row
      ? { appid: row.appid, planname: `${row.planname.slice(0, 46)}（副本）`, copyfrom: row.plancode, ...toContent(row) }
      : { appid: Appid.students, planname: '', forms: [], reportmode: '01' },
    invalidates: [getMUserExamPlanPage],
    future: ['validend'],
    onDone: onClose,
  });
  const appid = form.values.appid ?? Appid.students;
  return (
    <FormDrawer title={row ? '复制方案' : '新建方案'} onClose={onClose} form={form} width={560}>
      <SelectField {...form.field('appid')} options={populations} />
      <Fields form={form} appid={appid} />
    </FormDrawer>
  );
}

function Edit({ row, onClose }: { row: PlanRow; onClose: () => void }) {
  const form = useActionForm(updateMUserExamPlan, {
    initial: {
      plancode: row.plancode,
      version: row.version,
      planname: row.planname,
      ...toContent(row),
      ...(row.validbegin ? { validbegin: row.validbegin } : {}),
      ...(row.validend ? { validend: row.validend } : {}),
    },
    invalidates: [getMUserExamPlanPage],
    future: ['validend'],
    successMessage: '',
    onDone: ({ copied }) => {
      notify.done(copied ? '原方案已被使用：已生成新方案，原方案停用' : '保存成功');
      onClose();
    },
  });
  return (
    <FormDrawer title="修改方案" onClose={onClose} form={form} width={560}>
      {row.locked && <Alert color="yellow">该方案已被使用。修改量表会生成新方案并停用原方案，进行中的任务不受影响。</Alert>}
      <Fields form={form} appid={row.appid} />
    </FormDrawer>
  );
}

/** The fields that a new plan and a changed plan share. */
function Fields({
  form,
  appid,
}: {
  form: ActionForm<typeof insertMUserExamPlan> | ActionForm<typeof updateMUserExamPlan>;
  appid: string;
}) {
  // The server asks for the acknowledgement only when a form needs it. Then the field stays, also while the user writes.
  const hasRefused = form.error('acknowledgement') !== undefined;
  const [isAsked, setIsAsked] = useState(false);
  if (hasRefused && !isAsked) setIsAsked(true);
  return (
    <>
      <TextInput {...form.field('planname')} />
      <FormsField
        appid={appid}
        value={form.values.forms ?? []}
        error={form.error('forms')}
        onChange={(forms) => form.set('forms', forms)}
      />
      {isAsked && <LongTextField {...form.field('acknowledgement')} required maxLength={200} />}
      <SelectField
        {...form.field('reportmode')}
        options={[
          { value: '01', label: '测评报告' },
          { value: '02', label: appid === Appid.maternity ? '孕产妇1.0（两页）' : 'AI个体报告' },
          { value: '03', label: '自定义报告' },
        ]}
      />
      <NumberField {...form.field('retestdays')} min={1} max={366} suffix=" 天" />
      <LongTextField {...form.field('introduce')} maxLength={500} />
      <DayField {...form.field('validbegin')} />
      <DayField {...form.field('validend')} />
    </>
  );
}

interface PlanForm {
  formcode: string;
  required?: number | undefined;
  stagecode?: string | undefined;
}

const summarize = (form: FormRow | undefined) =>
  form ? `${form.itemcount} 题 · ${form.minutes} 分钟${form.usable ? '' : ` · ${form.blockers[0] ?? '暂不能使用'}`}` : '';

/** The questionnaires of a plan in the order of the exam. */
function FormsField({
  appid,
  value,
  error,
  onChange,
}: {
  appid: string;
  value: readonly PlanForm[];
  error: ReactNode;
  onChange: (forms: PlanForm[]) => void;
}) {
  const formsQuery = useActionQuery(getFormPageList, { appid, page: 1, pageSize: 200 });
  const rows = (formsQuery.data?.rows ?? []).filter((form) => form.formtype === '01' && !form.staffonly && form.enabled);
  const byCode = new Map((formsQuery.data?.rows ?? []).map((form) => [form.formcode, form]));
  return (
    <Stack gap="xs">
      <Select
        label="量表"
        required
        searchable
        value={null}
        data-path="forms"
        error={error}
        placeholder={formsQuery.isPending ? '正在加载…' : '选择要加入的量表'}
        data={rows
          .filter((form) => !value.some((item) => item.formcode === form.formcode))
          .map((form) => ({ value: form.formcode, label: `${form.formname}（${summarize(form)}）`, disabled: !form.usable }))}
        onChange={(formcode) => formcode && onChange([...value, { formcode, required: 1, stagecode: '' }])}
      />
      <SortableFormList
        lines={value}
        onChange={onChange}
        nameOf={({ formcode }) => byCode.get(formcode)?.formname ?? formcode}
        hintOf={({ formcode }) => summarize(byCode.get(formcode))}
        keyOf={({ formcode, stagecode }) => `${formcode} ${stagecode}`}
      />
    </Stack>
  );
}

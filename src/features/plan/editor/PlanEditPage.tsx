import { Alert, Button, Group, MultiSelect, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { pathOf } from '#contract/menu.ts';
import { Appid } from '#domain/base/enums.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import { Section } from '#ui/display/Section.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { LongTextField, NumberField, numberOf, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { ConflictNotice } from '#ui/form/FormDrawer.tsx';
import { useActionForm, type ActionForm } from '#ui/form/useActionForm.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { can, useUser } from '#ui/api/session.ts';
import { useNavigate, useSearchParams } from '#ui/router/router.tsx';
import { getExamStageList, type StageRow } from '#features/app/app.contract.ts';
import { getFormPageList } from '#features/form/form.contract.ts';
import { getPlanVersionList } from '#features/plan/lineage/lineage.contract.ts';
import { getMUserExamPlanPage, insertMUserExamPlan, updateMUserExamPlan, type PlanRow } from '#features/plan/plan.contract.ts';
import { getWarningRuleList } from '#features/warning/rules/rule.contract.ts';
import { FormsSection } from '#features/plan/editor/FormsSection.tsx';
import { contentKey, planEditPath, populations, reportModes, toContent } from '#features/plan/editor/planDraft.ts';
import { BackToList, PlanRules, PlanVersions, Totals } from '#features/plan/editor/PlanSide.tsx';
import { TemplateField } from '#features/plan/editor/TemplateField.tsx';
import { VersionQuestion } from '#features/plan/editor/VersionQuestion.tsx';
import classes from '#features/plan/editor/editor.module.css';

const listPath = pathOf('plans.library');

/** 编辑方案: a new plan, a copy, or a change. A change of a used plan makes the next version. */
export default function PlanEditPage() {
  const [params] = useSearchParams();
  const plancode = params.get('plancode') ?? params.get('copy') ?? undefined;
  const read = useActionQuery(getMUserExamPlanPage, plancode ? { plancode, page: 1, pageSize: 1 } : undefined, { quiet: true });
  if (!can(insertMUserExamPlan))
    return (
      <Section title="编辑方案">
        <EmptyState title="没有编辑方案的权限" hint="请联系机构管理员" />
      </Section>
    );
  if (!plancode) return <CreatePlan row={undefined} />;
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {({ rows: [row] }) =>
        !row ? (
          <Section title="编辑方案" right={<BackToList to={listPath} />}>
            <EmptyState title="没有找到方案" hint="方案可能已删除，或不在您的可见范围" />
          </Section>
        ) : params.has('copy') ? (
          <CreatePlan key={row.plancode} row={row} />
        ) : (
          <EditPlan key={row.plancode} row={row} />
        )
      }
    </Loaded>
  );
}

type PlanForm = ActionForm<typeof insertMUserExamPlan> | ActionForm<typeof updateMUserExamPlan>;

/** The codes of the forms that a refusal is about. */
const useFaults = () => {
  const [faults, setFaults] = useState<readonly string[]>([]);
  const describeFault = ({ data }: { data?: unknown }) => {
    const forms = (data as { forms?: { formcode?: string }[] } | undefined)?.forms ?? [];
    setFaults(forms.flatMap(({ formcode }) => (formcode ? [formcode] : [])));
    return undefined;
  };
  return { faults, describeFault, clear: () => setFaults([]) };
};

function CreatePlan({ row }: { row: PlanRow | undefined }) {
  const user = useUser();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const formcode = params.get('formcode');
  const { faults, describeFault, clear } = useFaults();
  const form = useActionForm(insertMUserExamPlan, {
    initial: row
      ? { appid: row.appid, planname: `${row.planname.slice(0, 46)}（副本）`, copyfrom: row.plancode, ...toContent(row) }
      : {
          appid: user.appid && user.appid !== Appid.custom ? user.appid : Appid.students,
          planname: '',
          forms: formcode ? [{ formcode }] : [],
          stagecodes: [],
          reportmode: '01',
          price: 0,
        },
    invalidates: [getMUserExamPlanPage],
    future: ['validend'],
    describeFault,
    onDone: () => navigate(listPath),
  });
  return (
    <Editor
      title={row ? `复制“${row.planname}”` : '新建方案'}
      form={form}
      appid={form.values.appid ?? Appid.students}
      row={undefined}
      faults={faults}
      onEdit={clear}
      onSave={() => form.submit()}
    />
  );
}

function EditPlan({ row }: { row: PlanRow }) {
  const navigate = useNavigate();
  const { faults, describeFault, clear } = useFaults();
  const [isAsking, setIsAsking] = useState(false);
  const uses = useActionQuery(getPlanVersionList, { plancode: row.plancode });
  const form = useActionForm(updateMUserExamPlan, {
    initial: {
      plancode: row.plancode,
      version: row.version,
      planname: row.planname,
      iscommon: row.iscommon as 0,
      ...toContent(row),
      ...(row.validbegin ? { validbegin: row.validbegin } : {}),
      ...(row.validend ? { validend: row.validend } : {}),
    },
    invalidates: [getMUserExamPlanPage, getPlanVersionList, getWarningRuleList],
    future: ['validend'],
    describeFault,
    successMessage: '',
    onDone: ({ copied, plancode }) => {
      notify.done(copied ? '已保存为新版本' : '保存成功');
      navigate(copied ? planEditPath({ plancode }) : listPath);
    },
  });
  if (!row.own || row.supersededby)
    return (
      <Section title={row.planname} right={<BackToList to={listPath} />}>
        <EmptyState
          title={row.supersededby ? '这个版本已有新版本' : '公共方案只能由所属机构修改'}
          hint={row.supersededby ? '请从方案库打开最新版本' : '可以复制后再改'}
        >
          <Button size="xs" onClick={() => navigate(planEditPath({ copy: row.plancode }))}>
            复制方案
          </Button>
        </EmptyState>
      </Section>
    );
  const isNewVersion = row.locked && contentKey(form.values) !== contentKey(toContent(row));
  return (
    <>
      <Editor
        title={row.planname}
        form={form}
        appid={row.appid}
        row={row}
        faults={faults}
        onEdit={clear}
        onSave={() => (isNewVersion ? setIsAsking(true) : form.submit())}
      />
      {isAsking && (
        <VersionQuestion
          lineageno={row.lineageno + 1}
          movable={uses.data?.movable ?? 0}
          tasks={uses.data?.tasks ?? 0}
          onClose={() => setIsAsking(false)}
          onSave={(movegrants) => {
            setIsAsking(false);
            form.set('movegrants', movegrants);
            form.submit();
          }}
        />
      )}
    </>
  );
}

function Editor({
  title,
  form,
  appid,
  row,
  faults,
  onEdit,
  onSave,
}: {
  title: string;
  form: PlanForm;
  appid: string;
  /** the stored plan; undefined for a new one */
  row: PlanRow | undefined;
  faults: readonly string[];
  onEdit: () => void;
  onSave: () => void;
}) {
  const navigate = useNavigate();
  const library = useActionQuery(getFormPageList, { appid, page: 1, pageSize: 200 });
  const stageList = useActionQuery(getExamStageList, { appid, enabled: 1 });
  const rows = (stageList.data ?? []) as StageRow[];
  const stageOptions = rows.map(({ stagecode, stagename }) => ({ value: stagecode, label: stagename }));
  const chosenStages = form.values.stagecodes ?? [];
  const stages = chosenStages.map((code) => ({
    value: code,
    label:
      stageOptions.find((option) => option.value === code)?.label ??
      row?.stages.find((s) => s.stagecode === code)?.stagename ??
      code,
  }));
  const forms = form.values.forms ?? [];
  // The server asks for the acknowledgement only when a form needs it. Then the field stays, also while the user writes.
  const hasRefused = form.error('acknowledgement') !== undefined;
  const [isAsked, setIsAsked] = useState(false);
  if (hasRefused && !isAsked) setIsAsked(true);
  const mode = form.values.reportmode ?? '01';
  return (
    <form
      ref={form.place}
      noValidate
      className={classes['page']}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <div className={classes['main']}>
        <ConflictNotice form={form} />
        <Section title={title} right={<BackToList to={listPath} />}>
          {row?.locked && (
            <Alert color="yellow" mb="md">
              方案已被使用。名称、说明、价格、有效期和公共设置直接修改；量表、阶段、复测间隔和报告的修改会保存为新版本，进行中的任务不受影响。
            </Alert>
          )}
          <div className={classes['fields']}>
            <TextInput {...form.field('planname')} className={classes['wide'] ?? ''} />
            {!row && 'appid' in form.values && (
              <SelectField {...(form as ActionForm<typeof insertMUserExamPlan>).field('appid')} options={populations} />
            )}
            <MultiSelect
              label="阶段"
              data-path="stagecodes"
              placeholder={chosenStages.length ? '' : '不分阶段'}
              description="选了阶段，量表可以只在某个阶段测"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              error={form.error('stagecodes')}
              data={[...stageOptions, ...stages.filter(({ value }) => !stageOptions.some((option) => option.value === value))]}
              value={[...chosenStages]}
              onChange={(codes) => form.set('stagecodes', codes)}
              searchable
              clearable
              className={row ? (classes['wide'] ?? '') : ''}
            />
            <div className={classes['wide']}>
              <LongTextField {...form.field('introduce')} maxLength={500} />
            </div>
          </div>
        </Section>
        <FormsSection
          forms={forms}
          stages={stages}
          library={library.data?.rows ?? []}
          isPending={library.isPending}
          error={form.error('forms')}
          faults={faults}
          onChange={(next) => {
            onEdit();
            form.set('forms', next);
          }}
        />
        {isAsked && (
          <Section title="知情确认">
            <LongTextField {...form.field('acknowledgement')} required maxLength={200} />
          </Section>
        )}
        <Section title="复测和报告">
          <div className={classes['fields']}>
            <NumberField {...form.field('retestdays')} min={1} max={366} suffix=" 天" />
            <SelectField {...form.field('reportmode')} options={reportModes(appid)} clearable={false} />
            {mode === '03' && <TemplateField {...form.field('reporttemplatecode')} />}
          </div>
        </Section>
        <Section title="使用">
          <div className={classes['fields']}>
            <NumberInput
              label="价格（元/人次）"
              data-path="price"
              error={form.error('price')}
              min={0}
              decimalScale={2}
              value={typeof form.values.price === 'number' ? form.values.price / 100 : ''}
              onChange={(value) => {
                const yuan = numberOf(value);
                form.set('price', typeof yuan === 'number' ? Math.round(yuan * 100) : undefined);
              }}
            />
            <DayField {...form.field('validbegin')} />
            <DayField {...form.field('validend')} />
            <SwitchField {...form.field('iscommon')} words="下级机构都可选用" />
          </div>
        </Section>
        <div className={classes['foot']}>
          <Button variant="default" onClick={() => navigate(listPath)}>
            取消
          </Button>
          <Button type="submit" loading={form.busy}>
            保存
          </Button>
        </div>
      </div>
      <aside className={classes['side']} aria-label="方案概况">
        <Totals forms={forms} stages={stages} library={library.data?.rows ?? []} planname={form.values.planname ?? ''} />
        {row && can(getWarningRuleList) && <PlanRules planroot={row.planroot} />}
        {row && <PlanVersions plancode={row.plancode} />}
        {row && (
          <Group justify="flex-end">
            <Button variant="subtle" size="compact-sm" onClick={() => navigate(planEditPath({ copy: row.plancode }))}>
              复制方案
            </Button>
          </Group>
        )}
      </aside>
    </form>
  );
}

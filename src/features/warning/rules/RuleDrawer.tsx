import { levelOptions } from '#domain/warning/levels.ts';
import { useUser } from '#ui/api/session.ts';
import { ActionIcon, Button, NumberInput, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { Appid } from '#domain/base/enums.ts';
import type { Clause, CustomCond } from '#domain/warning/customRule.ts';
import { EnumField, EnumRadio, LongTextField, numberOf, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';
import { RuleTrial } from '#features/warning/rules/RuleTrial.tsx';
import {
  toClause,
  toRuleDraft,
  findDraftFaults,
  findKinds,
  NEW_CLAUSE,
  type RuleDraft,
} from '#features/warning/rules/ruleForm.ts';
import {
  getWarningRuleForms,
  getWarningRuleList,
  insertWarningRule,
  updateWarningRule,
  type RuleRow,
} from '#features/warning/rules/rule.contract.ts';
import classes from './rule.module.css';

type Forms = ResponseOf<typeof getWarningRuleForms>;

/** The form to add or edit a rule of the institution. */
export function RuleDrawer({
  row,
  plancode,
  onClose,
}: {
  row: RuleRow | 'new';
  /** the plan of a new rule */
  plancode?: string | undefined;
  onClose: () => void;
}) {
  const plans = useActionQuery(getMUserExamPlanPage, { page: 1, pageSize: 200 }, { quiet: true });
  const ownPlans = (plans.data?.rows ?? []).filter((plan) => plan.own);
  const forms = useActionQuery(getWarningRuleForms, {});
  const { sector } = useUser();
  const isNew = row === 'new';
  const form = useActionForm(isNew ? insertWarningRule : updateWarningRule, {
    initial: isNew
      ? ({ warninglevel: 2, ...(plancode && { plancode }), cond: { all: [toClause(NEW_CLAUSE)] } } as never)
      : ({
          rulecode: row.rulecode,
          version: row.version,
          name: row.name,
          warninglevel: row.warninglevel,
          appid: row.appid,
          plancode: row.plancode,
          remark: row.remark,
          cond: row.cond,
        } as never),
    invalidates: [getWarningRuleList],
    onDone: onClose,
  });
  const cond = form.values.cond as CustomCond;
  return (
    <FormDrawer title={isNew ? '新增规则' : '修改规则'} onClose={onClose} form={form} width={680}>
      <TextInput {...form.field('name')} placeholder="例如 考前关注" />
      <EnumRadio {...form.field('warninglevel')} of={{ options: levelOptions(sector).slice(0, 3) }} />
      <EnumField {...form.field('appid')} of={Appid} clearable />
      <SelectField
        {...form.field('plancode')}
        placeholder="全部答卷"
        clearable
        options={ownPlans.map(({ planroot, planname }) => ({ value: planroot, label: planname }))}
      />
      <Loaded read={forms} skeleton={<Skeletons.Lines count={3} />}>
        {(loadedForms) => (
          <Conditions forms={loadedForms} cond={cond} error={form.error('cond')} onChange={(next) => form.set('cond', next)} />
        )}
      </Loaded>
      <LongTextField {...form.field('remark')} maxLength={500} />
      <RuleTrial cond={cond} warninglevel={Number(form.values.warninglevel ?? 2)} appid={form.values.appid ?? null} />
    </FormDrawer>
  );
}

/** The list of conditions. Each compares a score, level or item of a form with a number, or names an alert. */
function Conditions({
  forms,
  cond,
  error,
  onChange,
}: {
  forms: Forms;
  cond: CustomCond;
  error: ReactNode;
  onChange: (cond: CustomCond) => void;
}) {
  const mode = 'all' in cond ? 'all' : 'any';
  const list = 'all' in cond ? cond.all : cond.any;
  // The drafts keep the numbers as the user types them, so that an empty field stays empty.
  const [drafts, setDrafts] = useState<RuleDraft[]>(() => list.map(toRuleDraft));
  const updateDrafts = (next: RuleDraft[], nextMode: 'all' | 'any' = mode) => {
    setDrafts(next);
    const clauses: Clause[] = next.map(toClause);
    onChange(nextMode === 'all' ? { all: clauses } : { any: clauses });
  };
  const updateDraft = (position: number, changes: Partial<RuleDraft>) =>
    updateDrafts(drafts.map((draft, index) => (index === position ? { ...draft, ...changes } : draft)));
  return (
    <fieldset className={classes['conds']} data-path="cond" tabIndex={-1}>
      <legend>条件</legend>
      <SegmentedControl
        size="sm"
        aria-label="条件之间"
        value={mode}
        onChange={(next) => updateDrafts(drafts, next as 'all')}
        data={[
          { value: 'all', label: '全部满足' },
          { value: 'any', label: '满足任一' },
        ]}
      />
      {drafts.map((draft, index) => {
        const form = forms.find((candidate) => candidate.form === draft.form);
        const kinds = findKinds(form);
        const choices = kinds.find((kind) => kind.value === draft.kind)?.choices ?? [];
        const name = `条件 ${index + 1}`;
        const faults = findDraftFaults(draft);
        return (
          <div key={index} className={classes['cond']}>
            <Select
              aria-label={`${name} 量表`}
              searchable
              allowDeselect={false}
              data={forms.map((item) => ({ value: item.form, label: item.title }))}
              value={draft.form}
              onChange={(next) =>
                next &&
                updateDraft(index, {
                  form: next,
                  kind: 'score',
                  code: forms.find((candidate) => candidate.form === next)?.scores[0]?.c ?? 'total',
                })
              }
            />
            <Select
              aria-label={`${name} 项目`}
              allowDeselect={false}
              data={kinds.map(({ value, label }) => ({ value, label }))}
              value={draft.kind}
              onChange={(next) =>
                next &&
                updateDraft(index, {
                  kind: next as RuleDraft['kind'],
                  code: kinds.find((kind) => kind.value === next)?.choices[0]?.value ?? '',
                })
              }
            />
            {choices.length > 1 && (
              <Select
                aria-label={`${name} 内容`}
                searchable={choices.length > 8}
                allowDeselect={false}
                data={choices}
                value={draft.code}
                onChange={(next) => next && updateDraft(index, { code: next })}
              />
            )}
            {draft.kind === 'delta' && (
              <NumberInput
                aria-label={`${name} 天数`}
                value={draft.days ?? ''}
                error={faults.days}
                min={1}
                max={366}
                suffix=" 天内"
                onChange={(value) => updateDraft(index, { days: numberOf(value) })}
              />
            )}
            {draft.kind !== 'alert' && (
              <NumberInput
                aria-label={`${name} 数值`}
                value={draft.gte ?? ''}
                error={faults.gte}
                prefix="≥ "
                onChange={(value) => updateDraft(index, { gte: numberOf(value) })}
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`移除${name}`}
              disabled={drafts.length === 1}
              onClick={() => updateDrafts(drafts.filter((_, position) => position !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        );
      })}
      {drafts.length < 8 && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          style={{ justifySelf: 'start' }}
          onClick={() => updateDrafts([...drafts, NEW_CLAUSE])}
        >
          添加条件
        </Button>
      )}
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}

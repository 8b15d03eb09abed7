import { Button, Select, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { SortableFormList } from '#blocks/questionnaire/SortableFormList.tsx';
import { Section } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import type { FormRow } from '#features/form/form.contract.ts';
import type { DraftForm } from '#features/plan/editor/planDraft.ts';
import { FormPicker } from '#features/plan/editor/FormPicker.tsx';
import classes from '#features/plan/editor/editor.module.css';

export interface StageOption {
  value: string;
  label: string;
}

const hintOf = (form: FormRow | undefined): ReactNode =>
  form ? (
    <>
      {form.itemcount} 题 · {form.minutes} 分钟{form.formtype === '02' ? ' · 登记表' : ''}
      {!form.usable && <span className={classes['warn']}> · {form.blockers[0] ?? '暂不能使用'}</span>}
    </>
  ) : (
    '已停用或不在可见范围'
  );

/** The forms of the plan in the order of the exam, each for every stage or for one. */
export function FormsSection({
  forms,
  stages,
  library,
  isPending,
  error,
  faults,
  onChange,
}: {
  forms: readonly DraftForm[];
  /** the stages that the plan has chosen */
  stages: readonly StageOption[];
  library: readonly FormRow[];
  isPending: boolean;
  error: ReactNode;
  /** the forms that the last refusal named */
  faults: readonly string[];
  onChange: (forms: DraftForm[]) => void;
}) {
  const [isPicking, setIsPicking] = useState(false);
  const byCode = new Map(library.map((form) => [form.formcode, form]));
  const stageOptions = [{ value: '', label: '每个阶段' }, ...stages];
  return (
    <Section
      title="量表"
      right={
        <Button size="sm" variant="light" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsPicking(true)}>
          加入量表
        </Button>
      }
    >
      <div data-path="forms" tabIndex={-1}>
        {error && (
          <Text size="sm" c="red" role="alert" mb="xs">
            {error}
          </Text>
        )}
        {forms.length === 0 && <EmptyState title="还没有量表" hint="加入量表后，按作答的先后排列" />}
        <SortableFormList
          lines={forms}
          onChange={onChange}
          nameOf={({ formcode }) => byCode.get(formcode)?.formname ?? formcode}
          hintOf={({ formcode }) => (isPending ? '' : hintOf(byCode.get(formcode)))}
          keyOf={({ formcode, stagecode }) => `${formcode} ${stagecode ?? ''}`}
          faultOf={({ formcode, stagecode }) =>
            stagecode && !stages.some((stage) => stage.value === stagecode)
              ? '所属阶段已取消，请重新选择'
              : faults.includes(formcode)
                ? '请查看上方的说明'
                : undefined
          }
          {...(stages.length > 0 && {
            fieldOf: (line: DraftForm, index: number) => (
              <Select
                aria-label={`${byCode.get(line.formcode)?.formname ?? line.formcode}的阶段`}
                className={classes['stage'] ?? ''}
                size="xs"
                allowDeselect={false}
                data={stageOptions.map((option) => ({
                  ...option,
                  disabled: forms.some(
                    (other, at) =>
                      at !== index &&
                      other.formcode === line.formcode &&
                      (!option.value || !other.stagecode || other.stagecode === option.value),
                  ),
                }))}
                value={line.stagecode ?? ''}
                onChange={(stagecode) =>
                  onChange(forms.map((other) => (other === line ? { ...other, stagecode: stagecode ?? '' } : other)))
                }
              />
            ),
          })}
        />
      </div>
      {isPicking && (
        <FormPicker
          library={library}
          isPending={isPending}
          chosen={forms}
          hasStages={stages.length > 0}
          onClose={() => setIsPicking(false)}
          onPick={(formcode) => {
            const used = forms.filter((form) => form.formcode === formcode).map((form) => form.stagecode);
            const stagecode = used.length ? (stages.find((stage) => !used.includes(stage.value))?.value ?? '') : '';
            onChange([...forms, { formcode, required: 1, stagecode }]);
          }}
        />
      )}
    </Section>
  );
}

import { Checkbox, Group, Select } from '@mantine/core';
import { ConsultTopic, ConsultType } from '#domain/base/enums.ts';
import { applicableItems, type Questionnaire } from '#domain/exam/questionFlow.ts';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { Answers, PersonFacts } from '#domain/scoring/scale.ts';
import type { ResponseOf } from '#contract/action.ts';
import { PersonField } from '#blocks/person/PersonField.tsx';
import { QuestionnaireForm, useQuestionnaire } from '#blocks/questionnaire/QuestionnaireForm.tsx';
import { EnumRadio } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { notify } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getConsultForm, getConsultFormList } from '#features/consult/forms/forms.contract.ts';
import { insertConsult } from '#features/consult/register/register.contract.ts';

interface Props {
  onClose: () => void;
  onDone: (consultid: number) => void;
}

/** 新增登记: a colleague enters a registration for a person, with the topics alone or with a form. */
export function NewConsultDrawer({ onClose, onDone }: Props) {
  const form = useActionForm(insertConsult, {
    initial: { consulttype: '01', topics: [] },
    successMessage: '',
    onDone: ({ consultid, warningcode }) => {
      notify.done(warningcode ? `已登记。回答中有需要立即关注的内容，已列入危机预警（${warningcode}）` : '已登记');
      onDone(consultid);
    },
  });
  const { formcode: chosen, cuserid } = form.values;
  // The institution and the population of the person decide which forms there are.
  const ofPerson = cuserid ? { cuserid } : {};
  const forms = useActionQuery(getConsultFormList, ofPerson, { quiet: true }).data?.rows ?? [];
  const offered = forms.filter((row) => row.enabled === 1 && row.purpose === '01');
  const definition = useActionQuery(getConsultForm, chosen ? { formcode: chosen, ...ofPerson } : undefined, {
    quiet: true,
    keepPrevious: true,
  });
  return (
    <FormDrawer title="新增登记" onClose={onClose} form={form} width={640}>
      <PersonField {...form.field('cuserid')} onPick={(picked) => form.set('cuserid', picked ?? undefined)} />
      <EnumRadio {...form.field('consulttype')} of={ConsultType} />
      <Select
        label="登记表"
        placeholder="不填登记表，只选困扰"
        clearable
        data={offered.map((row) => ({ value: row.formcode, label: row.title || row.formname }))}
        value={chosen ?? null}
        error={form.error('formcode')}
        data-path="formcode"
        onChange={(next) => {
          form.set('formcode', next ?? undefined);
          form.set('answers', next ? {} : undefined);
        }}
      />
      {chosen ? (
        <Loaded read={definition} skeleton={<Skeletons.Lines />}>
          {(read) => <FormAnswers key={read.formcode} read={read} form={form} />}
        </Loaded>
      ) : (
        <Checkbox.Group
          {...form.field('topics')}
          value={(form.values.topics as string[] | undefined) ?? []}
          onChange={(topics) => form.set('topics', topics)}
        >
          <Group gap="8px 20px" mt={6}>
            {ConsultTopic.options.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </FormDrawer>
  );
}

/** The questions of the chosen form. The answers go into the request as they are typed. */
function FormAnswers({
  read,
  form,
}: {
  read: ResponseOf<typeof getConsultForm>;
  form: ReturnType<typeof useActionForm<typeof insertConsult>>;
}) {
  const questionnaire = read.definition as Questionnaire;
  const person = read.person as PersonFacts;
  const { answers, set, itemCodes } = useQuestionnaire(questionnaire, (form.values.answers ?? {}) as Answers, person);
  const faults = Object.fromEntries(
    questionnaire.items.flatMap(({ c }) => {
      const fault = form.error(`answers.${c}`);
      return typeof fault === 'string' ? [[c, fault]] : [];
    }),
  );
  return (
    <QuestionnaireForm
      questionnaire={questionnaire}
      answers={answers}
      itemCodes={itemCodes}
      faults={faults}
      path="answers"
      onChange={(c, answer) => {
        set(c, answer);
        // An answer that hides a question takes the hidden answer back.
        const next: Answers = { ...answers, [c]: answer };
        const applicable = applicableItems(questionnaire, next, person);
        const kept = Object.fromEntries(
          Object.entries(next).filter(([code, value]) => applicable.includes(code) && !isUnanswered(value)),
        );
        form.set('answers', kept);
        // The new answer takes the fault of its question away; the faults of the others stay.
        form.set(`answers.${c}` as 'answers', kept[c]);
      }}
    />
  );
}

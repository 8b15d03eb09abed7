import { NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { applicableItems } from '#domain/exam/questionFlow.ts';
import type { PersonFacts } from '#domain/scoring/scale.ts';
import { QuestionnaireForm } from '#blocks/questionnaire/QuestionnaireForm.tsx';
import type { EntrySheet, Typed } from '#blocks/staffexam/entryState.ts';

interface Props {
  sheet: EntrySheet;
  person: PersonFacts;
  typed: Typed;
  onChange: (next: Typed) => void;
  faults: Readonly<Record<string, string>>;
  hasTitle: boolean;
}

/** The scores and questions of one questionnaire. */
export function SheetFields({ sheet, person, typed, onChange, faults, hasTitle }: Props) {
  const { questionnaire, scores } = sheet;
  return (
    <Stack gap="md" component="section" aria-label={sheet.formname}>
      {hasTitle && <Text fw={600}>{sheet.formname}</Text>}
      {scores.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {scores.map(({ c, n, min, max, isWhole, isRequired }) => (
            <NumberInput
              key={c}
              label={n}
              required={isRequired}
              description={`${min}–${max}${isWhole ? '' : '，可有两位小数'}`}
              allowDecimal={!isWhole}
              decimalScale={2}
              hideControls
              value={typed.scores[c] ?? ''}
              error={faults[c] && <span role="alert">{faults[c]}</span>}
              onChange={(value) => onChange({ ...typed, scores: { ...typed.scores, [c]: String(value) } })}
            />
          ))}
        </SimpleGrid>
      )}
      {questionnaire.items.length > 0 && (
        <QuestionnaireForm
          questionnaire={questionnaire}
          answers={typed.answers}
          itemCodes={applicableItems(questionnaire, typed.answers, person)}
          faults={faults}
          isFast
          onChange={(c, answer) => onChange({ ...typed, answers: { ...typed.answers, [c]: answer } })}
        />
      )}
    </Stack>
  );
}

import { Button, Group, SegmentedControl, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Gender } from '#domain/base/enums.ts';
import { toQuestionnaire, type Questionnaire } from '#domain/exam/questionFlow.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { QuestionnaireForm, useQuestionnaire } from '#blocks/questionnaire/QuestionnaireForm.tsx';
import classes from './preview.module.css';

/** The questionnaire of a draft. A draft may be unfinished, so that some parts cannot be read yet. */
function readQuestionnaire(scale: Scale): Questionnaire | undefined {
  try {
    return toQuestionnaire(scale);
  } catch {
    return undefined;
  }
}

/** The live questionnaire in the frame of a phone. The answers are not saved. */
export function PhonePreview({ scale }: { scale: Scale }) {
  const questionnaire = useMemo(() => readQuestionnaire(scale), [scale]);
  if (!questionnaire) return <Unreadable />;
  if (!scale.items.length)
    return (
      <Text size="sm" c="dimmed" ta="center" py="xl">
        输入题目后，这里就是受测者看到的样子
      </Text>
    );
  return <Phone scale={scale} questionnaire={questionnaire} />;
}

/** A message while the draft cannot be shown. */
export const Unreadable = () => (
  <Text size="sm" c="dimmed" ta="center" py="xl">
    草稿还不完整，暂时无法显示，请先看“检查”
  </Text>
);

function Phone({ scale, questionnaire }: { scale: Scale; questionnaire: Questionnaire }) {
  const [gender, setGender] = useState<string>('02');
  const person = useMemo(() => ({ gender, age: 30 }), [gender]);
  const { answers, set, setAnswers, itemCodes, missingCodes } = useQuestionnaire(questionnaire, {}, person);
  const isNeutral = scale.formtype === '01';
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label="受测者性别"
          value={gender}
          onChange={setGender}
          data={Gender.options.map(({ value, label }) => ({ value, label }))}
        />
        <Text size="xs" c="dimmed" role="status">
          {missingCodes.length > 0 ? `还有 ${missingCodes.length} 题未作答` : '全部作答完毕'}
        </Text>
        <Button size="compact-xs" variant="subtle" onClick={() => setAnswers({})}>
          清空作答
        </Button>
      </Group>
      <div className={classes['phone']}>
        <div className={classes['screen']} tabIndex={0} role="region" aria-label="手机预览">
          <Title order={2} size="h5" mb="sm">
            {isNeutral ? (scale.recall ? `${scale.recall}的感受` : '心理健康问卷') : scale.title}
          </Title>
          <QuestionnaireForm questionnaire={questionnaire} answers={answers} onChange={set} itemCodes={itemCodes} />
        </div>
      </div>
    </>
  );
}

import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Gender } from '#domain/base/enums.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { toQuestionnaire } from '#domain/exam/questionFlow.ts';
import { PhoneLinkButton } from '#blocks/scaleversions/PhoneLinkButton.tsx';
import { QuestionnaireForm, useQuestionnaire } from '#blocks/questionnaire/QuestionnaireForm.tsx';
import classes from './form.module.css';

/** Shows a form as a respondent sees it on a phone. The answers are not saved. */
export function FormPreview({ scale, version }: { scale: Scale; version: string }) {
  const [gender, setGender] = useState<string>('02');
  const sheet = useMemo(() => toQuestionnaire(scale), [scale]);
  const person = useMemo(() => ({ gender, age: 30 }), [gender]);
  const { answers, set, setAnswers, itemCodes, missingCodes } = useQuestionnaire(sheet, {}, person);
  return (
    <Stack align="center">
      <Group>
        <SegmentedControl
          aria-label="受测者性别"
          value={gender}
          onChange={setGender}
          data={Gender.options.map(({ value, label }) => ({ value, label }))}
        />
        <Button variant="default" onClick={() => setAnswers({})}>
          清空作答
        </Button>
        <PhoneLinkButton formcode={scale.formcode} version={version} />
        <Text size="sm" c="dimmed" role="status">
          {missingCodes.length > 0 ? `还有 ${missingCodes.length} 题未作答` : '全部作答完毕'}
        </Text>
      </Group>
      <div className={classes['phone']}>
        <div className={classes['screen']} tabIndex={0} role="region" aria-label="作答预览">
          <Title order={2} size="h5">
            {scale.formtype === '01' ? (scale.recall ? `${scale.recall}的感受` : '心理健康问卷') : scale.title}
          </Title>
          <QuestionnaireForm questionnaire={sheet} answers={answers} onChange={set} itemCodes={itemCodes} />
        </div>
      </div>
    </Stack>
  );
}

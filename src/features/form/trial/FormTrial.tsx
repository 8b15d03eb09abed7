import { Button, Group, Kbd, NumberInput, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Gender } from '#domain/base/enums.ts';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { Answer, Answers, Scale } from '#domain/scoring/scale.ts';
import { call } from '#ui/api/call.ts';
import { ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { previewScore } from '#features/form/form.contract.ts';
import { QuickEntry } from '#blocks/trial/QuickEntry.tsx';
import { TrialResult } from '#blocks/trial/TrialResult.tsx';
import type { FormDetail } from '#features/form/formDetail.ts';
import classes from '#features/form/form.module.css';

/** 试算: scores typed answers at once and explains the result. The answers are not saved. */
export function FormTrial({ scale, quotas }: { scale: Scale; quotas: FormDetail['quotas'] }) {
  const [answers, setAnswers] = useState<Answers>({});
  const [gender, setGender] = useState<string>('02');
  const [age, setAge] = useState<number | string>(30);
  const isAgeFault = age !== '' && !(typeof age === 'number' && age >= 0 && age <= 120);
  const set = (code: string, answer: Answer) => setAnswers((before) => ({ ...before, [code]: answer }));
  const currentRequest = useMemo(
    () => ({
      formcode: scale.formcode,
      version: scale.version,
      answers: Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined)) as Record<
        string,
        string | number | string[] | null
      >,
      person: { gender, ...(typeof age === 'number' && !isAgeFault ? { age } : {}) },
    }),
    [scale, answers, gender, age, isAgeFault],
  );
  const [request] = useDebouncedValue(currentRequest, 120);
  const preview = useQuery({
    queryKey: [previewScore.name, request],
    queryFn: ({ signal }) => call(previewScore, request, signal),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
    gcTime: 60_000,
  });
  const ranges = Object.fromEntries(
    quotas.map(({ scorecode, minscore, maxscore }) => [scorecode, [minscore, maxscore] as const]),
  );
  const fillRandomly = () =>
    setAnswers(
      Object.fromEntries(
        scale.items.flatMap((item): [string, Answer][] => {
          const rows = scale.optionsets[item.o ?? ''] ?? [];
          const code = rows[Math.floor(Math.random() * rows.length)]?.[0];
          return code === undefined ? [] : [[item.c, item.type === 2 ? [code] : code]];
        }),
      ),
    );
  return (
    <div className={classes['trial']}>
      <Stack gap="sm">
        <Group gap="sm">
          <SegmentedControl
            aria-label="受测者性别"
            value={gender}
            onChange={setGender}
            data={Gender.options.map(({ value, label }) => ({ value, label }))}
          />
          <NumberInput
            aria-label="年龄"
            suffix=" 岁"
            min={0}
            max={120}
            w={100}
            error={isAgeFault ? '年龄为 0–120' : undefined}
            value={age}
            onChange={(next) => setAge(next)}
          />
          <Button variant="default" onClick={fillRandomly}>
            随机填写
          </Button>
          <Button variant="default" onClick={() => setAnswers({})}>
            清空
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          选中一题后按数字键作答并跳到下一题；<Kbd>↑</Kbd> <Kbd>↓</Kbd> 换题，<Kbd>Backspace</Kbd> 清除。
        </Text>
        <QuickEntry
          scale={scale}
          answers={answers}
          onChange={set}
          inapplicableItems={preview.data?.result?.notapplicable ?? []}
          invalidItems={preview.data?.kind === 'invalid' ? preview.data.items : []}
        />
      </Stack>
      <section className={classes['result']} aria-label="试算结果" aria-live="polite">
        <Title order={2} size="h5">
          试算结果
        </Title>
        {Object.values(answers).every((answer) => isUnanswered(answer)) ? (
          <Text size="sm" c="dimmed">
            填写答案后，这里显示得分、等级与计分过程
          </Text>
        ) : preview.data ? (
          <TrialResult scale={scale} ranges={ranges} outcome={preview.data} />
        ) : preview.error ? (
          <ErrorState error={preview.error} retry={() => void preview.refetch()} />
        ) : (
          <Skeletons.Lines />
        )}
      </section>
    </div>
  );
}

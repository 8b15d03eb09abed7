import { Button, Group, NumberInput, SegmentedControl, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Gender } from '#domain/base/enums.ts';
import { explainScore } from '#domain/scoring/explainScore.ts';
import type { Answer, Answers, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { nextForms, score } from '#domain/scoring/scoring.ts';
import { isUnanswered } from '#domain/scoring/compiledScale.ts';
import { QuickEntry } from '#blocks/trial/QuickEntry.tsx';
import { TrialResult, type TrialOutcome } from '#blocks/trial/TrialResult.tsx';
import { rangesOf } from '#features/scaleeditor/page/scoring/scoreRange.ts';
import { Unreadable } from '#features/scaleeditor/page/preview/PhonePreview.tsx';
import classes from './preview.module.css';

/** Scores the answers in the browser. A draft may be unfinished; then there is no result yet. */
function runTrial(scale: Scale, answers: Answers, person: PersonFacts): TrialOutcome | undefined {
  try {
    const outcome = score(scale, answers, person);
    const steps = explainScore(scale, answers, person);
    if (outcome.kind === 'invalid') return { kind: 'invalid', items: outcome.items, result: null, steps, nextforms: [] };
    const items = outcome.kind === 'incomplete' ? outcome.unanswered : [];
    return { kind: outcome.kind, items, result: outcome, steps, nextforms: nextForms(scale, outcome, person) };
  } catch {
    return undefined;
  }
}

/** 试算: types answers and shows the scores of the draft with each step. Nothing is saved. */
export function TrialPanel({ scale }: { scale: Scale }) {
  const [given, setGiven] = useState<Answers>({});
  const [gender, setGender] = useState<string>('02');
  const [age, setAge] = useState<number | string>(30);
  // Answers to questions and options that the author removed meanwhile do not count.
  const answers = useMemo(() => keepOffered(scale, given), [scale, given]);
  const outcome = useMemo(
    () => runTrial(scale, answers, { gender, ...(typeof age === 'number' ? { age } : {}) }),
    [scale, answers, gender, age],
  );
  const ranges = useMemo(() => rangesOf(scale), [scale]);
  const fillRandomly = () =>
    setGiven(
      Object.fromEntries(
        scale.items.flatMap((item): [string, Answer][] => {
          const rows = scale.optionsets[item.o ?? ''] ?? [];
          const code = rows[Math.floor(Math.random() * rows.length)]?.[0];
          return code === undefined ? [] : [[item.c, item.type === 2 ? [code] : code]];
        }),
      ),
    );
  if (!outcome) return <Unreadable />;
  return (
    <div>
      <Group gap="xs" mb="xs">
        <SegmentedControl
          size="xs"
          aria-label="试算的性别"
          value={gender}
          onChange={setGender}
          data={Gender.options.map(({ value, label }) => ({ value, label }))}
        />
        <NumberInput size="xs" aria-label="试算的年龄" suffix=" 岁" min={0} max={120} w={84} value={age} onChange={setAge} />
        <Button size="compact-sm" variant="default" onClick={fillRandomly}>
          随机填写
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={() => setGiven({})}>
          清空
        </Button>
      </Group>
      <div className={classes['answers']} tabIndex={0} role="region" aria-label="试算的答案">
        <QuickEntry
          scale={scale}
          answers={answers}
          onChange={(code, answer) => setGiven((before) => ({ ...before, [code]: answer }))}
          inapplicableItems={outcome.result?.notapplicable ?? []}
          invalidItems={outcome.kind === 'invalid' ? outcome.items : []}
        />
      </div>
      <section aria-label="试算结果" aria-live="polite" className={classes['result']}>
        {Object.values(answers).every((answer) => isUnanswered(answer)) ? (
          <Text size="sm" c="dimmed">
            填写答案后，这里显示得分、等级与计分过程
          </Text>
        ) : (
          <TrialResult scale={scale} ranges={ranges} outcome={outcome} />
        )}
      </section>
    </div>
  );
}

/** The answers that the draft still offers. */
const keepOffered = (scale: Scale, given: Answers): Answers =>
  Object.fromEntries(
    scale.items.flatMap((item): [string, Answer][] => {
      const answer = given[item.c];
      if (answer === undefined) return [];
      if ((item.type ?? 1) === 0) return [[item.c, typeof answer === 'object' ? null : answer]];
      const codes = (scale.optionsets[item.o ?? ''] ?? []).map(([code]) => code);
      const chosen = (typeof answer === 'object' && answer !== null ? answer : [String(answer)]).filter((code) =>
        codes.includes(code),
      );
      return chosen.length ? [[item.c, item.type === 2 ? chosen : (chosen[0] ?? null)]] : [];
    }),
  );

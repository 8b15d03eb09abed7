import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import type { ExplainStep } from '#domain/scoring/explainScore.ts';
import { formatFormCode } from '#domain/scoring/shortTitle.ts';
import type { FormResult, Scale } from '#domain/scoring/scale.ts';
import { unitOf } from '#domain/scoring/scoringText.ts';
import { LevelBadge } from '#ui/display/badges.tsx';
import { BandBar } from '#ui/charts/BandBar.tsx';
import classes from './trial.module.css';

const stepLabels = {
  answer: '作答',
  item: '题目',
  score: '得分',
  band: '分级',
  validity: '效度',
  alert: '提示',
  overall: '总体',
} as const;

/** The result of trial scoring. `result` is null when an answer is not an option of the form. */
export interface TrialOutcome {
  kind: 'scored' | 'incomplete' | 'invalid';
  items: readonly string[];
  result: FormResult | null;
  steps: readonly ExplainStep[];
  nextforms: readonly string[];
}

interface Props {
  scale: Scale;
  /** lowest and highest value of each score, by code */
  ranges: Readonly<Record<string, readonly [min: number | null, max: number | null]>>;
  outcome: TrialOutcome;
}

/** Shows the scores, the overall level and the scoring steps in their order. */
export function TrialResult({ scale, ranges, outcome }: Props) {
  const { result, steps, kind, items } = outcome;
  return (
    <Stack gap="md">
      {kind === 'incomplete' && (
        <Text size="sm" c="dimmed">
          还有 {items.length} 道必答题未作答
        </Text>
      )}
      {kind === 'invalid' && <Alert color="red">有 {items.length} 题的答案不在选项之内，整份不计分</Alert>}
      {result && result.overalllevel !== null && (
        <Group justify="space-between" gap="xs">
          <Text fw={600}>总体等级</Text>
          <LevelBadge level={result.overalllevel} label={`${result.overalllevel} 级`} />
        </Group>
      )}
      {result &&
        scale.scores.map((def) => {
          const value = result.scores[def.c] ?? null;
          const bands = scale.bands[def.c] ?? [];
          const [min = null, max = null] = ranges[def.c] ?? [];
          return (
            <div key={def.c}>
              <Group justify="space-between" gap="xs" wrap="nowrap">
                <Text size="sm" fw={def.primary ? 600 : 400}>
                  {def.n}
                </Text>
                <Group gap="xs" wrap="nowrap">
                  <Text size="sm" fw={600}>
                    {value === null ? '—' : `${value} ${unitOf(def)}`}
                  </Text>
                  {bands.length > 0 && value !== null && <LevelBadge level={result.levels[def.c]} label={result.labels[def.c]} />}
                </Group>
              </Group>
              {def.primary && bands.length > 0 && (
                <BandBar
                  bands={bands.map(([lo, hi, level, label]) => ({ min: lo, max: hi, level, label }))}
                  min={min}
                  max={max}
                  halfopen={scale.bandmode?.[def.c] === 'halfopen'}
                  score={value}
                  label={`${def.n}${value === null ? '尚无得分' : `${value} 分，${result.labels[def.c] ?? '无等级'}`}`}
                />
              )}
            </div>
          );
        })}
      {outcome.nextforms.length > 0 && <Text size="sm">接着填写：{outcome.nextforms.map(formatFormCode).join('、')}</Text>}
      {steps.length > 0 && (
        <div>
          <Title order={3} size="h6" mb={4}>
            计分过程
          </Title>
          <ol className={classes['steps']}>
            {steps.map((step, index) => (
              <li key={index} data-kind={step.kind}>
                <span className={classes['kind']}>{stepLabels[step.kind]}</span>
                <span>{step.text}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Stack>
  );
}

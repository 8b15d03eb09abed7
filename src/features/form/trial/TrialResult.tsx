import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { formatFormCode } from '#domain/scoring/shortTitle.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { unitOf } from '#domain/scoring/scoringText.ts';
import type { ResponseOf } from '#contract/action.ts';
import { LevelBadge } from '#ui/display/badges.tsx';
import { BandBar } from '#ui/charts/BandBar.tsx';
import type { previewScore } from '#features/form/form.contract.ts';
import type { FormDetail } from '#features/form/formDetail.ts';
import classes from '#features/form/form.module.css';

const stepLabels = {
  answer: '作答',
  item: '题目',
  score: '得分',
  band: '分级',
  validity: '效度',
  alert: '提示',
  overall: '总体',
} as const;

interface Props {
  scale: Scale;
  quotas: FormDetail['quotas'];
  outcome: ResponseOf<typeof previewScore>;
}

/** Shows the scores, the overall level and the scoring steps in their order. */
export function TrialResult({ scale, quotas, outcome }: Props) {
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
          const quota = quotas.find((candidate) => candidate.scorecode === def.c);
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
                  min={quota?.minscore ?? null}
                  max={quota?.maxscore ?? null}
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

import { Group, List, Stack, Text, Title } from '@mantine/core';
import { formatFormCode } from '#domain/scoring/shortTitle.ts';
import type { Scale, ScoreDef } from '#domain/scoring/scale.ts';
import { conditionText, bandText, scoreText, unitOf } from '#domain/scoring/scoringText.ts';
import { Badge, LevelBadge } from '#ui/display/badges.tsx';
import { BandBar } from '#ui/charts/BandBar.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import type { FormDetail } from '#features/form/formDetail.ts';
import classes from './form.module.css';

/** Shows the scoring rules of a form as text: scores, bands, alerts and validity checks. */
export function FormScoring({ scale, quotas }: { scale: Scale; quotas: FormDetail['quotas'] }) {
  if (scale.scores.length === 0) return <EmptyState title="该表不计分" hint="登记表与档案表只收集信息，不产生得分和等级" />;
  return (
    <Stack gap="lg">
      <div>
        {scale.scores.map((def) => (
          <Score key={def.c} scale={scale} def={def} quota={quotas.find((quota) => quota.scorecode === def.c)} />
        ))}
      </div>
      {Boolean(scale.alerts?.length) && (
        <Rules title="条目提示（优先于总分）">
          {scale.alerts?.map((alert) => (
            <List.Item key={alert.c}>
              <LevelBadge level={alert.level} label={`${alert.level} 级`} /> {conditionText(scale, alert.when)}：{alert.msg}
            </List.Item>
          ))}
        </Rules>
      )}
      {Boolean(scale.validity?.length) && (
        <Rules title="效度">
          {scale.validity?.map((rule) => (
            <List.Item key={rule.c}>
              {conditionText(scale, rule.when)}：{rule.msg}
              {rule.action === 'invalid' && '（判为无效，不显示等级；条目提示仍然有效）'}
            </List.Item>
          ))}
        </Rules>
      )}
      {Boolean(scale.derive?.length) && (
        <Rules title="跳转">
          {scale.derive?.map((rule) => (
            <List.Item key={JSON.stringify(rule)}>
              {conditionText(scale, rule.if)}时，不再询问 {Object.keys(rule.set).length} 题，按规定选项计分
            </List.Item>
          ))}
        </Rules>
      )}
      {Boolean(scale.nextform?.length) && (
        <Rules title="后续量表">
          {scale.nextform?.map((next) => (
            <List.Item key={next.formcode}>
              {conditionText(scale, next.when)}时，接着填写 {formatFormCode(next.formcode)}
            </List.Item>
          ))}
        </Rules>
      )}
      <Text size="sm" c="dimmed">
        总体等级取各主要得分等级与条目提示等级中最高者。
      </Text>
    </Stack>
  );
}

const Rules = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div>
    <Title order={2} size="h5" mb={6}>
      {title}
    </Title>
    <List size="sm" spacing={6}>
      {children}
    </List>
  </div>
);

function Score({ scale, def, quota }: { scale: Scale; def: ScoreDef; quota: FormDetail['quotas'][number] | undefined }) {
  const bands = scale.bands[def.c] ?? [];
  const mode = scale.bandmode?.[def.c];
  const [min, max] = [quota?.minscore ?? null, quota?.maxscore ?? null];
  return (
    <div className={classes['score']}>
      <Group gap="xs">
        <Title order={2} size="h5">
          {def.n}
        </Title>
        {def.primary && <Badge tone="green">主要得分</Badge>}
        <Text size="sm" c="dimmed">
          {min !== null && max !== null ? `${min}–${max} ${unitOf(def)}` : ''}
          {def.better === 'high' ? '，得分越高越好' : ''}
        </Text>
      </Group>
      <p className={classes['rule']}>{scoreText(scale, def)}</p>
      {bands.length > 0 && (
        <BandBar
          bands={bands.map(([lo, hi, level, label]) => ({ min: lo, max: hi, level, label }))}
          min={min}
          max={max}
          halfopen={mode === 'halfopen'}
          label={`${def.n}分级：${bands.map((band) => `${bandText(band, mode)} ${band[3]}`).join('，')}`}
        />
      )}
      {bands.length > 0 && (
        <Text size="sm" mt={6}>
          {bands.map((band) => `${bandText(band, mode)} ${unitOf(def)} ${band[3]}（${band[2]} 级）`).join('；')}
        </Text>
      )}
    </div>
  );
}

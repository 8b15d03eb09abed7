import { ActionIcon, Button, Checkbox, Group, Menu, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconTrash, IconX } from '@tabler/icons-react';
import type { PostStep, QuotaDomain, ScoreDef } from '#domain/scoring/scale.ts';
import { scoreText } from '#domain/scoring/scoringText.ts';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { itemsOfScore, setMembers } from '#features/scaleeditor/page/edits/itemEdits.ts';
import { listOrNothing, removeAt, replaceAt } from '#features/scaleeditor/page/edits/put.ts';
import { moveScore, removeScore, setOperation, updateScore } from '#features/scaleeditor/page/edits/scoreEdits.ts';
import { FaultLines } from '#features/scaleeditor/page/FaultLines.tsx';
import { ItemPicker } from '#features/scaleeditor/page/scoring/ItemPicker.tsx';
import { describeRange, findRange } from '#features/scaleeditor/page/scoring/scoreRange.ts';
import classes from './scoring.module.css';

const operations: readonly (readonly [ScoreDef['op'], string])[] = [
  ['sum', '相加'],
  ['mean', '平均'],
  ['max', '取最高'],
  ['min', '取最低'],
  ['count', '计数（达到某分的题数）'],
  ['weighted', '加权相加'],
  ['ref', '取另一个得分'],
  ['ratio', '两个得分相除'],
];
const domains: readonly (readonly [QuotaDomain, string])[] = [
  ['01', '抑郁'],
  ['02', '焦虑'],
  ['03', '压力与困扰'],
  ['04', '躯体'],
  ['05', '睡眠'],
  ['06', '幸福感'],
  ['07', '自杀风险'],
  ['08', '其他'],
];

const numberOf = (value: string | number): number | undefined => (typeof value === 'number' ? value : undefined);

/** One score: its name, how it is computed, from which questions, and what it means. */
export function ScoreCard({ score, index }: { score: ScoreDef; index: number }) {
  const { scale, change } = useEditor();
  const set = (changes: { [K in keyof ScoreDef]?: ScoreDef[K] | undefined }) =>
    change((before) => updateScore(before, score.c, changes), `score ${score.c} ${Object.keys(changes).join()}`);
  const place = (field: string) => `scores:${score.c}::${field}`;
  const members = itemsOfScore(scale, score);
  const others = scale.scores.slice(0, index).map((other) => ({ value: other.c, label: other.n || other.c }));
  const range = findRange(scale, score);
  const readsItems = score.op !== 'ref' && score.op !== 'ratio';
  const toSelect = (field: 'ref' | 'num' | 'den', label: string) => (
    <NativeSelect
      label={label}
      value={score[field] ?? ''}
      data-place={place(field)}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
      data={[{ value: '', label: others.length ? '请选择' : '前面还没有得分' }, ...others]}
    />
  );
  return (
    <article className={classes['card']} data-place={`scores:${score.c}`} aria-label={score.n || score.c}>
      <Group gap="sm" align="end">
        <TextInput
          label="名称"
          required
          maxLength={40}
          className={classes['grow']}
          value={score.n}
          data-place={place('n')}
          onChange={(event) => set({ n: event.currentTarget.value })}
        />
        <NativeSelect
          label="算法"
          value={score.op}
          data-place={place('op')}
          onChange={(event) => {
            const op = event.currentTarget.value as ScoreDef['op'];
            change((before) => setOperation(before, score.c, op));
          }}
          data={operations.map(([value, label]) => ({ value, label }))}
        />
        <Group gap={2} ml="auto">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`上移${score.n}`}
            disabled={index === 0}
            onClick={() => change((before) => moveScore(before, index, -1))}
          >
            <IconArrowUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`下移${score.n}`}
            disabled={index === scale.scores.length - 1}
            onClick={() => change((before) => moveScore(before, index, 1))}
          >
            <IconArrowDown size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`删除${score.n}`}
            onClick={() => change((before) => removeScore(before, score.c))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      {readsItems ? (
        <ItemPicker
          label={`题目（${members.length}）`}
          chosen={members}
          place={place('of')}
          onChange={(codes, isMember) => change((before) => setMembers(before, score.c, codes, isMember))}
        />
      ) : (
        <Group gap="sm">
          {score.op === 'ref' ? (
            toSelect('ref', '得分')
          ) : (
            <>
              {toSelect('num', '被除数')}
              {toSelect('den', '除数')}
            </>
          )}
        </Group>
      )}
      <Group gap="sm" align="end">
        {score.op === 'count' && (
          <NumberInput
            label="每题至少得分"
            w={120}
            value={score.where?.gte ?? ''}
            data-place={place('where')}
            onChange={(value) => set({ where: { gte: numberOf(value) ?? 1 } })}
          />
        )}
        {readsItems && (
          <NumberInput
            label="最多缺答"
            suffix=" 题"
            min={0}
            allowDecimal={false}
            w={110}
            value={score.miss?.max ?? 0}
            data-place={place('miss')}
            onChange={(value) => {
              const max = numberOf(value) ?? 0;
              set({ miss: max > 0 ? { max, how: score.miss?.how ?? (score.op === 'sum' ? 'prorate' : 'zero') } : undefined });
            }}
          />
        )}
        {readsItems && score.miss && score.op === 'sum' && (
          <NativeSelect
            label="缺答处理"
            value={score.miss.how}
            onChange={(event) =>
              set({ miss: { max: score.miss?.max ?? 0, how: event.currentTarget.value === 'zero' ? 'zero' : 'prorate' } })
            }
            data={[
              { value: 'prorate', label: '按已答题目换算' },
              { value: 'zero', label: '按 0 分计' },
            ]}
          />
        )}
        <NativeSelect
          label="方向"
          value={score.better ?? ''}
          data-place={place('better')}
          onChange={(event) => set({ better: (event.currentTarget.value || undefined) as ScoreDef['better'] })}
          data={[
            { value: '', label: '不区分' },
            { value: 'low', label: '分数低较好' },
            { value: 'high', label: '分数高较好' },
          ]}
        />
        <NativeSelect
          label="领域"
          value={score.domain ?? '08'}
          data-place={place('domain')}
          onChange={(event) => set({ domain: event.currentTarget.value as QuotaDomain })}
          data={domains.map(([value, label]) => ({ value, label }))}
        />
        <Checkbox
          label="主要得分"
          mb={8}
          checked={score.primary === true}
          data-place={place('primary')}
          onChange={(event) => set({ primary: event.currentTarget.checked || undefined })}
        />
      </Group>
      {score.op === 'weighted' && <Weights score={score} members={members} onChange={(w) => set({ w })} />}
      <PostSteps
        steps={score.post ?? []}
        norms={Object.keys(scale.norms ?? {})}
        place={place('post')}
        onChange={(post) => set({ post: listOrNothing(post), min: undefined, max: undefined })}
      />
      <Text size="sm" c="dimmed" aria-live="polite">
        {range ? `可能的得分：${describeRange(range)}` : '选择题目后显示可能的得分'}
        {members.length > 0 || !readsItems ? ` · ${scoreText(scale, score)}` : ''}
      </Text>
      <FaultLines place={{ part: 'scores', code: score.c }} />
    </article>
  );
}

/** A weight for each question of a weighted sum. */
function Weights({
  score,
  members,
  onChange,
}: {
  score: ScoreDef;
  members: readonly string[];
  onChange: (weights: number[]) => void;
}) {
  const { scale } = useEditor();
  const weights = members.map((_, index) => score.w?.[index] ?? 1);
  return (
    <Group gap="xs" data-place={`scores:${score.c}::w`}>
      <Text size="sm">权重</Text>
      {members.map((code, index) => {
        const number = scale.items.findIndex((item) => item.c === code) + 1;
        return (
          <label key={code} className={classes['weight']}>
            {number}
            <input
              className={classes['number']}
              type="number"
              step="any"
              aria-label={`第 ${number} 题的权重`}
              value={weights[index]}
              onChange={(event) => onChange(replaceAt(weights, index, Number(event.currentTarget.value)))}
            />
          </label>
        );
      })}
    </Group>
  );
}

const steps: readonly { name: string; step: (norm: string) => PostStep }[] = [
  { name: '乘以', step: () => ['mul', 1.25] },
  { name: '加上', step: () => ['add', 0] },
  { name: '取整数部分', step: () => ['floor'] },
  { name: '四舍五入', step: () => ['round', 0] },
  { name: '限制范围', step: () => ['clamp', 0, 100] },
  { name: '换算 T 分', step: (norm) => ['tscore', norm] },
];
const stepName = {
  mul: '乘以',
  add: '加上',
  floor: '取整数部分',
  round: '四舍五入，小数位',
  clamp: '限制在',
  tscore: '按常模换算 T 分',
};

/** Conversions after the sum, in their order. */
function PostSteps({
  steps: chosen,
  norms,
  place,
  onChange,
}: {
  steps: readonly PostStep[];
  norms: readonly string[];
  place: string;
  onChange: (steps: readonly PostStep[]) => void;
}) {
  return (
    <Group gap="xs" data-place={place}>
      {chosen.map((step, index) => (
        <span key={index} className={classes['step']}>
          {stepName[step[0]]}
          {step[0] === 'tscore' ? (
            <NativeSelect
              size="xs"
              aria-label="常模"
              value={step[1]}
              onChange={(event) => onChange(replaceAt(chosen, index, ['tscore', event.currentTarget.value]))}
              data={[...new Set([step[1], ...norms])].map((name) => ({ value: name, label: name || '选择常模' }))}
            />
          ) : (
            step.slice(1).map((value, at) => (
              <input
                key={at}
                className={classes['number']}
                type="number"
                step="any"
                aria-label={`${stepName[step[0]]}的数值`}
                value={Number(value)}
                onChange={(event) => {
                  const next = [...step] as (string | number)[];
                  next[at + 1] = Number(event.currentTarget.value);
                  onChange(replaceAt(chosen, index, next as unknown as PostStep));
                }}
              />
            ))
          )}
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={`删除换算：${stepName[step[0]]}`}
            onClick={() => onChange(removeAt(chosen, index))}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </span>
      ))}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="compact-sm" variant="subtle" rightSection={<IconChevronDown size={14} aria-hidden />}>
            添加换算
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {steps.map(({ name, step }) => (
            <Menu.Item key={name} onClick={() => onChange([...chosen, step(norms[0] ?? '')])}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

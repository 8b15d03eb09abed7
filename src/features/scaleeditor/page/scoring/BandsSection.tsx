import { ActionIcon, Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconArrowMerge, IconArrowsSplit2, IconTrash } from '@tabler/icons-react';
import type { Band, Level, ScoreDef } from '#domain/scoring/scale.ts';
import { BandBar } from '#ui/charts/BandBar.tsx';
import { Section } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import {
  divideRange,
  mergeBand,
  setBandMode,
  setBands,
  setLimit,
  splitBand,
} from '#features/scaleeditor/page/edits/bandEdits.ts';
import { removeAt, replaceAt } from '#features/scaleeditor/page/edits/put.ts';
import { FaultLines } from '#features/scaleeditor/page/FaultLines.tsx';
import { describeRange, findRange } from '#features/scaleeditor/page/scoring/scoreRange.ts';
import classes from './scoring.module.css';

const LEVELS = ['0 级（正常）', '1 级（轻度）', '2 级（中度）', '3 级（中重度）', '4 级（重度）'];

/** 等级: the bands of each score over the scores that answers can reach. */
export function BandsSection() {
  const { scale } = useEditor();
  return (
    <Section title="等级">
      {scale.scores.length === 0 && <EmptyState title="还没有得分" hint="先在“得分与因子”里添加总分或因子，再划分等级" />}
      <Stack gap="xl" data-place="bands">
        {scale.scores.map((score) => (
          <ScoreBands key={score.c} score={score} />
        ))}
      </Stack>
    </Section>
  );
}

/** The bands of one score: the bar, a row a band, split and merge. */
function ScoreBands({ score }: { score: ScoreDef }) {
  const { scale, change } = useEditor();
  const bands = scale.bands[score.c] ?? [];
  const isHalfOpen = scale.bandmode?.[score.c] === 'halfopen';
  const range = findRange(scale, score);
  const ends: readonly [number, number] = range ? [range.min, range.max] : [0, 0];
  const set = (next: readonly Band[], tag = '') => change((before) => setBands(before, score.c, next), tag);
  const divide = (count: number) => {
    if (!range) return;
    const hasFractions = !range.isWhole;
    change((before) => {
      const mode = hasFractions ? setBandMode(before, score.c, 'halfopen') : before;
      return setBands(mode, score.c, divideRange(ends[0], ends[1], count, hasFractions || isHalfOpen, score.better === 'high'));
    });
  };
  return (
    <section data-place={`bands:${score.c}`} aria-label={`${score.n}的等级`}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Text fw={600}>{score.n || score.c}</Text>
        <Text size="sm" c="dimmed">
          {range ? `可能的得分：${describeRange(range)}` : '还没有题目'}
        </Text>
      </Group>
      {bands.length > 0 && (
        <BandBar
          bands={bands.map(([min, max, level, label]) => ({ min, max, level, label }))}
          min={ends[0]}
          max={ends[1]}
          halfopen={isHalfOpen}
          label={`${score.n}的等级：${bands.map((band) => band[3]).join('、')}`}
        />
      )}
      {bands.length > 0 && (
        <div className={classes['scroll']}>
          <table className={classes['bands']}>
            <thead>
              <tr>
                <th>从</th>
                <th>{isHalfOpen ? '到（不含）' : '到'}</th>
                <th>等级</th>
                <th>名称</th>
                <th aria-label="操作" />
              </tr>
            </thead>
            <tbody>
              {bands.map((band, index) => (
                <BandRow
                  key={index}
                  band={band}
                  index={index}
                  count={bands.length}
                  score={score}
                  onLimit={(end, value) => set(setLimit(bands, index, end, value, isHalfOpen), `band ${score.c} ${index} ${end}`)}
                  onLevel={(level) => set(replaceAt(bands, index, [band[0], band[1], level, band[3]]))}
                  onName={(name) =>
                    set(replaceAt(bands, index, [band[0], band[1], band[2], name]), `band ${score.c} ${index} name`)
                  }
                  onSplit={() => set(splitBand(bands, index, isHalfOpen, ends))}
                  onMerge={() => set(mergeBand(bands, index))}
                  onRemove={() => set(removeAt(bands, index))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Group gap="sm" mt="xs">
        {bands.length > 0 ? (
          <>
            <SegmentedControl
              size="xs"
              aria-label={`${score.n}的边界`}
              value={isHalfOpen ? 'halfopen' : 'closed'}
              onChange={(mode) => change((before) => setBandMode(before, score.c, mode as 'closed' | 'halfopen'))}
              data={[
                { value: 'closed', label: '含上限（整数分）' },
                { value: 'halfopen', label: '不含上限（小数分）' },
              ]}
            />
            <Button size="compact-sm" variant="subtle" color="red" onClick={() => set([])}>
              不分等级
            </Button>
          </>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              尚未分级。按可能的得分等分为
            </Text>
            {[2, 3, 4, 5].map((count) => (
              <Button key={count} size="compact-sm" variant="default" disabled={!range} onClick={() => divide(count)}>
                {count} 级
              </Button>
            ))}
          </>
        )}
      </Group>
      <FaultLines place={{ part: 'bands', code: score.c }} />
    </section>
  );
}

interface RowProps {
  band: Band;
  index: number;
  count: number;
  score: ScoreDef;
  onLimit: (end: 0 | 1, value: number | null) => void;
  onLevel: (level: Level) => void;
  onName: (name: string) => void;
  onSplit: () => void;
  onMerge: () => void;
  onRemove: () => void;
}

function BandRow({ band, index, count, score, onLimit, onLevel, onName, onSplit, onMerge, onRemove }: RowProps) {
  const [, , level, name] = band;
  const limit = (end: 0 | 1) => (
    <input
      className={classes['number']}
      type="number"
      step="any"
      placeholder={end === 0 ? '不限' : '以上'}
      aria-label={`${score.n}第 ${index + 1} 级的${end === 0 ? '下限' : '上限'}`}
      value={band[end] ?? ''}
      onChange={(event) => onLimit(end, event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
    />
  );
  return (
    <tr data-place={`bands:${score.c}:${index}`}>
      <td>{limit(0)}</td>
      <td>{limit(1)}</td>
      <td>
        <span className={classes['level']} style={{ background: `var(--level-${level})` }} aria-hidden />
        <NativeSelect
          size="xs"
          aria-label={`${score.n}第 ${index + 1} 级的等级`}
          value={String(level)}
          onChange={(event) => onLevel(Number(event.currentTarget.value) as Level)}
          data={LEVELS.map((label, value) => ({ value: String(value), label }))}
        />
      </td>
      <td>
        <input
          className={classes['bandname']}
          maxLength={20}
          aria-label={`${score.n}第 ${index + 1} 级的名称`}
          value={name}
          onChange={(event) => onName(event.currentTarget.value)}
        />
      </td>
      <td className={classes['tools']}>
        <ActionIcon variant="subtle" color="gray" aria-label={`拆分${name}`} title="拆分" onClick={onSplit}>
          <IconArrowsSplit2 size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${name}与下一级合并`}
          title="与下一级合并"
          disabled={index === count - 1}
          onClick={onMerge}
        >
          <IconArrowMerge size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" color="red" aria-label={`删除${name}`} title="删除" onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </td>
    </tr>
  );
}

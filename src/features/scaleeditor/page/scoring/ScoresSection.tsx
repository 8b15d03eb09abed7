import { Button, Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Section } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { addFactor, addTotal } from '#features/scaleeditor/page/edits/scoreEdits.ts';
import { FaultLines } from '#features/scaleeditor/page/FaultLines.tsx';
import { ScoreCard } from '#features/scaleeditor/page/scoring/ScoreCard.tsx';

/** 得分与因子: the total, the factors and other scores, in the order in which they are computed. */
export function ScoresSection() {
  const { scale, change } = useEditor();
  const hasTotal = scale.scores.some((score) => score.primary);
  const factors = scale.scores.filter((score) => !score.primary).length;
  return (
    <Section
      title={`得分与因子（${scale.scores.length}）`}
      right={
        <Group gap="xs">
          {!hasTotal && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => change(addTotal)}>
              添加总分
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => change((before) => addFactor(before, `因子 ${factors + 1}`, []).scale)}
          >
            添加因子
          </Button>
        </Group>
      }
    >
      {scale.scores.length === 0 && (
        <EmptyState title="还没有得分" hint="总分取全部计分的题目；因子取其中一部分。也可以在“题目”里勾选多题直接建立因子" />
      )}
      <Stack gap="lg" data-place="scores">
        {scale.scores.map((score, index) => (
          <ScoreCard key={score.c} score={score} index={index} />
        ))}
      </Stack>
      {scale.scores.length === 0 && <FaultLines place={{ part: 'scores' }} />}
    </Section>
  );
}

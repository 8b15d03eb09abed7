import { Stack, Text } from '@mantine/core';
import type { Fault, Place } from '#domain/scoring/editor/fault.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { keyOfFault, sectionOf, SECTIONS } from '#features/scaleeditor/page/places.ts';
import classes from './preview.module.css';

interface Props {
  faults: readonly Fault[];
  scale: Scale;
  onShow: (place: Place) => void;
}

/** All faults, errors first. Pressing one opens its place. */
export function FaultList({ faults, scale, onShow }: Props) {
  const groups = [
    { kind: 'error', title: '错误：改好后才能发布' },
    { kind: 'notice', title: '提示：发布时逐条确认' },
  ] as const;
  if (!faults.length)
    return (
      <Text size="sm" c="dimmed" py="md" ta="center" role="status">
        没有发现问题，可以发布
      </Text>
    );
  return (
    <Stack gap="md">
      {groups.map(({ kind, title }) => {
        const own = faults.filter((fault) => fault.kind === kind);
        if (!own.length) return null;
        return (
          <section key={kind} aria-label={title}>
            <Text size="sm" fw={600} mb={4}>
              {title}（{own.length}）
            </Text>
            <ul className={classes['faultlist']}>
              {own.map((fault) => (
                <li key={keyOfFault(fault)}>
                  <button type="button" data-kind={kind} onClick={() => onShow(fault.place)}>
                    <small>{whereOf(fault, scale)}</small>
                    {fault.message}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </Stack>
  );
}

/** Where a fault is, in words. */
function whereOf({ place }: Fault, scale: Scale): string {
  const section = SECTIONS.find(({ key }) => key === sectionOf(place.part))?.title ?? '';
  const index = place.part === 'items' ? scale.items.findIndex((item) => item.c === place.code) : -1;
  if (index >= 0) return `${section} · 第 ${index + 1} 题`;
  const score = scale.scores.find(({ c }) => c === place.code);
  return score && (place.part === 'scores' || place.part === 'bands') ? `${section} · ${score.n || score.c}` : section;
}

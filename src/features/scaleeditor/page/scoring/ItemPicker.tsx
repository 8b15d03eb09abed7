import { Button, Group, Input } from '@mantine/core';
import { useRef } from 'react';
import { isScored } from '#domain/scoring/exchange/defaultScores.ts';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import classes from './scoring.module.css';

interface Props {
  label: string;
  chosen: readonly string[];
  place: string;
  onChange: (codes: readonly string[], isMember: boolean) => void;
}

/** Questions as numbers to press. Shift chooses a range; reversed questions have a mark. */
export function ItemPicker({ label, chosen, place, onChange }: Props) {
  const { scale } = useEditor();
  const last = useRef<number>(undefined);
  const scored = scale.items.filter((item) => isScored(item, scale.optionsets)).map((item) => item.c);
  const press = (index: number, isRange: boolean) => {
    const from = isRange ? (last.current ?? index) : index;
    last.current = index;
    const isMember = !chosen.includes(scale.items[index]?.c ?? '');
    const range = scale.items.slice(Math.min(from, index), Math.max(from, index) + 1).map((item) => item.c);
    onChange(
      range.filter((code) => scored.includes(code) || chosen.includes(code)),
      isMember,
    );
  };
  const all = chosen.length === scored.length;
  return (
    <Input.Wrapper label={label} labelElement="div">
      <Group gap={6} mt={2} role="group" aria-label={label} data-place={place}>
        {scale.items.map((item, index) => {
          const isChosen = chosen.includes(item.c);
          if (!isChosen && !scored.includes(item.c)) return null;
          const isReversed = scale.reverse?.includes(item.c);
          return (
            <button
              key={item.c}
              type="button"
              className={classes['chip']}
              aria-pressed={isChosen}
              aria-label={`第 ${index + 1} 题${isReversed ? '（反向）' : ''}`}
              title={`${item.t}${isReversed ? '（反向）' : ''}`}
              onClick={(event) => press(index, event.shiftKey)}
            >
              {index + 1}
              {isReversed && <sup>反</sup>}
            </button>
          );
        })}
        {scored.length > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(scored, !all)}>
            {all ? '全不选' : '全选'}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}

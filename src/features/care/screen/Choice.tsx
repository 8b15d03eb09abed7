import { Chip, Group, Input } from '@mantine/core';
import classes from './followup.module.css';

interface Props {
  label: string;
  /** '': nothing is chosen */
  value: string;
  options: readonly { readonly value: string | number; readonly label: string }[];
  onChange: (value: string) => void;
}

/** A choice of short words, one tap each. */
export function Choice({ label, value, options, onChange }: Props) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <Chip.Group value={value} onChange={onChange}>
        <Group gap={6} mt={4} role="radiogroup" aria-label={label}>
          {options.map((option) => (
            <Chip key={option.value} size="sm" value={String(option.value)} classNames={{ label: classes['chip'] ?? '' }}>
              {option.label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}

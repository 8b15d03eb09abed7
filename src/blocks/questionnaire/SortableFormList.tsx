import { ActionIcon, Switch } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SortableList } from '#ui/form/SortableList.tsx';

interface Line {
  formcode: string;
  /** 0: may be left out */
  required?: number | undefined;
}
interface Props<L extends Line> {
  lines: readonly L[];
  onChange: (lines: L[]) => void;
  nameOf: (line: L) => string;
  /** The text below its name. */
  hintOf?: (line: L) => ReactNode;
  /** A key for each line, where a form may appear twice. */
  keyOf?: (line: L) => string;
  /** Another field of the line, between its name and its switch. */
  fieldOf?: (line: L, index: number) => ReactNode;
  /** The fault of a line. */
  faultOf?: (line: L) => string | undefined;
}

/**
 * Questionnaires in their order. The reader moves them with the pointer, with the arrow keys on the handle, or with the buttons, makes
 * them required or optional, and removes them.
 */
export function SortableFormList<L extends Line>({
  lines,
  onChange,
  nameOf,
  hintOf,
  keyOf = (line) => line.formcode,
  fieldOf,
  faultOf,
}: Props<L>) {
  return (
    <SortableList
      lines={lines}
      onSort={onChange}
      unit="份"
      nameOf={nameOf}
      keyOf={keyOf}
      hintOf={hintOf}
      fieldOf={fieldOf}
      faultOf={faultOf}
      before={(line) => (
        <Switch
          size="xs"
          label="必答"
          aria-label={`${nameOf(line)}必答`}
          checked={line.required !== 0}
          onChange={(event) => {
            const required = event.currentTarget.checked ? 1 : 0;
            onChange(lines.map((item) => (item === line ? { ...item, required } : item)));
          }}
        />
      )}
      after={(line) => (
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={`移除${nameOf(line)}`}
          onClick={() => onChange(lines.filter((item) => item !== line))}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
    />
  );
}

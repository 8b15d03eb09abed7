import { Alert, Button, Group, Select, Text } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { findClassNumber } from '#contract/workbook/classNumbers.ts';
import type { ImportKind } from '#contract/workbook/importSheet.ts';
import { Badge, type Tone } from '#ui/display/badges.tsx';
import type { Importing } from '#blocks/import/useImport.ts';
import classes from './import.module.css';

/** The choices of all columns after one of them gets a meaning. */
function chooseMeaning({ columns, mapping, width }: Importing, at: number, key: string | null): (string | null)[] {
  const next = Array.from({ length: width }, (_, place) => {
    const choice = mapping[place];
    return choice === undefined ? '' : choice;
  });
  // A meaning belongs to one column: the previous column is no longer read.
  if (key)
    for (const other of columns)
      if (other.index !== null && other.index !== at && other.key === key && other.state === 'matched') next[other.index] = null;
  next[at] = key;
  return next;
}

/** Asks whether 班内学号 becomes the student number, in a list that has no other number. */
export function ClassNumberQuestion({ kind, importing }: { kind: ImportKind; importing: Importing }) {
  const [isAnswered, setIsAnswered] = useState(false);
  const column = findClassNumber(importing.columns);
  if ((kind !== 'roster' && kind !== 'students') || !column || isAnswered) return null;
  const key = kind === 'roster' ? 'cuserno' : 'studentno';
  return (
    <Alert color="yellow" icon={<IconHelpCircle size={18} />}>
      <Text size="sm" fw={600} c="var(--ink)">
        名单没有学号，只有“{column.head}”。要用它作为学号吗？
      </Text>
      <Text size="sm" mb="xs">
        “{column.head}”只在班内唯一，会与入学年份、班级合成学号，例如 2025 级 3 班 7 号成为 20250307。学生作答时用合成的学号。
      </Text>
      <Group gap="xs">
        <Button size="compact-sm" onClick={() => importing.map(chooseMeaning(importing, column.index as number, key))}>
          与班级合成学号
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => setIsAnswered(true)}>
          不用，学生用姓名、班级和生日进入
        </Button>
      </Group>
    </Alert>
  );
}

const STATES: Readonly<Record<string, readonly [string, Tone]>> = {
  matched: ['已匹配', 'green'],
  ignored: ['未导入', 'gray'],
  repeated: ['重复', 'amber'],
  missing: ['缺少', 'red'],
};

/** The meaning of each column of the file; the reader can change it. */
export function ImportColumns({ importing }: { importing: Importing }) {
  const [open, setOpen] = useState(importing.missing.length > 0);
  const inFile = importing.columns.filter((column) => column.index !== null);
  const unused = inFile.filter((column) => column.why !== undefined);
  const count = (state: string) => importing.columns.filter((column) => column.state === state).length;
  const choose = (at: number, key: string | null) => importing.map(chooseMeaning(importing, at, key));
  return (
    <section aria-label="列的匹配">
      <Button variant="default" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        列：已匹配 {count('matched')}，未导入 {count('ignored') + count('repeated')}
        {count('missing') ? `，缺少 ${count('missing')}` : ''} {open ? '收起' : '查看'}
      </Button>
      {!open && unused.length > 0 && (
        <Text size="sm" c="dimmed" mt={4} lineClamp={2}>
          未导入：{unused.map((column) => column.head).join('、')}（点“查看”可见原因）
        </Text>
      )}
      {open && (
        <ul className={classes['columns']} style={{ marginTop: 8 }}>
          {inFile.map((column) => {
            const state = STATES[column.state] ?? STATES['ignored'];
            return (
              <li key={column.index}>
                <Select
                  size="xs"
                  w={190}
                  label={
                    <>
                      {column.head} {state && <Badge tone={state[1]}>{state[0]}</Badge>}
                    </>
                  }
                  placeholder="不使用"
                  clearable
                  value={column.state === 'matched' ? column.key : null}
                  {...(column.why ? { description: column.why } : {})}
                  data={importing.sheet.columns
                    .filter((candidate) => !candidate.isCheckOnly)
                    .map(({ key, head }) => ({ value: key, label: head }))}
                  onChange={(key) => choose(column.index as number, key)}
                />
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconPlus, IconTrash, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { OptionRow } from '#domain/scoring/scale.ts';
import { Section } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { removeAt, replaceAt } from '#features/scaleeditor/page/edits/put.ts';
import { changeSet, freeSetName, readySets, removeSet, renameSet } from '#features/scaleeditor/page/edits/readySets.ts';
import { FaultLines } from '#features/scaleeditor/page/FaultLines.tsx';
import classes from './items.module.css';

/** 选项组: the sets of options that questions share, with the points of each option. */
export function OptionSetsSection() {
  const { scale, change } = useEditor();
  const names = Object.keys(scale.optionsets);
  const add = (name: string, rows: readonly OptionRow[]) =>
    change((before) => changeSet(before, freeSetName(before, name), rows));
  return (
    <Section
      title={`选项组（${names.length}）`}
      right={
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              rightSection={<IconChevronDown size={16} aria-hidden />}
            >
              添加选项组
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              onClick={() =>
                add('选项组', [
                  ['0', '', 0],
                  ['1', '', 1],
                ])
              }
            >
              空白选项组
            </Menu.Item>
            <Menu.Label>常用选项组</Menu.Label>
            {readySets.map(({ name, rows }) => (
              <Menu.Item key={name} onClick={() => add(name, rows)}>
                {name}
                <Text size="xs" c="dimmed">
                  {rows.map(([, label, points]) => `${label}=${points}`).join('；')}
                </Text>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      }
    >
      {names.length === 0 && <EmptyState title="还没有选项组" hint="单选题和多选题从选项组取选项，多道题可以共用一组" />}
      <Stack gap="lg">
        {Object.entries(scale.optionsets).map(([name, rows]) => (
          <OptionSet
            key={name}
            name={name}
            rows={rows}
            usedCount={scale.items.filter((item) => item.o === name).length}
            isFree={scale.formtype === '02' || scale.formtype === '03'}
          />
        ))}
      </Stack>
    </Section>
  );
}

interface SetProps {
  name: string;
  rows: readonly OptionRow[];
  usedCount: number;
  /** true: options need no points */
  isFree: boolean;
}

/** One set: its name, and its options in rows. Enter adds an option. */
function OptionSet({ name, rows, usedCount, isFree }: SetProps) {
  const { change } = useEditor();
  const [title, setTitle] = useState(name);
  const table = useRef<HTMLTableSectionElement>(null);
  const setRows = (next: readonly OptionRow[], tag = '') => change((before) => changeSet(before, name, next), tag);
  const addRow = (at: number) => {
    const codes = rows.map(([code]) => code);
    const points = rows.map((row) => row[2]).filter((value) => value !== null);
    const next = points.length ? Math.max(...points) + 1 : null;
    let number = next ?? rows.length;
    while (codes.includes(String(number))) number++;
    setRows([...rows.slice(0, at), [String(number), '', next], ...rows.slice(at)]);
    setTimeout(() => table.current?.rows[at]?.querySelector('input')?.focus(), 30);
  };
  const move = (index: number, by: number) => {
    const next = [...rows];
    const [row] = next.splice(index, 1);
    if (row) next.splice(index + by, 0, row);
    setRows(next);
  };
  return (
    <div className={classes['set']} data-place={`optionsets:${name}`}>
      <Group gap="xs" mb={6}>
        <input
          className={classes['setname']}
          aria-label="选项组名称"
          maxLength={40}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          onBlur={() => {
            change((before) => renameSet(before, name, title.trim()));
            setTitle(name);
          }}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
        <Text size="xs" c="dimmed">
          {usedCount ? `${usedCount} 题使用` : '没有题目使用'}
        </Text>
        <ActionIcon
          variant="subtle"
          color="red"
          ml="auto"
          aria-label={`删除选项组${name}`}
          onClick={() => change((before) => removeSet(before, name))}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <table className={classes['options']}>
        <thead>
          <tr>
            <th>选项</th>
            <th className={classes['points']}>分值</th>
            <th aria-label="操作" />
          </tr>
        </thead>
        <tbody ref={table}>
          {rows.map(([code, label, points], index) => (
            <tr key={code} data-place={`optionsets:${name}:${index}`}>
              <td>
                <input
                  aria-label={`第 ${index + 1} 个选项`}
                  maxLength={100}
                  value={label}
                  onChange={(event) =>
                    setRows(replaceAt(rows, index, [code, event.currentTarget.value, points]), `option ${name} ${code}`)
                  }
                  onKeyDown={(event) => {
                    if (event.key === 'Enter' && !event.nativeEvent.isComposing) addRow(index + 1);
                    else if (event.key === 'Backspace' && label === '' && rows.length > 1) setRows(removeAt(rows, index));
                    else if (event.altKey && event.key === 'ArrowUp' && index > 0) move(index, -1);
                    else if (event.altKey && event.key === 'ArrowDown' && index < rows.length - 1) move(index, 1);
                    else return;
                    event.preventDefault();
                  }}
                />
              </td>
              <td className={classes['points']}>
                <PointsInput
                  label={`第 ${index + 1} 个选项的分值`}
                  value={points}
                  onChange={(value) => setRows(replaceAt(rows, index, [code, label, value]), `points ${name} ${code}`)}
                />
              </td>
              <td className={classes['tools']}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`上移选项${label}`}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                >
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`下移选项${label}`}
                  disabled={index === rows.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <IconArrowDown size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`删除选项${label}`}
                  onClick={() => setRows(removeAt(rows, index))}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Group gap="xs" mt={4}>
        <Button size="compact-sm" variant="subtle" onClick={() => addRow(rows.length)}>
          添加选项
        </Button>
        {isFree && (
          <Text size="xs" c="dimmed">
            这类表不计分，分值可以留空
          </Text>
        )}
      </Group>
      <FaultLines place={{ part: 'optionsets', code: name }} />
    </div>
  );
}

/** The points of an option. The text stays as it is typed until it is a number; empty means without points. */
function PointsInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  const [text, setText] = useState<string>();
  return (
    <input
      aria-label={label}
      inputMode="decimal"
      value={text ?? (value === null ? '' : String(value))}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setText(typed);
        if (typed.trim() === '') onChange(null);
        else if (Number.isFinite(Number(typed))) onChange(Number(typed));
      }}
      onBlur={() => setText(undefined)}
    />
  );
}

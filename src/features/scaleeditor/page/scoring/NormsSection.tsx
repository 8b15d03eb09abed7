import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Cond, Scale } from '#domain/scoring/scale.ts';
import { can } from '#ui/api/session.ts';
import { Section } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { getNormPageList } from '#features/norm/norm.contract.ts';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { put, removeAt, replaceAt } from '#features/scaleeditor/page/edits/put.ts';
import { FaultLines } from '#features/scaleeditor/page/FaultLines.tsx';
import { CopyNormDialog } from '#features/scaleeditor/page/scoring/CopyNormDialog.tsx';
import classes from './scoring.module.css';

type Norm = NonNullable<Scale['norms']>[string][number];

/** Changes the rows of a norm; without rows the norm disappears. */
function setNorm(scale: Scale, name: string, rows: readonly Norm[] | undefined): Scale {
  const norms = Object.fromEntries(
    Object.entries({ ...scale.norms, [name]: rows ?? [] }).filter(([key]) => rows !== undefined || key !== name),
  );
  return put(scale, { norms: Object.keys(norms).length ? norms : undefined });
}

/** 常模: means and deviations by sex and age, for T scores. */
export function NormsSection() {
  const { scale, change } = useEditor();
  const [name, setName] = useState('');
  const [isCopying, setIsCopying] = useState(false);
  const norms = Object.entries(scale.norms ?? {});
  const text = name.trim();
  const add = () => {
    if (!text || text in (scale.norms ?? {})) return;
    change((before) => setNorm(before, text, [{ mean: 0, sd: 1, source: '' }]));
    setName('');
  };
  return (
    <Section title={`常模（${norms.length}）`}>
      <Text size="sm" c="dimmed" mb="sm">
        换算 T 分时使用。分性别、年龄的行从上到下，取第一条适合受测者的；不填性别和年龄的行适合所有人。
      </Text>
      {norms.length === 0 && <EmptyState title="还没有常模" hint="不需要换算 T 分的量表可以跳过这一部分" />}
      <Stack gap="lg" data-place="norms">
        {norms.map(([key, rows]) => (
          <NormTable key={key} name={key} rows={rows} />
        ))}
      </Stack>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <Group gap="xs" mt="md">
          <input
            className={classes['bandname']}
            style={{ width: 220 }}
            aria-label="新常模的名称"
            placeholder="名称，例如：全国中学生 2020"
            maxLength={40}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button
            type="submit"
            size="compact-md"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={!text}
          >
            添加常模
          </Button>
          {can(getNormPageList) && (
            <Button size="compact-md" variant="default" onClick={() => setIsCopying(true)}>
              从常模库复制
            </Button>
          )}
        </Group>
      </form>
      {isCopying && (
        <CopyNormDialog
          onClose={() => setIsCopying(false)}
          onCopy={(normname, line) => {
            change((before) => setNorm(before, normname, [...(before.norms?.[normname] ?? []), line]));
            setIsCopying(false);
          }}
        />
      )}
    </Section>
  );
}

interface Person {
  gender: string;
  from: string;
  to: string;
}

/** Sex and ages of a row. A condition of another form stays as it is until somebody changes the row. */
function personOf(where: Cond | undefined): Person {
  const parts = where === undefined ? [] : 'all' in where ? where.all : [where];
  const person: Person = { gender: '', from: '', to: '' };
  for (const part of parts) {
    if (!('person' in part)) continue;
    if (part.person === 'gender') person.gender = String(part.eq ?? '');
    if (part.person === 'age' && part.gte !== undefined) person.from = String(part.gte);
    if (part.person === 'age' && part.lte !== undefined) person.to = String(part.lte);
  }
  return person;
}

function whereOf({ gender, from, to }: Person): Cond | undefined {
  const parts: Cond[] = [
    ...(gender ? [{ person: 'gender', eq: gender }] : []),
    ...(from ? [{ person: 'age', gte: Number(from) }] : []),
    ...(to ? [{ person: 'age', lte: Number(to) }] : []),
  ];
  return parts.length > 1 ? { all: parts } : parts[0];
}

/** The rows of one norm. */
function NormTable({ name, rows }: { name: string; rows: readonly Norm[] }) {
  const { change } = useEditor();
  const set = (next: readonly Norm[], tag = '') => change((before) => setNorm(before, name, next), tag);
  return (
    <section data-place={`norms:${name}`} aria-label={name}>
      <Group gap="xs" mb={4}>
        <Text fw={600}>{name}</Text>
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={`删除常模${name}`}
          onClick={() => change((before) => setNorm(before, name, undefined))}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <div className={classes['scroll']}>
        <table className={classes['bands']}>
          <thead>
            <tr>
              <th>性别</th>
              <th>年龄从</th>
              <th>到</th>
              <th>均值</th>
              <th>标准差</th>
              <th>来源</th>
              <th aria-label="操作" />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => {
              const person = personOf(row.where);
              const update = (changes: Partial<Norm>, tag: string) =>
                set(replaceAt(rows, index, put(row, changes)), `norm ${name} ${index} ${tag}`);
              const setPerson = (changes: Partial<Person>) =>
                set(replaceAt(rows, index, put(row, { where: whereOf({ ...person, ...changes }) })));
              const box = (label: string, value: string | number, onChange: (value: string) => void) => (
                <input
                  className={classes['number']}
                  type="number"
                  step="any"
                  aria-label={`${name}第 ${index + 1} 行的${label}`}
                  value={value}
                  onChange={(event) => onChange(event.currentTarget.value)}
                />
              );
              return (
                <tr key={index} data-place={`norms:${name}:${index}`}>
                  <td>
                    <select
                      className={classes['number']}
                      aria-label={`${name}第 ${index + 1} 行的性别`}
                      value={person.gender}
                      onChange={(event) => setPerson({ gender: event.currentTarget.value })}
                    >
                      <option value="">不限</option>
                      <option value="01">男</option>
                      <option value="02">女</option>
                    </select>
                  </td>
                  <td>{box('最小年龄', person.from, (from) => setPerson({ from }))}</td>
                  <td>{box('最大年龄', person.to, (to) => setPerson({ to }))}</td>
                  <td>{box('均值', row.mean, (mean) => update({ mean: Number(mean) }, 'mean'))}</td>
                  <td>{box('标准差', row.sd, (sd) => update({ sd: Number(sd) }, 'sd'))}</td>
                  <td>
                    <input
                      className={classes['bandname']}
                      maxLength={200}
                      aria-label={`${name}第 ${index + 1} 行的来源`}
                      value={row.source}
                      onChange={(event) => update({ source: event.currentTarget.value }, 'source')}
                    />
                  </td>
                  <td>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`删除${name}第 ${index + 1} 行`}
                      onClick={() => set(removeAt(rows, index))}
                    >
                      <IconX size={16} aria-hidden />
                    </ActionIcon>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => set([...rows, { mean: 0, sd: 1, source: rows[0]?.source ?? '' }])}
      >
        添加一行
      </Button>
      <FaultLines place={{ part: 'norms', code: name }} />
    </section>
  );
}

import { ActionIcon, Button, Group, Input, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { expand } from '#domain/scoring/condition.ts';
import type { Cmp, Cond, Item, Scale } from '#domain/scoring/scale.ts';
import { conditionText } from '#domain/scoring/scoringText.ts';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { removeAt, replaceAt } from '#features/scaleeditor/page/edits/put.ts';
import classes from './scoring.module.css';

export type Subject = 'item' | 'score' | 'level' | 'count' | 'person';

interface Props {
  label: string;
  hint?: string;
  value: Cond | undefined;
  /** what the condition may read */
  subjects: readonly Subject[];
  /** the questions that it may read; all when absent */
  items?: readonly Item[];
  onChange: (value: Cond | undefined) => void;
  /** the condition is mandatory: it cannot be removed as a whole */
  isRequired?: boolean;
}

/** The parts of a condition and how they are joined; a single part counts as 且. */
function partsOf(value: Cond | undefined): { join: 'all' | 'any'; parts: readonly Cond[] } {
  if (value === undefined) return { join: 'all', parts: [] };
  if ('all' in value) return { join: 'all', parts: value.all };
  if ('any' in value) return { join: 'any', parts: value.any };
  return { join: 'all', parts: [value] };
}

const joinParts = (join: 'all' | 'any', parts: readonly Cond[]): Cond | undefined =>
  parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : join === 'all' ? { all: parts } : { any: parts };

/** A condition in words: parts with a subject, a comparison and a value, joined by 且 or 或. */
export function ConditionEditor({ label, hint, value, subjects, items, onChange, isRequired = false }: Props) {
  const { scale } = useEditor();
  const { join, parts } = partsOf(value);
  const choices = choicesOf(scale, subjects, items ?? scale.items);
  const first = choices[0];
  const add = () => first && onChange(joinParts(join, [...parts, condOf(scale, first.value)]));
  return (
    <Input.Wrapper label={label} description={hint} labelElement="div">
      <div className={classes['condition']} role="group" aria-label={label}>
        {parts.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={`${label}的连接方式`}
            value={join}
            onChange={(next) => onChange(joinParts(next as 'all' | 'any', parts))}
            data={[
              { value: 'all', label: '同时满足（且）' },
              { value: 'any', label: '满足其一（或）' },
            ]}
          />
        )}
        {parts.map((part, index) => (
          <Part
            key={index}
            part={part}
            name={`${label}第 ${index + 1} 项`}
            choices={choices}
            scale={scale}
            onChange={(next) => onChange(joinParts(join, replaceAt(parts, index, next)))}
            onRemove={isRequired && parts.length === 1 ? undefined : () => onChange(joinParts(join, removeAt(parts, index)))}
          />
        ))}
        {first ? (
          <Button size="compact-xs" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            {parts.length ? '再加一个条件' : `设置${label}`}
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            前面还没有可以用作条件的题目
          </Text>
        )}
      </div>
    </Input.Wrapper>
  );
}

interface Choice {
  value: string;
  label: string;
  group: string;
}

const shorten = (text: string) => (text.length > 16 ? `${text.slice(0, 16)}…` : text);

/** What a part may read, as options of a list. */
function choicesOf(scale: Scale, subjects: readonly Subject[], items: readonly Item[]): Choice[] {
  const scores = scale.scores.map((score) => ({ code: score.c, name: score.n || score.c }));
  const numberOf = (item: Item) => scale.items.indexOf(item) + 1;
  return subjects.flatMap((subject): Choice[] => {
    switch (subject) {
      case 'item':
        return items.map((item) => ({
          value: `item:${item.c}`,
          label: `第 ${numberOf(item)} 题 ${shorten(item.t)}`,
          group: '题目得分',
        }));
      case 'score':
        return scores.map(({ code, name }) => ({ value: `score:${code}`, label: name, group: '得分' }));
      case 'level':
        return scores
          .filter(({ code }) => scale.bands[code]?.length)
          .map(({ code, name }) => ({ value: `level:${code}`, label: `${name}的等级`, group: '等级' }));
      case 'count':
        return items.length > 1 ? [{ value: 'count:', label: `前 ${items.length} 题中达到某分的题数`, group: '题数' }] : [];
      case 'person':
        return [
          { value: 'person:age', label: '年龄', group: '受测者' },
          { value: 'person:gender', label: '性别', group: '受测者' },
        ];
    }
  });
}

/** A new part about a subject, with a usual comparison. */
function condOf(scale: Scale, choice: string): Cond {
  const [subject, code = ''] = choice.split(':');
  if (subject === 'score') return { score: code, gte: 1 };
  if (subject === 'level') return { level: code, gte: 2 };
  if (subject === 'count') {
    const codes = scale.items.map((item) => item.c);
    return { count: codes.length > 1 ? `${codes[0]}..${codes.at(-1)}` : codes, where: { gte: 1 }, gte: 1 };
  }
  if (subject === 'person') return code === 'gender' ? { person: 'gender', eq: '02' } : { person: 'age', gte: 18 };
  const item = scale.items.find((candidate) => candidate.c === code);
  const points = (scale.optionsets[item?.o ?? ''] ?? []).map((row) => row[2]).filter((value) => value !== null);
  const lowest = points.length ? Math.min(...points) : 0;
  const positive = points.filter((value) => value > lowest);
  return { item: code, gte: positive.length ? Math.min(...positive) : lowest };
}

/** The choice of a part, or undefined for parts that only an imported definition has. */
function choiceOf(part: Cond): string | undefined {
  if ('all' in part || 'any' in part || 'not' in part || 'flag' in part || 'valid' in part || 'form' in part || 'delta' in part)
    return undefined;
  if (operatorsOf(part).length !== 1 || operatorsOf(part)[0] === 'in') return undefined;
  if ('item' in part) return `item:${part.item}`;
  if ('score' in part) return `score:${part.score}`;
  if ('level' in part) return `level:${part.level}`;
  if ('person' in part) return part.person === 'age' || part.person === 'gender' ? `person:${part.person}` : undefined;
  return 'count:';
}

const OPERATORS = { gte: '≥', gt: '＞', lte: '≤', lt: '＜', eq: '＝', ne: '≠', in: '属于' } as const;
type Operator = keyof typeof OPERATORS;
const operatorsOf = (cmp: object) => (Object.keys(OPERATORS) as Operator[]).filter((key) => key in cmp);

/** Replaces the comparison of a part. */
function compareBy<T extends Cmp>(part: T, operator: Operator, limit: string | number): T {
  const rest = Object.fromEntries(Object.entries(part).filter(([key]) => !(key in OPERATORS)));
  return { ...rest, [operator]: limit } as T;
}

interface PartProps {
  part: Cond;
  name: string;
  choices: readonly Choice[];
  scale: Scale;
  onChange: (part: Cond) => void;
  onRemove: (() => void) | undefined;
}

/** One part: subject, comparison, value. A part that the builder cannot show stands as text. */
function Part({ part, name, choices, scale, onChange, onRemove }: PartProps) {
  const choice = choiceOf(part);
  const remove = onRemove && (
    <ActionIcon variant="subtle" color="gray" aria-label={`删除${name}`} onClick={onRemove}>
      <IconX size={16} aria-hidden />
    </ActionIcon>
  );
  if (choice === undefined)
    return (
      <Group gap="xs" wrap="nowrap">
        <Text size="sm">（{conditionText(scale, part)}）</Text>
        {remove}
      </Group>
    );
  const cmp = part as Cmp;
  const operator = operatorsOf(cmp)[0] ?? 'gte';
  const limit = cmp[operator];
  const groups = [...new Set(choices.map(({ group }) => group))];
  const isKnown = choices.some(({ value }) => value === choice);
  const set = (nextOperator: Operator, nextLimit: string | number) =>
    onChange(compareBy(part as Cond & Cmp, nextOperator, nextLimit) as Cond);
  const isGender = choice === 'person:gender';
  return (
    <Group gap={6} className={classes['part']}>
      <NativeSelect
        size="xs"
        aria-label={`${name}：内容`}
        value={choice}
        error={!isKnown}
        onChange={(event) => onChange(condOf(scale, event.currentTarget.value))}
      >
        {!isKnown && <option value={choice}>已不存在的内容</option>}
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            {choices
              .filter((candidate) => candidate.group === group)
              .map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
          </optgroup>
        ))}
      </NativeSelect>
      {'count' in part && <CountOf part={part} name={name} scale={scale} onChange={onChange} />}
      {!isGender && (
        <NativeSelect
          size="xs"
          w={62}
          aria-label={`${name}：比较`}
          value={operator}
          onChange={(event) => set(event.currentTarget.value as Operator, limit as number)}
          data={(['gte', 'gt', 'lte', 'lt', 'eq', 'ne'] as const).map((key) => ({ value: key, label: OPERATORS[key] }))}
        />
      )}
      <Limit choice={choice} name={name} scale={scale} value={limit} onChange={(next) => set(isGender ? 'eq' : operator, next)} />
      {remove}
    </Group>
  );
}

/** Which points count, for a number of questions. */
function CountOf({
  part,
  name,
  scale,
  onChange,
}: {
  part: Extract<Cond, { count: unknown }>;
  name: string;
  scale: Scale;
  onChange: (part: Cond) => void;
}) {
  const number = (code: string) => scale.items.findIndex((item) => item.c === code) + 1;
  const codes = expand(part.count, scale.items);
  return (
    <>
      <Text size="xs">
        第 {number(codes[0] ?? '')}–{number(codes.at(-1) ?? '')} 题中得分 ≥
      </Text>
      <NumberBox
        label={`${name}：每题的分数`}
        value={part.where.gte ?? 1}
        onChange={(gte) => onChange({ ...part, where: { gte } })}
      />
      <Text size="xs">的题数</Text>
    </>
  );
}

/** The value that a part compares with: an option of a question, a level, a gender, or a number. */
function Limit({
  choice,
  name,
  scale,
  value,
  onChange,
}: {
  choice: string;
  name: string;
  scale: Scale;
  value: Cmp[keyof Cmp];
  onChange: (value: string | number) => void;
}) {
  const label = `${name}：数值`;
  const [subject, code = ''] = choice.split(':');
  const item = subject === 'item' ? scale.items.find((candidate) => candidate.c === code) : undefined;
  const rows = item && (item.type ?? 1) === 1 ? (scale.optionsets[item.o ?? ''] ?? []) : [];
  const isReversed = scale.reverse?.includes(code) ?? false;
  const points = rows.filter((row) => row[2] !== null);
  if (points.length && !isReversed && points.some((row) => row[2] === value))
    return (
      <NativeSelect
        size="xs"
        aria-label={label}
        value={String(value)}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
        data={points.map(([, text, score]) => ({ value: String(score), label: `${score} 分（${text}）` }))}
      />
    );
  if (choice === 'person:gender')
    return (
      <NativeSelect
        size="xs"
        aria-label={label}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[
          { value: '01', label: '男' },
          { value: '02', label: '女' },
        ]}
      />
    );
  const unit = subject === 'level' ? '级' : subject === 'person' ? '岁' : subject === 'count' ? '题' : '分';
  return (
    <>
      <NumberBox label={label} value={typeof value === 'number' ? value : 0} onChange={onChange} />
      <Text size="xs">{unit}</Text>
    </>
  );
}

/** A small number. */
function NumberBox({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <input
      className={classes['number']}
      type="number"
      step="any"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}

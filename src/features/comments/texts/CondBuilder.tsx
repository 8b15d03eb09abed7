import { ActionIcon, Button, Group, Input, NumberInput, Select, Stack, Switch, Text, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { archiveFieldsOf } from '#domain/person/archive.ts';
import type { CommentaryCond } from '#domain/report/commentary/commentary.ts';
import { commentCond } from '#features/comments/comments.contract.ts';

type Kind = 'score' | 'level' | 'item' | 'delta' | 'overall' | 'alert' | 'archive';
type Op = 'gte' | 'lte' | 'eq';
interface Line {
  kind: Kind;
  /** `PHQ9.total`, `PHQ9.q9` or the code of an archive field */
  target: string;
  op: Op;
  value: number | string;
}

const kinds: readonly { value: Kind; label: string }[] = [
  { value: 'score', label: '得分' },
  { value: 'level', label: '等级' },
  { value: 'item', label: '题目得分' },
  { value: 'delta', label: '与上次之差' },
  { value: 'overall', label: '综合等级' },
  { value: 'alert', label: '有无预警' },
  { value: 'archive', label: '档案字段' },
];
const ops: readonly { value: Op; label: string }[] = [
  { value: 'gte', label: '≥' },
  { value: 'lte', label: '≤' },
  { value: 'eq', label: '=' },
];

/** The line of a condition with one comparison; undefined for a condition that only JSON shows. */
function lineOf(cond: CommentaryCond): Line | undefined {
  const keys = Object.keys(cond);
  if ('hasalert' in cond) return { kind: 'alert', target: '', op: 'eq', value: cond.hasalert };
  if ('overall' in cond) return { kind: 'overall', target: '', op: 'eq', value: cond.overall };
  if ('overallgte' in cond) return { kind: 'overall', target: '', op: 'gte', value: cond.overallgte };
  const kind = (['archive', 'delta', 'item', 'score', 'level'] as const).find((key) => key in cond);
  const op = ops.find(({ value }) => value in cond)?.value;
  if (!kind || !op) return undefined;
  const fields = cond as unknown as Record<string, string | number>;
  const form = typeof fields['form'] === 'string' ? `${fields['form']}.` : '';
  if (keys.length !== (form ? 3 : 2) || typeof fields[kind] !== 'string') return undefined;
  return { kind, target: `${form}${fields[kind]}`, op, value: fields[op] ?? '' };
}

/** The lines of a condition, and whether all of them must be true; undefined for a condition that only JSON shows. */
export function linesOf(cond: CommentaryCond | null | undefined): { joint: 'all' | 'any'; lines: Line[] } | undefined {
  if (!cond) return { joint: 'all', lines: [] };
  const joint = 'any' in cond ? 'any' : 'all';
  const parts = 'all' in cond ? cond.all : 'any' in cond ? cond.any : [cond];
  const lines = parts.map(lineOf);
  return lines.every((line) => line !== undefined) ? { joint, lines } : undefined;
}

function condOf({ kind, target, op, value }: Line): CommentaryCond {
  if (kind === 'alert') return { hasalert: Number(value) === 1 ? 1 : 0 };
  if (kind === 'overall') return op === 'eq' ? { overall: Number(value) } : { overallgte: Number(value) };
  return { [kind]: target, [op]: value } as unknown as CommentaryCond;
}

const toCond = (joint: 'all' | 'any', lines: readonly Line[]): CommentaryCond | null => {
  const [first] = lines;
  if (!first) return null;
  return lines.length === 1 ? condOf(first) : ({ [joint]: lines.map(condOf) } as unknown as CommentaryCond);
};

interface Props {
  value: CommentaryCond | null | undefined;
  onChange: (cond: CommentaryCond | null) => void;
  error: ReactNode;
  /** what 得分 and 等级 may name */
  scores: readonly { value: string; label: string }[];
}

/** The condition of a paragraph in lines; JSON for what lines cannot say. */
export function CondBuilder({ value, onChange, error, scores }: Props) {
  const parsed = linesOf(value);
  const [isExpert, setIsExpert] = useState(parsed === undefined);
  const [json, setJson] = useState(value ? JSON.stringify(value, null, 1) : '');
  const [fault, setFault] = useState('');
  const { joint, lines } = parsed ?? { joint: 'all' as const, lines: [] };
  const change = (next: readonly Line[], by: 'all' | 'any' = joint) => {
    const cond = toCond(by, next);
    setJson(cond ? JSON.stringify(cond, null, 1) : '');
    onChange(cond);
  };
  const typeJson = (text: string) => {
    setJson(text);
    try {
      onChange(text.trim() ? commentCond.parse(JSON.parse(text)) : null);
      setFault('');
    } catch {
      setFault('不是可用的条件，请检查括号与字段名');
    }
  };
  return (
    <Input.Wrapper label="其他条件" error={error ?? fault} data-path="cond" tabIndex={-1}>
      <Stack gap="xs" mt={4}>
        {isExpert ? (
          <Textarea
            aria-label="条件原文"
            autosize
            minRows={3}
            value={json}
            onChange={(event) => typeJson(event.currentTarget.value)}
          />
        ) : (
          <>
            {lines.length > 1 && (
              <Select
                aria-label="条件之间"
                w={180}
                allowDeselect={false}
                data={[
                  { value: 'all', label: '同时满足' },
                  { value: 'any', label: '满足任一' },
                ]}
                value={joint}
                onChange={(next) => change(lines, next as 'all' | 'any')}
              />
            )}
            {lines.map((line, index) => (
              <ConditionLine
                key={index}
                index={index}
                line={line}
                scores={scores}
                onChange={(next) => change(lines.map((old, place) => (place === index ? next : old)))}
                onRemove={() => change(lines.filter((_, place) => place !== index))}
              />
            ))}
            {lines.length === 0 && (
              <Text size="sm" c="dimmed">
                没有其他条件。
              </Text>
            )}
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={14} aria-hidden />}
              style={{ alignSelf: 'flex-start' }}
              disabled={lines.length >= 10}
              onClick={() => change([...lines, { kind: 'overall', target: '', op: 'gte', value: 2 }])}
            >
              添加条件
            </Button>
          </>
        )}
        <Switch
          label="专家模式：直接写条件原文"
          checked={isExpert}
          disabled={parsed === undefined}
          onChange={(event) => setIsExpert(event.currentTarget.checked)}
        />
      </Stack>
    </Input.Wrapper>
  );
}

const archiveOptions = [
  ...new Map(
    Object.values(archiveFieldsOf).flatMap((fields) =>
      fields.map(({ code, title }) => [code, { value: code, label: title }] as const),
    ),
  ).values(),
];

interface LineProps {
  index: number;
  line: Line;
  scores: Props['scores'];
  onChange: (line: Line) => void;
  onRemove: () => void;
}

function ConditionLine({ index, line, scores, onChange, onRemove }: LineProps) {
  const hasScore = line.kind === 'score' || line.kind === 'level' || line.kind === 'delta';
  const number = typeof line.value === 'number' ? line.value : Number(line.value) || 0;
  return (
    <Group gap="xs" align="flex-end">
      <Select
        aria-label={`条件 ${index + 1} 的内容`}
        w={120}
        allowDeselect={false}
        data={[...kinds]}
        value={line.kind}
        onChange={(kind) => onChange({ kind: kind as Kind, target: '', op: kind === 'alert' ? 'eq' : 'gte', value: 1 })}
      />
      {hasScore && (
        <Select
          aria-label={`条件 ${index + 1} 的得分`}
          flex={1}
          miw={180}
          searchable
          data={[...scores]}
          value={line.target || null}
          onChange={(target) => onChange({ ...line, target: target ?? '' })}
        />
      )}
      {line.kind === 'item' && (
        <Input
          aria-label={`条件 ${index + 1} 的题目`}
          flex={1}
          miw={140}
          placeholder="量表编号.题号"
          value={line.target}
          onChange={(event) => onChange({ ...line, target: event.currentTarget.value })}
        />
      )}
      {line.kind === 'archive' && (
        <Select
          aria-label={`条件 ${index + 1} 的字段`}
          flex={1}
          miw={160}
          searchable
          data={archiveOptions}
          value={line.target || null}
          onChange={(target) => onChange({ ...line, target: target ?? '' })}
        />
      )}
      {line.kind === 'alert' ? (
        <Select
          aria-label={`条件 ${index + 1} 的取值`}
          w={90}
          allowDeselect={false}
          data={[
            { value: '1', label: '有' },
            { value: '0', label: '没有' },
          ]}
          value={String(line.value)}
          onChange={(next) => onChange({ ...line, value: Number(next) })}
        />
      ) : (
        <>
          <Select
            aria-label={`条件 ${index + 1} 的比较`}
            w={76}
            allowDeselect={false}
            data={line.kind === 'overall' ? ops.filter(({ value }) => value !== 'lte') : [...ops]}
            value={line.op}
            onChange={(op) => onChange({ ...line, op: op as Op })}
          />
          {line.kind === 'archive' && line.op === 'eq' ? (
            <Input
              aria-label={`条件 ${index + 1} 的取值`}
              w={100}
              value={String(line.value)}
              onChange={(event) => onChange({ ...line, value: event.currentTarget.value })}
            />
          ) : (
            <NumberInput
              aria-label={`条件 ${index + 1} 的数值`}
              w={100}
              value={number}
              onChange={(next) => onChange({ ...line, value: Number(next) || 0 })}
            />
          )}
        </>
      )}
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`删除条件 ${index + 1}`} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}

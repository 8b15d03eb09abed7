import { ActionIcon, Button, Group, NativeSelect, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash, IconX } from '@tabler/icons-react';
import type { Cond, Scale } from '#domain/scoring/scale.ts';
import { getFormPageList } from '#features/form/form.contract.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Section } from '#ui/display/Section.tsx';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { listOrNothing, put, removeAt, replaceAt } from '#features/scaleeditor/page/edits/put.ts';
import { FaultLines } from '#features/scaleeditor/page/FaultLines.tsx';
import { ConditionEditor } from '#features/scaleeditor/page/scoring/ConditionEditor.tsx';
import classes from './scoring.module.css';

type Skip = NonNullable<Scale['derive']>[number];
type Next = NonNullable<Scale['nextform']>[number];

/** 跳题: questions that an answer makes superfluous, and questionnaires that follow. */
export function SkipSection() {
  const { scale, change } = useEditor();
  const rules = scale.derive ?? [];
  const followUps = scale.nextform ?? [];
  const setRules = (next: readonly Skip[], tag = '') => change((before) => put(before, { derive: listOrNothing(next) }), tag);
  const setNext = (next: readonly Next[], tag = '') => change((before) => put(before, { nextform: listOrNothing(next) }), tag);
  const first: Cond = { item: scale.items[0]?.c ?? 'q1', eq: 0 };
  const isScale = scale.formtype === '01' || scale.formtype === '04';
  return (
    <Stack gap="md">
      <Section
        title={`跳题（${rules.length}）`}
        right={
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={scale.items.length < 2}
            onClick={() => setRules([...rules, { if: first, set: {} }])}
          >
            添加跳题规则
          </Button>
        }
      >
        <Text size="sm" c="dimmed" mb="sm">
          满足条件时不再询问后面的一些题，并按指定的选项计分。只是不显示、也不计分的题，请在该题的“更多”里设置显示条件。
        </Text>
        <Stack gap="lg" data-place="derive">
          {rules.map((rule, index) => (
            <article key={index} className={classes['card']} data-place={`derive::${index}`} aria-label={`跳题规则 ${index + 1}`}>
              <Group justify="space-between" gap="xs">
                <Text fw={600}>跳题规则 {index + 1}</Text>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={`删除跳题规则 ${index + 1}`}
                  onClick={() => setRules(removeAt(rules, index))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
              <ConditionEditor
                label="条件"
                value={rule.if}
                subjects={['item', 'count', 'person']}
                isRequired
                onChange={(next) => next && setRules(replaceAt(rules, index, { ...rule, if: next }), `skip ${index}`)}
              />
              <SkippedItems rule={rule} onChange={(set) => setRules(replaceAt(rules, index, { ...rule, set }))} />
              <FaultLines place={{ part: 'derive', index }} />
            </article>
          ))}
        </Stack>
      </Section>
      {isScale && (
        <Section
          title={`续测（${followUps.length}）`}
          right={
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={!scale.scores.length}
              onClick={() => setNext([...followUps, { when: { score: scale.scores[0]?.c ?? '', gte: 1 }, formcode: '' }])}
            >
              添加续测
            </Button>
          }
        >
          <Text size="sm" c="dimmed" mb="sm">
            结果满足条件时，同一次测评接着填写另一份量表。
          </Text>
          <Stack gap="lg" data-place="nextform">
            {followUps.map((rule, index) => (
              <FollowUp
                key={index}
                rule={rule}
                index={index}
                onChange={(next) => setNext(replaceAt(followUps, index, next), `next ${index}`)}
                onRemove={() => setNext(removeAt(followUps, index))}
              />
            ))}
          </Stack>
        </Section>
      )}
    </Stack>
  );
}

/** The questions that a rule skips, each with the option that counts for it. */
function SkippedItems({ rule, onChange }: { rule: Skip; onChange: (set: Skip['set']) => void }) {
  const { scale } = useEditor();
  const rest = scale.items.filter((item) => (item.type ?? 1) === 1 && !(item.c in rule.set));
  return (
    <Stack gap={6}>
      <Text size="sm" c="dimmed">
        不再询问的题目和计入的选项
      </Text>
      {Object.entries(rule.set).map(([code, option]) => {
        const index = scale.items.findIndex((item) => item.c === code);
        const rows = scale.optionsets[scale.items[index]?.o ?? ''] ?? [];
        return (
          <Group key={code} gap="xs">
            <Text size="sm">
              第 {index + 1} 题 {(scale.items[index]?.t ?? '').slice(0, 20)}
            </Text>
            <NativeSelect
              size="xs"
              aria-label={`第 ${index + 1} 题计入的选项`}
              value={option}
              onChange={(event) => onChange({ ...rule.set, [code]: event.currentTarget.value })}
              data={rows.map(([value, label, points]) => ({
                value,
                label: points === null ? label : `${label}（${points} 分）`,
              }))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`不再跳过第 ${index + 1} 题`}
              onClick={() => onChange(Object.fromEntries(Object.entries(rule.set).filter(([other]) => other !== code)))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        );
      })}
      <NativeSelect
        size="xs"
        w={240}
        maw="100%"
        aria-label="添加要跳过的题目"
        value=""
        onChange={(event) => {
          const item = scale.items.find(({ c }) => c === event.currentTarget.value);
          if (item) onChange({ ...rule.set, [item.c]: scale.optionsets[item.o ?? '']?.[0]?.[0] ?? '' });
        }}
        data={[
          { value: '', label: '添加要跳过的题目' },
          ...rest.map((item) => ({ value: item.c, label: `第 ${scale.items.indexOf(item) + 1} 题 ${item.t.slice(0, 20)}` })),
        ]}
      />
    </Stack>
  );
}

interface FollowUpProps {
  rule: Next;
  index: number;
  onChange: (rule: Next) => void;
  onRemove: () => void;
}

/** One questionnaire that follows, with its condition. */
function FollowUp({ rule, index, onChange, onRemove }: FollowUpProps) {
  const { scale } = useEditor();
  const forms = useActionQuery(getFormPageList, { page: 1, pageSize: 100, status: 1 }, { quiet: true });
  const rows = (forms.data?.rows ?? []).filter((form) => form.formcode !== scale.formcode);
  return (
    <article className={classes['card']} data-place={`nextform::${index}`} aria-label={`续测 ${index + 1}`}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>续测 {index + 1}</Text>
        <ActionIcon variant="subtle" color="red" aria-label={`删除续测 ${index + 1}`} onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <ConditionEditor
        label="条件"
        value={rule.when}
        subjects={['score', 'level', 'item', 'count']}
        isRequired
        onChange={(when) => when && onChange({ ...rule, when })}
      />
      <Select
        label="接着填写"
        required
        searchable
        placeholder="选择量表"
        data={rows.map(({ formcode, formname }) => ({ value: formcode, label: formname }))}
        value={rule.formcode || null}
        onChange={(formcode) => onChange({ ...rule, formcode: formcode ?? '' })}
      />
      <FaultLines place={{ part: 'nextform', index }} />
    </article>
  );
}

import {
  ActionIcon,
  Button,
  Checkbox,
  Collapse,
  Group,
  MultiSelect,
  NativeSelect,
  NumberInput,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { InputType, QuestionType } from '#domain/base/enums.ts';
import type { Item, Scale } from '#domain/scoring/scale.ts';
import { ConditionEditor } from '#features/scaleeditor/page/scoring/ConditionEditor.tsx';
import { itemsOfScore, setMembers, setReverse } from '#features/scaleeditor/page/edits/itemEdits.ts';
import { freeSetName, readySets } from '#features/scaleeditor/page/edits/readySets.ts';
import { listOrNothing } from '#features/scaleeditor/page/edits/put.ts';
import type { RowActions } from '#features/scaleeditor/page/items/rowActions.ts';
import classes from './items.module.css';

interface Props {
  item: Item;
  index: number;
  count: number;
  isReverse: boolean;
  isArchive: boolean;
  scale: Scale;
  actions: RowActions;
}

const READY = 'ready:';
const numberOf = (value: string | number): number | undefined => (typeof value === 'number' ? value : undefined);

/** The settings of one question below its text: type, options, factors, and more behind a button. */
export function ItemDetails({ item, index, count, isReverse, isArchive, scale, actions }: Props) {
  const hasMore = Boolean(item.head || item.page || item.showif || item.pattern || item.excl || item.group);
  const [isOpen, setIsOpen] = useState(hasMore);
  const type = item.type ?? 1;
  const set = (changes: { [K in keyof Item]?: Item[K] | undefined }) => actions.set(item.c, changes);
  const place = (field: string) => `items:${item.c}::${field}`;
  const setType = (next: number) =>
    set(
      next === 0
        ? { type: 0, input: 0, o: undefined, minsel: undefined, maxsel: undefined, excl: undefined, scored: undefined }
        : {
            type: next === 2 ? 2 : undefined,
            input: undefined,
            o: item.o ?? Object.keys(scale.optionsets)[0],
            min: undefined,
            max: undefined,
            maxlen: undefined,
            pattern: undefined,
            step: undefined,
            scored: item.scored === false ? false : undefined,
            ...(next === 1 ? { minsel: undefined, maxsel: undefined, excl: undefined } : {}),
          },
    );
  const setOptions = (name: string) => {
    if (!name.startsWith(READY)) return set({ o: name || undefined });
    const ready = readySets.find((candidate) => candidate.name === name.slice(READY.length));
    if (!ready) return;
    actions.change((before) => {
      const key = freeSetName(before, ready.name);
      const items = before.items.map((old) => (old.c === item.c ? { ...old, o: key } : old));
      return { ...before, optionsets: { ...before.optionsets, [key]: ready.rows }, items };
    });
  };
  const factors = scale.scores.filter((score) => !score.primary && score.of !== undefined);
  const chosenFactors = factors.filter((score) => itemsOfScore(scale, score).includes(item.c)).map((score) => score.c);
  const isScale = scale.formtype === '01' || scale.formtype === '04';
  const canScore = type !== 0 || [1, 2, 7].includes(item.input ?? 0);
  return (
    <div className={classes['details']}>
      <Group gap="xs" align="end">
        {!isArchive && (
          <NativeSelect
            aria-label={`第 ${index + 1} 题的题型`}
            size="xs"
            w={92}
            value={String(type)}
            onChange={(event) => setType(Number(event.currentTarget.value))}
            data={[1, 2, 0].map((value) => ({ value: String(value), label: QuestionType.label(value) }))}
          />
        )}
        {type === 0 ? (
          <NativeSelect
            aria-label={`第 ${index + 1} 题的输入类型`}
            size="xs"
            w={130}
            value={String(item.input ?? 0)}
            data-place={place('input')}
            disabled={isArchive}
            onChange={(event) =>
              set({ input: Number(event.currentTarget.value) as NonNullable<Item['input']>, step: undefined, scored: undefined })
            }
            data={InputType.options.map(({ value, label }) => ({ value: String(value), label }))}
          />
        ) : (
          <NativeSelect
            aria-label={`第 ${index + 1} 题的选项组`}
            size="xs"
            w={160}
            value={item.o ?? ''}
            data-place={place('o')}
            onChange={(event) => setOptions(event.currentTarget.value)}
          >
            <option value="">选择选项组</option>
            {Object.entries(scale.optionsets).map(([name, rows]) => (
              <option key={name} value={name}>
                {name}（{rows.map(([, label]) => label).join('／')}）
              </option>
            ))}
            <optgroup label="常用选项组">
              {readySets
                .filter(({ name }) => !(name in scale.optionsets))
                .map(({ name, rows }) => (
                  <option key={name} value={READY + name}>
                    {name}（{rows.map(([, label]) => label).join('／')}）
                  </option>
                ))}
            </optgroup>
          </NativeSelect>
        )}
        {factors.length > 0 && isScale && canScore && (
          <MultiSelect
            aria-label={`第 ${index + 1} 题的因子`}
            size="xs"
            miw={140}
            placeholder={chosenFactors.length ? '' : '因子'}
            data={factors.map((score) => ({ value: score.c, label: score.n || score.c }))}
            value={chosenFactors}
            onChange={(next) => {
              const changed = factors.find((score) => next.includes(score.c) !== chosenFactors.includes(score.c));
              if (changed) actions.change((before) => setMembers(before, changed.c, [item.c], next.includes(changed.c)));
            }}
          />
        )}
      </Group>
      <Group gap="md">
        {isScale && type !== 0 && (
          <Checkbox
            size="xs"
            label="反向计分"
            checked={isReverse}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              actions.change((before) => setReverse(before, [item.c], isOn));
            }}
          />
        )}
        <Checkbox
          size="xs"
          label="必答"
          checked={item.required !== false}
          onChange={(event) => set({ required: event.currentTarget.checked ? undefined : false })}
        />
        {isScale && canScore && (
          <Checkbox
            size="xs"
            label="计分"
            checked={type === 0 ? item.scored === true : item.scored !== false}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              set({ scored: type === 0 ? isOn || undefined : isOn ? undefined : false });
            }}
          />
        )}
        <Tooltip label="涉及自伤、暴力或受害的题目。请同时设置预警">
          <Checkbox
            size="xs"
            label="敏感"
            checked={item.sensitive === true}
            data-place={place('sensitive')}
            onChange={(event) => set({ sensitive: event.currentTarget.checked || undefined })}
          />
        </Tooltip>
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={isOpen}
          rightSection={<IconChevronDown size={14} aria-hidden style={{ rotate: isOpen ? '180deg' : '0deg' }} />}
          onClick={() => setIsOpen(!isOpen)}
        >
          更多
        </Button>
        <Group gap={4} ml="auto">
          <IconAction label={`上移第 ${index + 1} 题`} disabled={index === 0} onClick={() => actions.move(index, index - 1)}>
            <IconArrowUp size={16} aria-hidden />
          </IconAction>
          <IconAction
            label={`下移第 ${index + 1} 题`}
            disabled={index === count - 1}
            onClick={() => actions.move(index, index + 1)}
          >
            <IconArrowDown size={16} aria-hidden />
          </IconAction>
          <IconAction label={`删除第 ${index + 1} 题`} isRed onClick={() => actions.remove(index)}>
            <IconTrash size={16} aria-hidden />
          </IconAction>
        </Group>
      </Group>
      {type === 0 && <Limits item={item} set={set} />}
      {type === 2 && <Choices item={item} scale={scale} set={set} />}
      <Collapse expanded={isOpen}>
        <div className={classes['more']}>
          <Group gap="sm" align="end">
            <TextInput
              size="xs"
              label="题前小标题"
              maxLength={100}
              w={220}
              value={item.head ?? ''}
              onChange={(event) => set({ head: event.currentTarget.value || undefined })}
            />
            <Checkbox
              size="xs"
              label="从这一题起另起一页"
              mb={6}
              checked={item.page === true}
              onChange={(event) => set({ page: event.currentTarget.checked || undefined })}
            />
          </Group>
          <div data-place={place('showif')}>
            <ConditionEditor
              label="显示条件"
              hint="满足时才询问这一题"
              value={item.showif}
              subjects={['item', 'count', 'person']}
              items={scale.items.slice(0, index)}
              onChange={(showif) => set({ showif })}
            />
          </div>
        </div>
      </Collapse>
    </div>
  );
}

function IconAction({
  label,
  isRed = false,
  disabled = false,
  onClick,
  children,
}: {
  label: string;
  isRed?: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <ActionIcon
      variant="subtle"
      color={isRed ? 'red' : 'gray'}
      aria-label={label}
      disabled={disabled}
      // The press must not move the focus before the click, because the settings belong to the row with the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}

type SetItem = (changes: { [K in keyof Item]?: Item[K] | undefined }) => void;

/** The limits of a fill-in question. */
function Limits({ item, set }: { item: Item; set: SetItem }) {
  const input = item.input ?? 0;
  if (input === 0)
    return (
      <Group gap="sm">
        <NumberInput
          size="xs"
          label="最多字数"
          min={1}
          max={2000}
          allowDecimal={false}
          w={110}
          value={item.maxlen ?? ''}
          data-place={`items:${item.c}::maxlen`}
          onChange={(value) => set({ maxlen: numberOf(value) })}
        />
        <TextInput
          size="xs"
          label="格式（正则表达式）"
          placeholder="一般不填"
          maxLength={200}
          w={200}
          value={item.pattern ?? ''}
          data-place={`items:${item.c}::pattern`}
          onChange={(event) => set({ pattern: event.currentTarget.value || undefined })}
        />
      </Group>
    );
  if (![1, 2, 7].includes(input)) return null;
  const allowDecimal = input !== 1;
  return (
    <Group gap="sm">
      {(['min', 'max'] as const).map((key) => (
        <NumberInput
          key={key}
          size="xs"
          label={key === 'min' ? '最小值' : '最大值'}
          allowDecimal={allowDecimal}
          w={110}
          value={item[key] ?? ''}
          data-place={`items:${item.c}::${key}`}
          onChange={(value) => set({ [key]: numberOf(value) })}
        />
      ))}
      {input === 7 && (
        <NumberInput
          size="xs"
          label="每次增减"
          w={110}
          value={item.step ?? ''}
          placeholder="1"
          data-place={`items:${item.c}::step`}
          onChange={(value) => set({ step: numberOf(value) })}
        />
      )}
    </Group>
  );
}

/** How many options of a multiple choice are needed and allowed, and those that exclude the others. */
function Choices({ item, scale, set }: { item: Item; scale: Scale; set: SetItem }) {
  const rows = scale.optionsets[item.o ?? ''] ?? [];
  return (
    <Group gap="sm" align="end">
      {(['minsel', 'maxsel'] as const).map((key) => (
        <NumberInput
          key={key}
          size="xs"
          label={key === 'minsel' ? '至少选' : '最多选'}
          suffix=" 项"
          min={key === 'minsel' ? 0 : 1}
          max={rows.length}
          allowDecimal={false}
          w={100}
          value={item[key] ?? ''}
          data-place={`items:${item.c}::${key}`}
          onChange={(value) => set({ [key]: numberOf(value) })}
        />
      ))}
      <MultiSelect
        size="xs"
        label="与其他选项互斥"
        placeholder={item.excl?.length ? '' : '例如：以上都没有'}
        miw={180}
        data={rows.map(([code, label]) => ({ value: code, label: label || code }))}
        value={[...(item.excl ?? [])]}
        data-place={`items:${item.c}::excl`}
        onChange={(codes) => set({ excl: listOrNothing(codes) })}
      />
    </Group>
  );
}

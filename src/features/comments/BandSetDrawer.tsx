import { Alert, Button, Collapse, Group, NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Appid, Gender } from '#domain/base/enums.ts';
import { findBandFaults, isOverlapping, stepOf } from '#domain/scoring/bandset/checkBandset.ts';
import { bandPlaceholders } from '#domain/scoring/bandset/checkTexts.ts';
import type { BandOption } from '#domain/scoring/scale.ts';
import { ReplayPanel } from '#blocks/replay/ReplayPanel.tsx';
import { BandBar } from '#ui/charts/BandBar.tsx';
import { EnumField, LongTextField, NumberField, numberOf } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import {
  getQuotaFormOptionList,
  insertQuotaFormOption,
  type BandOptionInput,
  type QuotaOptionRow,
} from '#features/bandset/bandset.contract.ts';
import { toBandScale, toBarBands, toOption, toSets, toTrial, type ShownSet } from '#features/comments/bandSets.ts';
import { BandPreview } from '#features/comments/BandPreview.tsx';
import classes from './bands.module.css';

interface Props {
  /** the set to edit, or the one that a new set begins from */
  from: ShownSet;
  isNew: boolean;
  rows: readonly QuotaOptionRow[];
  code: string;
  scorecodes: readonly string[];
  onClose: () => void;
}

const levels = [0, 1, 2, 3, 4].map((level) => ({ value: String(level), label: `${level} 级` }));

/** The form of a set: its persons, its bands with a live bar and a live check, and the texts of each band. */
export function BandSetDrawer({ from, isNew, rows, code, scorecodes, onClose }: Props) {
  const [first] = from.rows as [QuotaOptionRow];
  const { quotacode, formcode, appid, gender, agemin, agemax } = first;
  const isCopy = from.source === 'above';
  const form = useActionForm(insertQuotaFormOption, {
    initial: {
      quotacode,
      ...({ appid, gender, agemin, agemax } as object),
      options: from.rows.map((row) => toOption(row, from.source === 'own')),
      ...(isCopy ? { originids: from.rows.map((row) => row.optionid) } : {}),
    },
    invalidates: [getQuotaFormOptionList],
    onDone: onClose,
    successMessage: '已保存草稿，启用后生效',
  });
  const options = (form.values.options ?? []) as BandOptionInput[];
  const setOptions = (next: BandOptionInput[]) => form.set('options', next);
  const change = (index: number, more: Partial<BandOptionInput>) =>
    setOptions(options.map((option, place) => (place === index ? { ...option, ...more } : option)));
  const scale = toBandScale(rows, code);
  const step = stepOf(scale, code);
  const addRow = () => {
    const last = options.at(-1);
    const begin = last?.maxscore ?? null;
    setOptions([
      ...options,
      { minscore: begin === null ? null : begin + step, maxscore: null, level: last?.level ?? 0, levelname: '' },
    ]);
  };
  return (
    <FormDrawer title={isNew ? '新建本机构分级' : '修改本机构分级'} onClose={onClose} form={form} save="保存草稿" width={820}>
      <Text size="sm" c="dimmed">
        {first.formname} · {first.quotaname}。每个得分的等级不能低于定义和上级；只改名称与评语时，请保持界值和等级不变。
      </Text>
      {isNew ? (
        <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
          <EnumField {...form.field('appid')} of={Appid} clearable />
          <EnumField {...form.field('gender')} of={Gender} clearable />
          <NumberField {...form.field('agemin')} min={0} max={120} />
          <NumberField {...form.field('agemax')} min={0} max={120} />
        </SimpleGrid>
      ) : (
        <Text size="sm">适用：{from.persons}</Text>
      )}
      <LiveBar options={options} scale={scale} code={code} rows={rows} values={form.values} />
      {options.map((option, index) => (
        <OptionFields
          key={index}
          option={option}
          index={index}
          error={(field) => form.error(`options.${index}.${field}`)}
          onChange={(more) => change(index, more)}
          onRemove={options.length > 1 ? () => setOptions(options.filter((_, place) => place !== index)) : undefined}
          names={{ formcode, formname: first.formname, scorecodes }}
        />
      ))}
      {form.error('options') && (
        <Text size="sm" c="var(--level-3-ink)">
          {form.error('options')}
        </Text>
      )}
      <Group justify="space-between">
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={addRow}>
          添加等级
        </Button>
        <Text size="xs" c="dimmed">
          可用占位符：
          {Object.entries(bandPlaceholders)
            .map(([name, words]) => `{{${name}}} ${words}`)
            .join('、')}
        </Text>
      </Group>
      {options.every(isComplete) && <ReplayPanel kind="bands" content={toTrial(quotacode, form.values, options)} />}
    </FormDrawer>
  );
}

/** Whether all limits of a row are numbers or open. */
const isComplete = ({ minscore, maxscore }: BandOptionInput): boolean =>
  [minscore, maxscore].every((limit) => limit === null || typeof limit === 'number');

/** The bar of the rows as they are typed, and what keeps the set from being switched on. */
function LiveBar({
  options,
  scale,
  code,
  rows,
  values,
}: {
  options: readonly BandOptionInput[];
  scale: ReturnType<typeof toBandScale>;
  code: string;
  rows: readonly QuotaOptionRow[];
  values: Record<string, unknown>;
}) {
  const valueOf = <T,>(name: string) => (values[name] ?? null) as T | null;
  const population = {
    appid: valueOf<string>('appid'),
    gender: valueOf<string>('gender'),
    agemin: valueOf<number>('agemin'),
    agemax: valueOf<number>('agemax'),
  };
  const above = toSets(rows.filter((row) => row.source === 'above' && isOverlapping(row, population))).map((set) => ({
    insname: set.insname,
    options: set.rows as unknown as BandOption[],
  }));
  const drawable = options.filter(isComplete);
  const faults = drawable.length < options.length ? [] : findBandFaults(scale, code, options as readonly BandOption[], above);
  const bands = scale.bands[code] ?? [];
  return (
    <div aria-live="polite">
      <BandBar
        bands={toBarBands(drawable)}
        min={bands[0]?.[0] ?? null}
        max={bands.at(-1)?.[1] ?? null}
        halfopen={scale.bandmode?.[code] === 'halfopen'}
        label="当前填写的分级"
      />
      {faults.length > 0 && (
        <Alert color="orange" mt="sm" title="改好后才能启用" styles={{ title: { color: 'var(--ink)' } }}>
          <ul className={classes['faults']}>
            {faults.map(({ index, field, message }) => (
              <li key={`${index} ${field} ${message}`}>
                {index === undefined ? '' : `第 ${index + 1} 行：`}
                {message}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </div>
  );
}

/** The inputs of one band: its limits, its level and name, and on demand its texts with a preview. */
function OptionFields({
  option,
  index,
  error,
  onChange,
  onRemove,
  names,
}: {
  option: BandOptionInput;
  index: number;
  error: (field: string) => React.ReactNode;
  onChange: (more: Partial<BandOptionInput>) => void;
  onRemove: (() => void) | undefined;
  names: { formcode: string; formname: string; scorecodes: readonly string[] };
}) {
  const hasTexts = Boolean(option.comment || option.staffcomment || option.suggestion);
  const hasFault = ['comment', 'staffcomment', 'suggestion'].some((field) => error(field));
  const [isOpen, setIsOpen] = useState(false);
  const limit = (field: 'minscore' | 'maxscore', label: string) => (
    <NumberInput
      label={label}
      placeholder="不限"
      data-path={`options.${index}.${field}`}
      error={error(field)}
      value={option[field] ?? ''}
      onChange={(value) => onChange({ [field]: numberOf(value) ?? null })}
    />
  );
  const text = (field: 'comment' | 'staffcomment' | 'suggestion', label: string) => (
    <LongTextField
      label={label}
      data-path={`options.${index}.${field}`}
      error={error(field)}
      maxLength={1000}
      value={option[field] ?? ''}
      onChange={(event: unknown) => onChange({ [field]: (event as React.ChangeEvent<HTMLTextAreaElement>).currentTarget.value })}
    />
  );
  return (
    <fieldset className={classes['edit']} aria-label={`第 ${index + 1} 行`}>
      <div className={classes['numbers']}>
        {limit('minscore', '下限')}
        {limit('maxscore', '上限')}
        <Select
          label="等级"
          allowDeselect={false}
          data-path={`options.${index}.level`}
          error={error('level')}
          data={levels}
          value={String(option.level)}
          onChange={(value) => value && onChange({ level: Number(value) })}
        />
        <TextInput
          label="名称"
          maxLength={20}
          data-path={`options.${index}.levelname`}
          error={error('levelname')}
          value={option.levelname}
          onChange={(event) => onChange({ levelname: event.currentTarget.value })}
        />
        <Group gap={4} wrap="nowrap" className={classes['acts'] ?? ''}>
          <Button variant="subtle" size="compact-sm" aria-expanded={isOpen || hasFault} onClick={() => setIsOpen(!isOpen)}>
            {hasTexts ? '评语（已写）' : '评语'}
          </Button>
          {onRemove && (
            <Button variant="subtle" color="red" size="compact-sm" onClick={onRemove}>
              删除
            </Button>
          )}
        </Group>
      </div>
      <Collapse expanded={isOpen || hasFault}>
        <Stack gap="sm">
          <Text size="xs" c="dimmed">
            给本人的评语和建议写在本人版报告里，给工作人员的评语写在工作人员版里。
          </Text>
          {text('comment', '给本人的评语')}
          {text('staffcomment', '给工作人员的评语')}
          {text('suggestion', '给本人的建议')}
          <BandPreview option={option} {...names} />
        </Stack>
      </Collapse>
    </fieldset>
  );
}

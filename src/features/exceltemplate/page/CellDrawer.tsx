import { Select, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Gender } from '#domain/base/enums.ts';
import { indicatorOf, indicators } from '#domain/exceltemplate/indicators.ts';
import { isDownwards, type Mapping } from '#domain/exceltemplate/mapping.ts';
import type { Action, ResponseOf } from '#contract/action.ts';
import { SelectField, type Field } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import {
  deleteExcelCell,
  insertExcelCell,
  updateExcelCell,
  type ChosenCell,
  type getExcelOptions,
} from '#features/exceltemplate/exceltemplate.contract.ts';
import { columnChoices, type Sheet } from '#features/exceltemplate/page/gridPlaces.ts';

type Options = ResponseOf<typeof getExcelOptions>;
interface Props {
  templateid: number;
  sheet: Sheet;
  cellref: string;
  options: Options;
  invalidates: readonly Action[];
  onClose: () => void;
}

/** What fills a cell: a new choice, or the one that stands. */
export const CellDrawer = ({ cell, ...more }: Props & { cell: ChosenCell | undefined }) =>
  cell ? <EditCell cell={cell} {...more} /> : <NewCell {...more} />;

function NewCell({ templateid, sheet, cellref: ref, options, invalidates, onClose }: Props) {
  const form = useActionForm(insertExcelCell, {
    initial: { templateid, sheetname: sheet.sheetname, ref, place: 'region', placecolumn: '', people: 'all', peoplecolumn: '' },
    invalidates: [...invalidates],
    onDone: onClose,
    successMessage: `已选择 ${ref} 的内容`,
  });
  return (
    <FormDrawer title={`单元格 ${ref}`} onClose={onClose} form={form}>
      <MappingFields field={form.field} values={form.values} set={form.set} sheet={sheet} options={options} />
    </FormDrawer>
  );
}

function EditCell({ cell, sheet, options, invalidates, onClose }: Props & { cell: ChosenCell }) {
  const { cellid, version, ref, indicator, place, placecolumn, people, peoplecolumn } = cell;
  const form = useActionForm(updateExcelCell, {
    initial: { cellid, version, indicator, place, placecolumn, people, peoplecolumn },
    invalidates: [...invalidates],
    onDone: onClose,
    successMessage: `已修改 ${ref} 的内容`,
  });
  const remove = useActionMutation(deleteExcelCell, {
    invalidates: [...invalidates],
    successMessage: `${ref} 不再填写`,
    onDone: onClose,
  });
  return (
    <FormDrawer title={`单元格 ${ref}`} onClose={onClose} form={form}>
      <MappingFields field={form.field} values={form.values} set={form.set} sheet={sheet} options={options} />
      <div>
        <ConfirmButton
          name={ref}
          question={`${ref} 不再填写，保留文件里原来的内容？`}
          onConfirm={() => remove.mutateAsync({ cellid })}
        >
          不再填写这个单元格
        </ConfirmButton>
      </div>
    </FormDrawer>
  );
}

interface FieldsProps {
  field: (name: keyof Mapping) => Field;
  values: { [K in keyof Mapping]?: string | undefined };
  set: (name: keyof Mapping, value: string) => void;
  sheet: Sheet;
  options: Options;
}

function MappingFields({ field, values, set, sheet, options }: FieldsProps) {
  const columns = useMemo(() => columnChoices(sheet), [sheet]);
  const indicator = indicatorOf(values.indicator ?? '');
  const groups = indicator?.groups ?? ['all'];
  const { place = 'region', people = 'all' } = values;
  const indicatorParts = [...new Set(indicators.map(({ part }) => part))].map((group) => ({
    group,
    items: indicators.filter(({ part }) => part === group).map(({ code, title }) => ({ value: code, label: title })),
  }));
  const places = [
    { group: '一个数', items: [{ value: 'region', label: '全部学校（机构）' }] },
    {
      group: '向下填充：每行一个，按名称对应',
      items: [
        { value: 'rows:school', label: '每行的学校（机构）' },
        { value: 'rows:district', label: '每行的区县' },
      ],
    },
    { group: '一个区县', items: options.districts.map(({ code, name }) => ({ value: `district:${code}`, label: name })) },
    { group: '一所学校（机构）', items: options.schools.map(({ code, name }) => ({ value: `school:${code}`, label: name })) },
  ].filter(({ items }) => items.length > 0);
  const persons = [
    { group: '全部', items: [{ value: 'all', label: '全部人群' }] },
    ...(groups.includes('grade')
      ? [
          { group: '向下填充', items: [{ value: 'rows:grade', label: '每行的年级' }] },
          { group: '一个年级', items: options.grades.map(({ code, name }) => ({ value: `grade:${code}`, label: name })) },
        ]
      : []),
    ...(groups.includes('gender')
      ? [{ group: '性别', items: Gender.options.map(({ value, label }) => ({ value: `gender:${value}`, label: `${label}生` })) }]
      : []),
  ];
  const isFact = indicator?.of === 'form';
  return (
    <>
      <GroupedSelect
        field={field('indicator')}
        data={indicatorParts}
        onChange={(code) => {
          set('indicator', code);
          const next = indicatorOf(code);
          if (next?.of === 'form') set('place', 'region');
          // A group for which the new number is not published would only be refused.
          if (!next?.groups.includes('grade') || next.of === 'form') set('people', 'all');
        }}
        isFirst
      />
      {indicator && (
        <Text size="sm" c="dimmed" mt={-6}>
          {indicator.definition}
        </Text>
      )}
      {indicator && !isFact && (
        <>
          <GroupedSelect field={field('place')} data={places} onChange={(value) => set('place', value)} />
          {place.startsWith('rows:') && <SelectField {...field('placecolumn')} required options={columns} />}
          <GroupedSelect field={field('people')} data={persons} onChange={(value) => set('people', value)} />
          {people === 'rows:grade' && <SelectField {...field('peoplecolumn')} required options={columns} />}
          <Text size="sm" c="dimmed">
            {isDownwards({ place, people })
              ? '从这个单元格起向下填写，直到表格的最后一行。名称对不上的行、公式和单独选择过内容的单元格保持不变。'
              : indicator.unit === 'rate'
                ? '单元格设了百分比格式时填写比例，否则填写百分数（如 95.3）。'
                : '人数较少，或公布后会推出个别人的数字，填写为“不公布”。'}
          </Text>
        </>
      )}
    </>
  );
}

function GroupedSelect({
  field,
  data,
  onChange,
  isFirst = false,
}: {
  field: Field;
  data: { group: string; items: { value: string; label: string }[] }[];
  onChange: (value: string) => void;
  isFirst?: boolean;
}) {
  return (
    <Select
      label={field.label}
      required
      error={field.error}
      data-path={field['data-path']}
      data={data}
      value={typeof field.value === 'string' && field.value !== '' ? field.value : null}
      onChange={(value) => value !== null && onChange(value)}
      searchable
      openOnFocus={false}
      placeholder="请选择"
      maxDropdownHeight={320}
      nothingFoundMessage="没有找到"
      {...(isFirst ? { 'data-autofocus': true } : {})}
    />
  );
}

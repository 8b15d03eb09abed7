import { Button, Popover, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Importing } from '#blocks/import/useImport.ts';

interface Props {
  importing: Importing;
}

/** 整列填为…: writes one value into a column, into its empty cells or into all of them. */
export function ImportFill({ importing }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  const [value, setValue] = useState('');
  const [target, setTarget] = useState<'empty' | 'all'>('empty');
  const columns = importing.sheet.columns.filter((column) => !column.isCheckOnly);
  const column = columns.find((candidate) => candidate.key === (key ?? importing.missing[0]?.key));
  const words = column?.choices?.map((choice) => choice.label) ?? (column?.kind === 'yesno' ? ['是', '否'] : undefined);
  const isEmpty = (row: Importing['rows'][number]) => !column || !row.cells[column.key]?.text.trim();
  const rows = importing.rows.filter((row) => target === 'all' || isEmpty(row));

  const fill = () => {
    if (!column || !value) return;
    importing.edit(rows.map(({ row }) => ({ row, key: column.key, value })));
    setIsOpen(false);
    setValue('');
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          整列填为…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" w={260}>
          <Select
            label="列"
            data={columns.map((candidate) => ({ value: candidate.key, label: candidate.head }))}
            value={column?.key ?? null}
            onChange={(next) => {
              setKey(next);
              setValue('');
            }}
            comboboxProps={{ withinPortal: false }}
          />
          {words ? (
            <Select
              label="填为"
              data={words}
              value={value || null}
              onChange={(next) => setValue(next ?? '')}
              comboboxProps={{ withinPortal: false }}
            />
          ) : (
            <TextInput label="填为" value={value} maxLength={500} onChange={(event) => setValue(event.currentTarget.value)} />
          )}
          <Radio.Group value={target} onChange={(next) => setTarget(next as typeof target)} aria-label="填哪些行">
            <Stack gap={6}>
              <Radio value="empty" label="只填空白的" />
              <Radio value="all" label="全部行，替换原来的内容" />
            </Stack>
          </Radio.Group>
          <Button size="sm" disabled={!column || !value || rows.length === 0} onClick={fill}>
            填写 {column ? rows.length : 0} 行
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

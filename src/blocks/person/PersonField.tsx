import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useSectorWords } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';

interface Props {
  label?: ReactNode;
  required?: boolean;
  value?: unknown;
  error?: ReactNode;
  'data-path'?: string;
  onPick: (cuserid: string | null, person?: { appid: string; musercode: string }) => void;
}

/** A field for a person, with a search by name, initials or number. Spread `form.field('cuserid')` into it and pass `onPick`. */
export function PersonField({ onPick, label, required, error, value, 'data-path': path }: Props) {
  const say = useSectorWords();
  const [typed, setTyped] = useState('');
  const [keyword] = useDebouncedValue(typed, 300);
  const query = useActionQuery(getCUserPageList, keyword ? { keyword, pageSize: 20 } : undefined, { quiet: true });
  const people = (query.data?.rows ?? []).map((row) => ({
    value: row.cuserid,
    label: [row.username, row.belongs, row.studentno].filter(Boolean).join(' · '),
  }));
  return (
    <Select
      label={label}
      required={required ?? false}
      error={error}
      data-path={path}
      value={typeof value === 'string' && value !== '' ? value : null}
      searchable
      data={people}
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(cuserid) =>
        onPick(
          cuserid,
          query.data?.rows.find((row) => row.cuserid === cuserid),
        )
      }
      placeholder={say('输入姓名、拼音首字母或学号/工号')}
      // Before a search the list stays closed: the placeholder says what to type, and nothing covers a fault below the field.
      nothingFoundMessage={keyword && query.data ? '没有找到' : undefined}
    />
  );
}

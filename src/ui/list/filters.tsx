import { MultiSelect, Select, TextInput } from '@mantine/core';
import { createContext, useContext, useEffect } from 'react';
import type { FilterValue } from '#ui/router/filtersInAddress.ts';
import { useSectorWords } from '#ui/api/session.ts';

/** The input of the query form that is not applied yet. */
export const FilterContext = createContext<{
  draft: Readonly<Record<string, FilterValue>>;
  set: (next: Readonly<Record<string, FilterValue>>) => void;
  /** Registers a field for this filter. The list names active filters without a field beside the form. */
  register: (name: string) => () => void;
  /** The account may not read the field, so it has no input. */
  isHidden: (name: string) => boolean;
}>({
  draft: {},
  set: () => undefined,
  register: () => () => undefined,
  isHidden: () => false,
});

/** Registers the filters that a field of the form edits. */
export function useRegisterFilter(...names: readonly string[]) {
  const { register } = useContext(FilterContext);
  const all = names.join(' ');
  useEffect(() => {
    const unregisters = all.split(' ').map(register);
    return () => unregisters.forEach((unregister) => unregister());
  }, [all, register]);
}

/** Returns one filter's value and its setter. Every filter field uses it. */
export function useFilter(name: string): [string, (value: FilterValue) => void] {
  const { draft, set } = useContext(FilterContext);
  useRegisterFilter(name);
  const value = draft[name];
  return [value === null || value === undefined ? '' : String(value), (next) => set({ [name]: next })];
}

interface Named {
  /** The field of the list's request. */
  name: string;
  label: string;
}
type Options = readonly { readonly value: string | number; readonly label: string }[];
const choices = (options: Options) => options.map(({ value, label }) => ({ value: String(value), label }));

export function TextFilter({ name, label, placeholder }: Named & { placeholder?: string }) {
  const [value, set] = useFilter(name);
  const say = useSectorWords();
  return (
    <TextInput
      label={say(label)}
      placeholder={say(placeholder ?? `请输入${label}`)}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

/** A choice among loaded or fixed options. */
export function SelectFilter({ name, label, options }: Named & { options: Options }) {
  const [value, set] = useFilter(name);
  const say = useSectorWords();
  if (useContext(FilterContext).isHidden(name)) return null;
  return (
    <Select
      label={say(label)}
      placeholder="全部"
      clearable
      searchable={options.length > 8}
      data={choices(options)}
      value={value || null}
      onChange={set}
    />
  );
}

/** A choice among the codes of an enumeration. */
export const EnumFilter = ({ of, ...rest }: Named & { of: { options: Options } }) => (
  <SelectFilter {...rest} options={of.options} />
);

/** Several choices; the request's field is a list. */
export function ManyFilter({ name, label, options }: Named & { options: Options }) {
  const { draft, set, isHidden } = useContext(FilterContext);
  useRegisterFilter(name);
  if (isHidden(name)) return null;
  const value = draft[name];
  const values = Array.isArray(value)
    ? value.map(String)
    : value === null || value === undefined || value === ''
      ? []
      : [String(value)];
  return (
    <MultiSelect
      label={label}
      placeholder={values.length ? '' : '全部'}
      clearable
      searchable
      data={choices(options)}
      value={values}
      onChange={(next) => set({ [name]: next })}
    />
  );
}

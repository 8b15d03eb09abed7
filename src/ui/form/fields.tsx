import { Input, NumberInput, Radio, Select, Switch, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { withLabels } from '#ui/form/FieldConflict.tsx';

type Options = readonly { readonly value: string | number; readonly label: string }[];
/** The props that `useActionForm().field(name)` returns. Spread them into a field of this file or any input of the kit. */
export interface Field {
  label?: ReactNode;
  required?: boolean;
  value?: unknown;
  error?: ReactNode;
  onChange?: (value: never) => void;
  'data-path'?: string;
}
const changeOf = (field: Field) => field.onChange as ((value: unknown) => void) | undefined;

/** A choice whose codes may be numbers. */
export function SelectField({
  options,
  clearable,
  placeholder,
  ...field
}: Field & { options: Options; clearable?: boolean; placeholder?: string }) {
  return (
    <Select
      label={field.label}
      required={field.required ?? false}
      error={withLabels(field.error, options)}
      data-path={field['data-path']}
      placeholder={placeholder ?? '请选择'}
      searchable={options.length > 8}
      clearable={clearable ?? !field.required}
      data={options.map(({ value, label }) => ({ value: String(value), label }))}
      value={field.value === '' || field.value == null ? null : String(field.value)}
      onChange={(text) => changeOf(field)?.(options.find((option) => String(option.value) === text)?.value ?? null)}
    />
  );
}

/** A choice among the codes of an enumeration, as a list that opens. */
export const EnumField = ({ of, ...field }: Field & { of: { options: Options }; clearable?: boolean }) => (
  <SelectField {...field} options={of.options} />
);

/** The same with all choices visible; for up to five. */
export function EnumRadio({ of, ...field }: Field & { of: { options: Options } }) {
  return (
    <Radio.Group
      label={field.label}
      withAsterisk={field.required ?? false}
      error={withLabels(field.error, of.options)}
      value={field.value == null ? '' : String(field.value)}
      onChange={(text) => changeOf(field)?.(of.options.find((option) => String(option.value) === text)?.value)}
    >
      <div
        style={{ display: 'flex', flexWrap: 'wrap', gap: '8px 20px', padding: `6px 0 ${field.error ? 6 : 0}px` }}
        tabIndex={-1}
        data-path={field['data-path']}
      >
        {of.options.map(({ value, label }) => (
          <Radio key={value} value={String(value)} label={label} />
        ))}
      </div>
    </Radio.Group>
  );
}

const YES_NO = [
  { value: 1, label: '是' },
  { value: 0, label: '否' },
];

/** A switch that is 1 or 0 on the wire. */
export function SwitchField({ words, ...field }: Field & { words?: string }) {
  return (
    <Input.Wrapper label={field.label} error={withLabels(field.error, YES_NO)}>
      <Switch
        mt={6}
        label={words}
        data-path={field['data-path']}
        checked={Number(field.value) === 1}
        onChange={(event) => changeOf(field)?.(event.currentTarget.checked ? 1 : 0)}
      />
    </Input.Wrapper>
  );
}

/**
 * Returns what stands in a number input as a value of the wire: a number, the text where it is none or too long for one, undefined
 * when empty. No field changes what was typed; the check of the request refuses it.
 */
export const numberOf = (typed: string | number): number | string | undefined => (typed === '' ? undefined : typed);

/** A number; an empty field has no value. `min` and `max` only limit the arrow keys: the check of the request refuses the rest. */
export function NumberField({
  min,
  max,
  suffix,
  description,
  ...field
}: Field & { min?: number; max?: number; suffix?: string; description?: string }) {
  return (
    <NumberInput
      label={field.label}
      required={field.required ?? false}
      error={field.error}
      data-path={field['data-path']}
      {...(min !== undefined ? { min } : {})}
      {...(max !== undefined ? { max } : {})}
      {...(suffix ? { suffix } : {})}
      {...(description ? { description } : {})}
      value={typeof field.value === 'number' || typeof field.value === 'string' ? field.value : ''}
      onChange={(value) => changeOf(field)?.(numberOf(value))}
    />
  );
}

/** A text of several lines. It grows with the text and shows the character count. */
export function LongTextField({ maxLength = 500, placeholder, ...field }: Field & { maxLength?: number; placeholder?: string }) {
  const text = typeof field.value === 'string' ? field.value : '';
  return (
    <Textarea
      label={field.label}
      required={field.required ?? false}
      error={field.error}
      data-path={field['data-path']}
      placeholder={placeholder}
      autosize
      minRows={3}
      maxRows={12}
      maxLength={maxLength}
      description={`${text.length} / ${maxLength}`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={text}
      onChange={(event) => changeOf(field)?.(event)}
    />
  );
}

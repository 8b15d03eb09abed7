import { TextInput } from '@mantine/core';
import { cloneElement, isValidElement, useState, type ComponentProps, type ReactNode } from 'react';
import { formatYuan, parseYuan } from '#domain/base/money.ts';
import { FieldConflict } from '#ui/form/FieldConflict.tsx';
import type { Field } from '#ui/form/fields.tsx';

/** Formats 分 as a person types them: without separators. */
const typedForm = (fen: number) => formatYuan(fen).replaceAll(',', '');

/** Another person's amount in a conflict is said in 元. */
function inYuan(error: ReactNode): ReactNode {
  if (!isValidElement<ComponentProps<typeof FieldConflict>>(error) || error.type !== FieldConflict) return error;
  const { before, after } = error.props.change;
  const amounts = [before, after].filter((value) => typeof value === 'number');
  return cloneElement(error, { options: amounts.map((value) => ({ value, label: `${formatYuan(value)} 元` })) });
}

/**
 * An amount, typed in 元 with at most two decimals; the form sends 分. What is no amount stays as it was typed, and the check of the
 * request refuses it.
 */
export function MoneyField({ description, placeholder, ...field }: Field & { description?: string; placeholder?: string }) {
  const change = field.onChange as ((value: unknown) => void) | undefined;
  const [typed, setTyped] = useState('');
  const { value } = field;
  // The text stays while it means the amount of the form; another amount, for example a computed one, replaces it.
  const shown =
    typeof value === 'number' ? (parseYuan(typed) === value ? typed : typedForm(value)) : typeof value === 'string' ? value : '';
  const isNoAmount = typeof value === 'string' && value.trim() !== '';
  return (
    <TextInput
      label={field.label}
      required={field.required ?? false}
      error={field.error && isNoAmount ? '请填写金额，如 1234.50，至多两位小数' : inYuan(field.error)}
      data-path={field['data-path']}
      inputMode="decimal"
      autoComplete="off"
      rightSection="元"
      rightSectionPointerEvents="none"
      description={description}
      placeholder={placeholder ?? '0.00'}
      value={shown}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        change?.(text.trim() === '' ? undefined : (parseYuan(text) ?? text));
      }}
    />
  );
}

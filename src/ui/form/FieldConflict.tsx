import { Button } from '@mantine/core';
import { cloneElement, isValidElement, type ReactNode } from 'react';
import type { FieldChange } from '#contract/problem.ts';
import classes from './FormDrawer.module.css';

type Options = readonly { readonly value: string | number; readonly label: string }[];
interface Props {
  change: FieldChange;
  onAdopt: () => void;
  onKeep: () => void;
  /** the labels of codes, from the input that shows the conflict (`withLabels`) */
  options?: Options;
}

/** Returns a value in words: the label of a code, or the parts of a list. */
function format(value: unknown, options: Options | undefined): string {
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item === 'object' && item !== null)) return `${value.length} 项`;
    return value.map((item) => format(item, options)).join('、') || '（空）';
  }
  if (value === undefined || value === null || value === '') return '（空）';
  const text = typeof value === 'object' ? '新的内容' : String(value as string | number | boolean);
  return options?.find((option) => String(option.value) === text)?.label ?? text;
}

/** Stands at a field that another person changed while the form was open: their value, and the choice between the two. */
export function FieldConflict({ change, onAdopt, onKeep, options }: Props) {
  const { name, time, before, after } = change;
  return (
    <span className={classes['conflict']} role="group" aria-label={`${change.title}被他人修改`}>
      <span>
        {name}于 {time} {before === undefined ? '' : `由“${format(before, options)}”`}改为“{format(after, options)}”
      </span>
      <span className={classes['choice']}>
        <Button variant="default" size="compact-sm" onClick={onAdopt}>
          采用对方的
        </Button>
        <Button variant="default" size="compact-sm" onClick={onKeep}>
          保留我的
        </Button>
      </span>
    </span>
  );
}

/** Returns the error of a field. A conflict in it says the labels of these options instead of their codes. */
export const withLabels = (error: ReactNode, options: Options): ReactNode =>
  isValidElement<Props>(error) && error.type === FieldConflict ? cloneElement(error, { options }) : error;

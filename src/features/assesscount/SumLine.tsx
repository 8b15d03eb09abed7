import { Tooltip } from '@mantine/core';
import type { Figure } from '#features/assesscount/count.labels.ts';
import classes from './count.module.css';

/** What the rows found add up to, in one line above them; each figure says how it is counted. */
export function SumLine({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl className={classes['sum']} aria-label={label}>
      {figures.map(({ name, value, unit, definition }) => (
        <Tooltip key={name} label={definition}>
          <div tabIndex={0}>
            <dt>{name}</dt>
            <dd>
              {typeof value === 'number' ? value.toLocaleString('zh-CN') : value}
              <small> {unit}</small>
            </dd>
          </div>
        </Tooltip>
      ))}
    </dl>
  );
}

/** Keeps the line's place until the first answer is here. */
export const SumBones = () => (
  <div className={classes['sum']} aria-hidden>
    <div className={classes['bones']} />
  </div>
);

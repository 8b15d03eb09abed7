import { Tooltip } from '@mantine/core';
import { formatNumber } from '#domain/base/number.ts';
import type { Figure } from '#features/assesscount/count.labels.ts';
import classes from './count.module.css';

/** The sums of all rows in one line above the list; a tooltip defines each figure. */
export function SumLine({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl className={classes['sum']} aria-label={label}>
      {figures.map(({ name, value, unit, definition }) => (
        <Tooltip key={name} label={definition}>
          <div tabIndex={0}>
            <dt>{name}</dt>
            <dd>
              {typeof value === 'number' ? formatNumber(value) : value}
              <small> {unit}</small>
            </dd>
          </div>
        </Tooltip>
      ))}
    </dl>
  );
}

/** The placeholder of the line before the first response. */
export const SumSkeleton = () => (
  <div className={classes['sum']} aria-hidden>
    <div className={classes['bones']} />
  </div>
);

import { Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { formatNumber } from '#domain/base/number.ts';
import { Link } from '#ui/router/router.tsx';
import classes from './StatTiles.module.css';

export interface Tile {
  name: string;
  /** null: unknown, or hidden because the group is too small. */
  value: number | string | null;
  unit?: string;
  /** How the number is counted. */
  definition?: string;
  /** Path of the list that the number counts. */
  to?: string;
  /** Difference from the period before. */
  change?: number;
  /** What else to know about the number: its rate, its interval, what changed. */
  note?: string;
  tone?: 'red' | 'amber';
}

const words = (change: number) =>
  change === 0 ? '与上期持平' : `较上期${change > 0 ? '增加' : '减少'} ${formatNumber(Math.abs(change))}`;

/** Tiles with statistics: a tooltip says how each number is counted, and a link opens its list. `width` is the least of a tile in px. */
export function StatTiles({ tiles, label, width }: { tiles: readonly Tile[]; label?: string; width?: number }) {
  return (
    <div
      className={classes['tiles']}
      role="list"
      aria-label={label}
      style={width ? ({ '--tile-width': `${width}px` } as CSSProperties) : undefined}
    >
      {tiles.map((tile) => (
        <div key={tile.name} role="listitem" style={{ display: 'grid' }}>
          <OneTile {...tile} />
        </div>
      ))}
    </div>
  );
}

function OneTile({ name, value, unit, definition, to, change, note, tone }: Tile) {
  const inside: ReactNode = (
    <>
      <span className={classes['name']}>
        {name}
        {definition && <IconInfoCircle size={14} aria-hidden />}
      </span>
      <span className={classes['figure']}>
        {value === null ? '—' : typeof value === 'number' ? formatNumber(value) : value}
        {unit && value !== null && <small>{unit}</small>}
      </span>
      {change !== undefined && <span className={classes['change']}>{words(change)}</span>}
      {note && <span className={classes['change']}>{note}</span>}
    </>
  );
  const look = `${classes['tile']} ${tone && value !== 0 ? classes[tone] : ''}`;
  const tile = to ? (
    <Link className={look} to={to}>
      {inside}
    </Link>
  ) : (
    <div className={look} tabIndex={definition ? 0 : undefined}>
      {inside}
    </div>
  );
  return definition ? <Tooltip label={definition}>{tile}</Tooltip> : tile;
}

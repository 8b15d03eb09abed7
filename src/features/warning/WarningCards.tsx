import type { ReactNode } from 'react';
import { WarningState } from '#domain/base/enums.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { EnumBadge, WarningBadge } from '#ui/display/badges.tsx';
import { ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import type { List } from '#ui/list/useList.ts';
import { NewMark } from '#features/warning/list/lastLook.tsx';
import { DueClock } from '#features/warning/DueClock.tsx';
import type { getWarningPageList, WarningRow } from '#features/warning/warning.contract.ts';
import { STATE_TONES, toInstant } from '#features/warning/case.labels.ts';
import classes from './warning.module.css';

interface Props {
  list: List<typeof getWarningPageList>;
  actions: (row: WarningRow) => ReactNode;
  onOpen: (warningcode: string) => void;
  empty: ReactNode;
}

/** The list of cases for telephones: one card for each case. */
export function WarningCards({ list, actions, onOpen, empty }: Props) {
  if (list.error) return <ErrorState error={list.error} retry={list.refresh} />;
  if (list.loading) return <Skeletons.Lines count={8} />;
  if (list.rows.length === 0) return empty;
  return (
    <ul className={classes['cards']} aria-label="危机预警列表">
      {list.rows.map((row) => (
        <li key={row.warningcode} className={classes['card']} data-overdue={row.isoverdue}>
          <div className={classes['line']}>
            {row.level !== null && <WarningBadge level={row.level} name={row.levelname} />}
            <EnumBadge of={WarningState} code={row.state} tones={STATE_TONES} />
            <span className={classes['quiet']} style={{ marginLeft: 'auto' }}>
              <RelativeTime at={toInstant(row.createtime)} />
            </span>
          </div>
          <button type="button" className={classes['link']} onClick={() => onOpen(row.warningcode)}>
            <span className={classes['name']}>{row.username}</span> <NewMark row={row} />{' '}
            <span className={classes['quiet']}>{row.belongs}</span>
          </button>
          {row.triggers && <span className={classes['clamp']}>{row.triggers}</span>}
          <div className={classes['line']}>
            {row.level !== null && <DueClock row={row} />}
            <span className={classes['quiet']}>责任人 {row.ownername || '未分派'}</span>
          </div>
          <div className={classes['line']} style={{ justifyContent: 'flex-end' }}>
            {actions(row)}
          </div>
        </li>
      ))}
    </ul>
  );
}

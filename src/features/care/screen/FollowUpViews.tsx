import { formatNumber } from '#domain/base/number.ts';
import type { FilterValue } from '#ui/router/filtersInAddress.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getFollowUpCount } from '#features/care/followup/work.contract.ts';
import classes from './followup.module.css';

const VIEWS = [
  ['today', '今日'],
  ['overdue', '已逾期'],
  ['all', '全部'],
] as const;

interface Props {
  list: { filters: Readonly<Record<string, FilterValue>>; setFilters: (filters: Readonly<Record<string, FilterValue>>) => void };
}

/** The quick views with their numbers. 我负责的 narrows all of them. */
export function FollowUpViews({ list: { filters, setFilters } }: Props) {
  const isMine = String(filters['mine'] ?? '') === '1';
  const view = String(filters['view'] ?? 'all');
  const count = useActionQuery(getFollowUpCount, isMine ? { mine: 1 } : {}, { quiet: true, keepPrevious: true, every: 60_000 });
  return (
    <div className={classes['views']} role="group" aria-label="随访范围">
      {VIEWS.map(([key, name]) => (
        <button
          key={key}
          type="button"
          className={classes['view']}
          aria-pressed={view === key}
          onClick={() => setFilters({ ...filters, view: key === 'all' ? undefined : key })}
        >
          {name}
          {count.data && (
            <b data-red={(key === 'overdue' && count.data.overdue > 0) || undefined}>{formatNumber(count.data[key])}</b>
          )}
        </button>
      ))}
      <button
        type="button"
        className={classes['view']}
        aria-pressed={isMine}
        onClick={() => setFilters({ ...filters, mine: isMine ? undefined : '1' })}
      >
        我负责的
      </button>
    </div>
  );
}

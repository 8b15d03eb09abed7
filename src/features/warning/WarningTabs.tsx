import type { ResponseOf } from '#contract/action.ts';
import { formatNumber } from '#domain/base/number.ts';
import type { FilterValue } from '#ui/router/filtersInAddress.ts';
import type { getWarningCount } from '#features/warning/warning.contract.ts';
import classes from './warning.module.css';

type Count = ResponseOf<typeof getWarningCount>;
interface Tab {
  name: string;
  filters: Readonly<Record<string, FilterValue>>;
  /** the tab's number; undefined: the tab has none */
  count: (count: Count) => number | undefined;
  red?: boolean;
  /** hidden for staff who may not see why somebody needs attention */
  staffOnly?: boolean;
  /** stands only while its number is above zero or it is chosen */
  optional?: boolean;
}
const HANDLING = ['02', '03', '04', '05', '06'];
const countStates = (count: Count, states: readonly string[]) =>
  states.reduce((total, state) => total + (count.states[state] ?? 0), 0);
const TABS: readonly Tab[] = [
  { name: '全部', filters: {}, count: () => undefined },
  { name: '待受理', filters: { pending: '1' }, count: (count) => count.pending, red: true },
  { name: '处理中', filters: { states: HANDLING }, count: (count) => countStates(count, HANDLING) },
  { name: '超时', filters: { overdue: '1' }, count: (count) => count.overdue, red: true },
  { name: '我负责的', filters: { mine: '1' }, count: (count) => count.mine },
  { name: '待我复核', filters: { second: '1' }, count: (count) => count.second, red: true, staffOnly: true, optional: true },
  { name: '已改答', filters: { changed: '1' }, count: () => undefined, staffOnly: true },
  { name: '已结案', filters: { states: ['07', '08'] }, count: (count) => countStates(count, ['07', '08']) },
];
/** The filters that the tabs set. */
export const TAB_FILTERS = ['states', 'pending', 'overdue', 'mine', 'changed', 'second'];
const isSame = (a: unknown, b: unknown) =>
  JSON.stringify([a ?? []].flat().map(String).sort()) === JSON.stringify([b ?? []].flat().map(String).sort());

/** Tabs that set the usual filters of the list and show their numbers. They keep all other filters. */
export function WarningTabs({
  list,
  count,
  plain = false,
}: {
  list: { filters: Readonly<Record<string, FilterValue>>; setFilters: (filters: Readonly<Record<string, FilterValue>>) => void };
  count: Count | undefined;
  /** true: the reader may not see deadlines */
  plain?: boolean;
}) {
  return (
    <div className={classes['tabs']} role="group" aria-label="预警视图">
      {TABS.filter((tab) => !(plain && ('overdue' in tab.filters || tab.staffOnly))).map((tab) => {
        const tabCount = count && tab.count(count);
        const isActive = TAB_FILTERS.every((key) => isSame(list.filters[key], tab.filters[key]));
        if (tab.optional && !isActive && !tabCount) return null;
        const otherFilters = Object.fromEntries(Object.entries(list.filters).filter(([key]) => !TAB_FILTERS.includes(key)));
        return (
          <button
            key={tab.name}
            type="button"
            className={classes['tab']}
            aria-pressed={isActive}
            onClick={() => list.setFilters({ ...otherFilters, ...tab.filters })}
          >
            {tab.name}
            {tabCount !== undefined && <b data-red={(tab.red && tabCount > 0) || undefined}>{formatNumber(tabCount)}</b>}
          </button>
        );
      })}
    </div>
  );
}

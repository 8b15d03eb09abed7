import { Button } from '@mantine/core';
import { useCallback, useState, type ReactNode } from 'react';
import type { FilterValue } from '#ui/router/filtersInAddress.ts';
import { FilterContext } from '#ui/list/filters.tsx';
import classes from './statistics.module.css';

const isSet = (value: FilterValue) => value !== undefined && value !== null && value !== '';

/**
 * The filters of a page of statistics. Each choice counts at once. `children` are fields of `ui/list/filters.tsx`; on a phone the
 * first two are visible until the reader opens the others.
 */
export function FilterBar({
  filters,
  set,
  reset,
  isChanged,
  children,
}: {
  filters: Readonly<Record<string, FilterValue>>;
  set: (change: Readonly<Record<string, FilterValue>>) => void;
  reset: () => void;
  isChanged: boolean;
  children: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const [registered, setRegistered] = useState<readonly string[]>([]);
  const register = useCallback((name: string) => {
    setRegistered((before) => [...before, name]);
    return () => setRegistered((before) => before.filter((text) => text !== name));
  }, []);
  // The period is always set and its field is always visible.
  const count = registered.filter((name) => name !== 'year' && name !== 'term' && isSet(filters[name])).length;
  return (
    <div className={classes['filterCard']} role="search" aria-label="统计条件" data-noprint>
      <FilterContext.Provider value={{ draft: filters, set, register, isHidden: () => false }}>
        <div className={classes['filters']} data-folded={!isOpen || undefined}>
          {children}
          <div className={classes['filterButtons']}>
            <Button variant="default" disabled={!isChanged} onClick={reset}>
              重置
            </Button>
            <Button
              variant="subtle"
              color="gray"
              className={classes['more'] ?? ''}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? '收起条件' : count > 0 ? `更多条件（已选 ${count}）` : '更多条件'}
            </Button>
          </div>
        </div>
      </FilterContext.Provider>
    </div>
  );
}

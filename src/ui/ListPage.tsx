import { Button, CloseButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { FilterValue } from '#ui/addressFilters.ts';
import { FilterContext } from '#ui/filters.tsx';
import { Pager } from '#ui/Pager.tsx';
import { useSelected, type Selection } from '#ui/selection.ts';
import classes from './ListPage.module.css';

interface Frame {
  filters: Readonly<Record<string, FilterValue>>;
  ask: (filters: Readonly<Record<string, FilterValue>>) => void;
  page: number;
  pageSize: number;
  total: number;
  readAt: number;
  turn: (page: number, size?: number) => void;
  selection: Selection;
}
interface Props {
  list: Frame;
  /** Fields of `filters.tsx`; their names are fields of the list's request. */
  filters?: ReactNode;
  /** Buttons at the right: 新增, 导入, 导出. */
  toolbar?: ReactNode;
  /** What stands at the left of the toolbar: a title, tabs, a count. */
  lead?: ReactNode;
  /** Operations on the selected rows. */
  bulk?: (keys: string[], done: () => void) => ReactNode;
  /** The table, or whatever shows the rows. */
  children: ReactNode;
}

/** The frame of every list screen: query form above, toolbar, the rows, pages below. It knows nothing of columns. */
export function ListPage({ list, filters, toolbar, lead, bulk, children }: Props) {
  const selected = useSelected(list.selection);
  const clear = () => list.selection.set([]);
  return (
    <div className={classes['page']}>
      {filters && <QueryForm list={list}>{filters}</QueryForm>}
      <section className={classes['card']}>
        {(toolbar || lead) && (
          <div className={classes['toolbar']}>
            <div>{lead}</div>
            <div className={classes['buttons']}>{toolbar}</div>
          </div>
        )}
        {bulk && selected.size > 0 && (
          <div className={classes['bulk']} role="status">
            <span>已选择 {selected.size} 项</span>
            {bulk([...selected], clear)}
            <CloseButton size="sm" ml="auto" aria-label="取消选择" onClick={clear} />
          </div>
        )}
        {children}
        <Pager list={list} />
      </section>
    </div>
  );
}

function QueryForm({ list, children }: { list: Frame; children: ReactNode }) {
  const [draft, setDraft] = useState(list.filters);
  // On a phone only the first field is shown until more are asked for: the rows are what the page is about.
  const [open, setOpen] = useState(false);
  const set = Object.values(draft).filter((value) => value !== undefined && value !== '').length;
  // Asked by other means (back, a tab, a link): the fields follow. The form itself stays, and with it the focus.
  const asked = JSON.stringify(list.filters);
  const [followed, follow] = useState(asked);
  if (followed !== asked) {
    follow(asked);
    setDraft(list.filters);
  }
  return (
    <form
      className={classes['card']}
      role="search"
      aria-label="查询条件"
      onSubmit={(event) => {
        event.preventDefault();
        list.ask(draft);
      }}
    >
      <FilterContext.Provider value={{ draft, set: (next) => setDraft((before) => ({ ...before, ...next })) }}>
        <div className={classes['filters']} data-folded={!open || undefined}>
          {children}
          <div className={classes['ask']}>
            <Button type="submit" leftSection={<IconSearch size={16} aria-hidden />}>
              查询
            </Button>
            <Button
              variant="default"
              onClick={() => {
                setDraft({});
                list.ask({});
              }}
            >
              重置
            </Button>
            <Button
              variant="subtle"
              color="gray"
              className={classes['more'] ?? ''}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {open ? '收起条件' : set > 0 ? `更多条件（已选 ${set}）` : '更多条件'}
            </Button>
          </div>
        </div>
      </FilterContext.Provider>
    </form>
  );
}

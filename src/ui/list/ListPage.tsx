import { Button, CloseButton, Pill } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useCallback, useState, type ReactNode } from 'react';
import type { Action } from '#contract/action.ts';
import type { FilterValue } from '#ui/router/filtersInAddress.ts';
import { titleOf } from '#contract/fieldTitles.ts';
import { isHiddenField } from '#ui/api/session.ts';
import { FilterContext } from '#ui/list/filters.tsx';
import { Pager } from '#ui/list/Pager.tsx';
import { readPreference, savePreference } from '#ui/api/preference.ts';
import { useSelected } from '#ui/list/selection.ts';
import type { BuiltInView } from '#ui/list/view/builtInView.ts';
import { ViewMenu } from '#ui/list/view/ViewMenu.tsx';
import type { List } from '#ui/list/useList.ts';
import classes from './ListPage.module.css';

type Frame = { action: Action } & Pick<
  List,
  | 'filters'
  | 'setFilters'
  | 'request'
  | 'page'
  | 'pageSize'
  | 'total'
  | 'readAt'
  | 'setPage'
  | 'selection'
  | 'look'
  | 'showLook'
  | 'viewKey'
  | 'openView'
>;
interface Props {
  list: Frame;
  /** Fields of `filters.tsx`; their names are fields of the list's request. */
  filters?: ReactNode;
  /** The filters fold to the first one at every width; without it to one line of at most three. */
  folds?: boolean;
  /** Filters that another part of the screen shows: a tree, tabs, a heading. */
  also?: readonly string[];
  /** Buttons at the right: 新增, 导入, 导出. */
  toolbar?: ReactNode;
  /** Views that come with the list. */
  views?: readonly BuiltInView[] | undefined;
  /** Content at the left of the toolbar: a title, tabs, a count. */
  lead?: ReactNode;
  /** Operations on the selected rows. */
  bulk?: (keys: string[], done: () => void) => ReactNode;
  /** The table, or another view of the rows. */
  children: ReactNode;
}

/** The frame of every list screen: query form, toolbar, rows and pager. It does not depend on the columns. */
export function ListPage({ list, filters, folds = false, also = [], toolbar, views, lead, bulk, children }: Props) {
  const selected = useSelected(list.selection);
  const clear = () => list.selection.set([]);
  return (
    <div className={classes['page']}>
      {filters && (
        <QueryForm list={list} also={also} folds={folds}>
          {filters}
        </QueryForm>
      )}
      <section className={classes['card']}>
        <div className={classes['toolbar']}>
          <div>{lead}</div>
          <div className={classes['buttons']}>
            <ViewMenu list={list} builtIn={views} />
            {toolbar}
          </div>
        </div>
        {children}
        {bulk && selected.size > 0 && (
          <div className={classes['bulk']} role="status">
            <span>已选择 {selected.size} 项</span>
            {bulk([...selected], clear)}
            <CloseButton size="sm" ml="auto" aria-label="取消选择" onClick={clear} />
          </div>
        )}
        <Pager list={list} />
      </section>
    </div>
  );
}

/** Formats a flag of the address bar. */
const FLAGS: Readonly<Record<string, string>> = { 0: '否', 1: '是' };

/** Collects the names of the fields in a form, as they mount and unmount. */
function useRegisteredFilters() {
  const [registered, setRegistered] = useState<readonly string[]>([]);
  const register = useCallback((name: string) => {
    setRegistered((before) => [...before, name]);
    return () => setRegistered((before) => before.filter((text) => text !== name));
  }, []);
  return { registered, register };
}

/** Gives the keys back to the list: in a field, J and K would be typed. */
function leaveField(form: HTMLFormElement): void {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement && form.contains(field)) field.blur();
}

function QueryForm({
  list,
  also,
  folds,
  children,
}: {
  list: Frame;
  also: readonly string[];
  folds: boolean;
  children: ReactNode;
}) {
  const { registered, register } = useRegisteredFilters();
  // A link of another screen may filter by a field without an input here: show it, so that the reader does not take a short list
  // for all rows.
  const others = Object.entries(list.filters).filter(([name]) => !registered.includes(name) && !also.includes(name));
  const [draft, setDraft] = useState<Readonly<Record<string, FilterValue>>>(list.filters);
  const title = (name: string) => titleOf(list.action.request, [name]) ?? '条件';
  const change = useCallback((next: Readonly<Record<string, FilterValue>>) => setDraft((before) => ({ ...before, ...next })), []);
  // One line of fields, on a phone the first one, is visible until the reader opens the others: the rows matter most. The browser
  // remembers the choice for this list.
  const [open, setOpen] = useState(() => readPreference<boolean>(`filters.${list.action.name}`) === true);
  const toggle = () => {
    setOpen(!open);
    savePreference(`filters.${list.action.name}`, !open);
  };
  // The first field is always visible, and the button counts what is behind it.
  const set = registered.slice(1).filter((name) => ![undefined, null, ''].includes(draft[name] as string)).length;
  // The address bar may change without the form (back, a tab, a link): update the fields. The form stays mounted and keeps the
  // focus.
  const filterKey = JSON.stringify(list.filters);
  const [followed, setFollowed] = useState(filterKey);
  if (followed !== filterKey) {
    setFollowed(filterKey);
    setDraft(list.filters);
  }
  return (
    <form
      className={classes['card']}
      role="search"
      aria-label="查询条件"
      onSubmit={(event) => {
        event.preventDefault();
        list.setFilters(draft);
        leaveField(event.currentTarget);
      }}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && leaveField(event.currentTarget)}
    >
      <FilterContext.Provider value={{ draft, set: change, register, isHidden: (name) => isHiddenField(list.action, name) }}>
        <div className={classes['filters']} data-folded={!open || undefined} data-folds={folds || undefined}>
          {children}
          <div className={classes['ask']}>
            <Button type="submit" leftSection={<IconSearch size={16} aria-hidden />}>
              查询
            </Button>
            <Button
              variant="default"
              onClick={() => {
                setDraft({});
                list.setFilters({});
              }}
            >
              重置
            </Button>
            <Button variant="subtle" color="gray" className={classes['more'] ?? ''} aria-expanded={open} onClick={toggle}>
              {open ? '收起条件' : set > 0 ? `更多条件（已选 ${set}）` : '更多条件'}
            </Button>
          </div>
        </div>
      </FilterContext.Provider>
      {registered.length > 0 && others.length > 0 && (
        <div className={classes['others']}>
          {others.map(([name, value]) => {
            const { [name]: _gone, ...rest } = list.filters;
            return (
              <Pill
                key={name}
                withRemoveButton
                removeButtonProps={{ 'aria-label': `去掉条件 ${title(name)}`, 'aria-hidden': false, tabIndex: 0 }}
                onRemove={() => list.setFilters(rest)}
              >
                {title(name)}：{FLAGS[String(value)] ?? String(value)}
              </Pill>
            );
          })}
        </div>
      )}
    </form>
  );
}

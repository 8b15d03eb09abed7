import '@mantine/spotlight/styles.layer.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { useNavigate } from '#ui/router/router.tsx';
import type { Navigation } from '#console/navigation.ts';
import classes from '#console/shell/search/Search.module.css';
import { findPages, useFound, usePinned, type Result, type ResultGroup } from '#console/shell/search/results.ts';
import { useToPinyin } from '#ui/display/pinyin.ts';

const [store, spotlight] = createSpotlight();

/** Milliseconds after the last key before the server is asked. */
const PAUSE = 200;

interface Props {
  plan: Navigation;
  /** what was opened last, the newest first */
  recent: readonly Result[];
  onFollow: (result: Result) => void;
  onClose: () => void;
}

/** Enter without a chosen result follows the first one: results that arrive later are not chosen by themselves. */
function followFirst({ key, nativeEvent }: KeyboardEvent) {
  if (key !== 'Enter' || nativeEvent.isComposing) return;
  const results = [...document.querySelectorAll<HTMLElement>(`.${classes['results']} button`)];
  if (!results.some((result) => result.hasAttribute('data-selected'))) results[0]?.click();
}

/** The search over everything that the account may open: pages, persons, cases, tasks and questionnaires. */
export function Search({ plan, recent, onFollow, onClose }: Props) {
  const [query, setQuery] = useState('');
  const words = query.trim();
  const [settled] = useDebouncedValue(words, PAUSE);
  const found = useFound(settled);
  const pinned = usePinned();
  const toPinyin = useToPinyin(words);
  const navigate = useNavigate();
  useEffect(() => spotlight.open(), []);
  const isReading = found.isReading || settled !== words;
  // The lists answer one after the other. They are shown together, so that no result moves away from below the pointer.
  const groups: ResultGroup[] =
    words === ''
      ? [
          { title: '固定', results: pinned },
          { title: '最近打开', results: recent },
          { title: '页面', results: findPages(plan, '').slice(0, 8) },
        ]
      : [{ title: '页面', results: findPages(plan, words, toPinyin).slice(0, 5) }, ...(isReading ? [] : found.groups)];
  const shown = groups.filter(({ results }) => results.length > 0);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      centered={false}
      yOffset="12vh"
      zIndex={350}
      aria-label="搜索"
    >
      <Spotlight.Search
        data-search
        placeholder="姓名、拼音首字母、编号、任务、量表或页面"
        aria-label="搜索"
        onKeyDown={followFirst}
        leftSection={<IconSearch size={20} stroke={1.6} aria-hidden />}
      />
      <Spotlight.ActionsList tabIndex={0} aria-label="搜索结果" role="group" className={classes['results'] ?? ''}>
        {shown.map(({ title, results }) => (
          <Spotlight.ActionsGroup key={title} label={title} role="group" aria-label={title}>
            {results.map((result) => (
              <Spotlight.Action
                key={result.path}
                label={result.label}
                description={result.description}
                onClick={() => {
                  onFollow(result);
                  void navigate(result.path);
                }}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {shown.length === 0 && (
          <Spotlight.Empty>{isReading ? '正在查找…' : '没有找到。可以换一个姓名、编号或名称试试'}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

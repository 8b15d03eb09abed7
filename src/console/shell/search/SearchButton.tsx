import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import type { Navigation } from '#console/navigation.ts';
import type { Result } from '#console/shell/search/results.ts';
import { useShortcuts } from '#console/shell/search/shortcuts.ts';

const Search = lazyDialog(() => import('#console/shell/search/Search.tsx').then((file) => file.Search));
const KeySheet = lazyDialog(() => import('#console/shell/search/KeySheet.tsx').then((file) => file.KeySheet));

/** Number of places that the search remembers. They stay in this page, because the names of persons do not belong on the device. */
const REMEMBERED = 6;

/** Opens the search, also by Ctrl+K, and the sheet of keys by `?`. */
export function SearchButton({ plan }: { plan: Navigation }) {
  const [dialog, setDialog] = useState<'search' | 'keys'>();
  const [recent, setRecent] = useState<readonly Result[]>([]);
  const openSearch = useCallback(() => setDialog('search'), []);
  const openKeys = useCallback(() => setDialog('keys'), []);
  useShortcuts({ search: openSearch, keys: openKeys });
  const remember = (result: Result) =>
    setRecent((before) => [result, ...before.filter(({ path }) => path !== result.path)].slice(0, REMEMBERED));
  const close = () => setDialog(undefined);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="搜索（Ctrl+K）"
        title="搜索（Ctrl+K）"
        aria-keyshortcuts="Control+K"
        onClick={openSearch}
      >
        <IconSearch size={18} stroke={1.6} />
      </ActionIcon>
      {dialog === 'search' && <Search plan={plan} recent={recent} onFollow={remember} onClose={close} />}
      {dialog === 'keys' && <KeySheet onClose={close} />}
    </>
  );
}

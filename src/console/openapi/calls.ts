import { KEY_SCOPES, keyScopes, scopesOf, type KeyScope } from '#contract/apikey/openToKeys.ts';

/** Which calls the page shows: all, those that any key may make, or those of one group. */
export type KeyFilter = 'all' | 'keys' | KeyScope;

/** The choices of the filter, in their order. */
export const keyFilters: readonly { value: KeyFilter; label: string }[] = [
  { value: 'all', label: '全部调用' },
  { value: 'keys', label: '对接密钥可用的全部调用' },
  ...keyScopes.map((scope) => ({ value: scope, label: `对接密钥可用：${KEY_SCOPES[scope].title}` })),
];

/** Whether a key may make the call, if its institution gives it the group. */
export const isForKeys = (name: string): boolean => scopesOf(name).length > 0;

/** Whether the page shows a call: its name or title contains the keyword, and the filter contains it. */
export function isShown({ name, title }: { name: string; title: string }, keyword: string, filter: KeyFilter): boolean {
  if (!`${name} ${title}`.toLowerCase().includes(keyword.trim().toLowerCase())) return false;
  return filter === 'all' || (filter === 'keys' ? isForKeys(name) : scopesOf(name).includes(filter));
}

/** A call with a key, for a terminal. */
export const exampleOf = (origin: string): string =>
  [
    `curl '${origin}/api/${KEY_SCOPES.tasks.calls[0]}/1.0.0/action' \\`,
    `  -H 'token: xlk_…' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{"page":1,"pageSize":10}'`,
  ].join('\n');

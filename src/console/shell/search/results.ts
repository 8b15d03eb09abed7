import { archivePathOf } from '#contract/population.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { can } from '#ui/api/session.ts';
import { matchesWords, type ToPinyin } from '#ui/display/pinyin.ts';
import { getCUserArchivePageList } from '#features/archive/archive.contract.ts';
import { getFormPageList } from '#features/form/form.contract.ts';
import { getAssessTaskProgress } from '#features/task/board/board.contract.ts';
import { getPins } from '#features/pin/pin.contract.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import type { Navigation } from '#console/navigation.ts';

/** One place that the search leads to. */
export interface Result {
  path: string;
  label: string;
  description: string;
}
/** What the search found in one kind. */
export interface ResultGroup {
  title: string;
  results: readonly Result[];
}

/** Number of results of each kind. */
const MOST = 5;
const firstPage = { page: 1, pageSize: MOST } as const;
const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join(' · ');

/** Pages outside the menu that stand for themselves: they need no record and no filter. */
const BESIDE_MENU: ReadonlySet<string> = new Set([
  '/workbench',
  '/planner',
  '/notices',
  '/profile',
  '/settings',
  '/noticeChannels',
  '/webhooks',
  '/apiKeys',
  '/approvals',
  '/archives/fields',
  '/authority/loginLog',
  '/authority/retention',
  '/content',
  '/earlyWarning/reviews',
  '/earlyWarning/rules',
  '/earlyWarning/supervision',
  '/evaluating/reportTemplates',
  '/reports',
  '/task/guardianConsent',
  '/task/new',
  '/task/teamReports',
]);

/** The pages of the account whose title, or the title above it, contains the words; with `toPinyin` also whose Pinyin begins with them. */
export function findPages({ groups, routes }: Navigation, words: string, toPinyin?: ToPinyin): Result[] {
  const inMenu = groups.flatMap((group) => group.children.map((page) => ({ ...page, above: group.title })));
  const beside = routes.flatMap(({ path, title, above }) => {
    const page = path.replace('/:tab?', '');
    return BESIDE_MENU.has(page) ? [{ path: page, title, above: above.at(-1)?.title ?? '' }] : [];
  });
  const pages = [...inMenu, ...beside];
  return pages
    .filter(({ title, above }) => matchesWords(title, words, toPinyin) || above.toLowerCase().includes(words.toLowerCase()))
    .map(({ path, title, above }) => ({ path, label: title, description: above }));
}

/** What the account has pinned, as results. */
export function usePinned(): readonly Result[] {
  const { data } = useActionQuery(getPins, {}, { quiet: true });
  return (data?.pins ?? []).map(({ title, note, path }) => ({ path, label: title, description: note }));
}

/**
 * Searches with the lists of the console, so the caller finds what these lists show, with the same masks. Without words nothing is
 * asked. `isReading` until every list answered.
 */
export function useFound(words: string): { groups: ResultGroup[]; isReading: boolean } {
  const ask = words !== '';
  const persons = useActionQuery(
    getCUserArchivePageList,
    ask && can(getCUserArchivePageList) ? { ...firstPage, keyword: words } : undefined,
    { quiet: true },
  );
  const cases = useActionQuery(
    getWarningPageList,
    ask && can(getWarningPageList) ? { ...firstPage, keyword: words } : undefined,
    { quiet: true },
  );
  const tasks = useActionQuery(
    getAssessTaskProgress,
    ask && can(getAssessTaskProgress) ? { ...firstPage, keyword: words } : undefined,
    {
      quiet: true,
    },
  );
  const forms = useActionQuery(getFormPageList, ask && can(getFormPageList) ? { ...firstPage, formname: words } : undefined, {
    quiet: true,
  });
  const groups: ResultGroup[] = [
    {
      title: '受测者',
      results: (persons.data?.rows ?? []).map(({ appid, cuserid, username, insname, archiveno }) => ({
        path: archivePathOf(appid, cuserid),
        label: username,
        description: joined(insname, archiveno),
      })),
    },
    {
      title: '预警个案',
      results: (cases.data?.rows ?? []).map(({ warningcode, username, belongs, levelname, statename }) => ({
        path: `/earlyWarning/case/${warningcode}`,
        label: username,
        description: joined(levelname, statename, belongs),
      })),
    },
    {
      title: '任务',
      results: (tasks.data?.rows ?? []).map(({ taskcode, taskname, planname }) => ({
        path: `/task/administration/${taskcode}`,
        label: taskname,
        description: planname,
      })),
    },
    {
      title: '量表',
      results: (forms.data?.rows ?? []).map(({ formcode, formname, itemcount }) => ({
        path: `/evaluating/scale/${formcode}`,
        label: formname,
        description: joined(formcode, `${itemcount} 题`),
      })),
    },
  ];
  return {
    groups: groups.filter(({ results }) => results.length > 0),
    isReading: [persons, cases, tasks, forms].some(({ isFetching }) => isFetching),
  };
}

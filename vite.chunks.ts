/** A file of the build: what is put into it, besides what that needs and no file before it holds. */
interface Group {
  name: string;
  test: RegExp;
  tags?: ['$initial'];
}

const ui = (names: string) => new RegExp(`/src/ui/(${names})\\.tsx?$`);
const kit = (names: string) => `/@mantine/core/.*/components/(${names})/`;
const either = (...parts: (RegExp | string)[]) =>
  new RegExp(parts.map((part) => (typeof part === 'string' ? part : part.source)).join('|'));

/** In the order in which they take their modules. */
const groups: readonly Group[] = [
  // The sign-in page needs these as well, and nothing else of the console.
  { name: 'place', test: either('/src/console/storage\\.ts$', ui('token')) },
  { name: 'secret', test: either('/src/console/passwordHash\\.ts$', '/js-md5/') },
  { name: 'frame', test: /^(?!.*(\.html|\/main\.tsx?)$)(?!.*\/src\/console\/(login|openapi)\/)/, tags: ['$initial'] },
  // Every list stands on these.
  {
    name: 'list',
    test: either(
      kit('Anchor|SegmentedControl|Alert'),
      '/icons/Icon(Plus|Upload|Trash|Copy|Printer|InfoCircle|CircleCheck|ChevronRight)\\.mjs$',
      '/src/domain/calendar\\.ts$',
      ui(
        'ListPage|DataTable|RowCards|filters|useList|columns|Ago|PersonName|badges|ExportButton|ConfirmButton|RowMenu|May|Section|states|ImportDialog|useAction',
      ),
    ),
  },
  // What opens: menus, panels, lists to choose from, bubbles.
  {
    name: 'popups',
    test: either(
      ui('Anchored|PopupMenu|choices|ColumnPanel|RowSheet|RowMenuPanel|ExportWays|HintBubble'),
      '/src/console/shell/(AccountItems|NoticePanel|MenuLinks|CollapsedGroup|TabMenu)\\.tsx$',
      kit('Popover|Menu|Tooltip|Combobox|Select|MultiSelect|ScrollArea'),
    ),
  },
  {
    name: 'dialogs',
    test: either(
      ui('AskBox|Toasts|FormDrawer|HeldDialog'),
      '/src/console/shell/(Busy|SignInAgain|ProveAgain)\\.tsx$',
      kit('Modal|Drawer'),
    ),
  },
  { name: 'dates', test: either('/@mantine/dates/', '/dayjs/', ui('DayRange')) },
  { name: 'forms', test: either(ui('fields|useActionForm|useSheet'), kit('NumberInput|Radio|Switch|Textarea|Checkbox')) },
  // Lists that offer an import of persons name its contract, and that its sheets.
  { name: 'imports', test: either('/src/features/team/roster\\.contract\\.ts$', '/src/contract/importSheet\\.ts$') },
];

/**
 * How the console is cut into files. Left to itself a build makes a file of whatever two pages share: a hundred small ones, each with
 * its own headers and its own compression.
 */
export const chunks = {
  groups: [...groups.map((group, at) => ({ ...group, priority: 100 - at }))],
};

const packages = (names: string) => new RegExp(`/node_modules/(${names})/`);
const only = { includeDependenciesRecursively: false };
export const chunks = {
  groups: [
    { name: 'react', test: packages('react|react-dom|scheduler'), priority: 9 },
    { name: 'data', test: packages('zod|@tanstack/react-query|@tanstack/query-core'), priority: 8 },
    {
      name: 'mantine',
      test: packages('@mantine|@floating-ui|react-remove-scroll|tslib'),
      priority: 7,
      tags: ['$initial' as const],
    },
    { name: 'dates', test: /src\/ui\/(DateRange|DateRangeFilter|dateFields)\.tsx?|@mantine\/dates|dayjs/, priority: 4, ...only },
    {
      name: 'form',
      test: /src\/ui\/(FormDrawer|fields|useActionForm|sent)\.tsx?|@mantine\/form|react-number-format|klona|fast-deep-equal/,
      priority: 3,
      ...only,
    },
    { name: 'shared', test: /\/src\/(?!console\/)|@tabler/, priority: 1, minShareCount: 8, ...only },
  ],
};

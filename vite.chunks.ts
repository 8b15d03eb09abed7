import type { Rolldown } from 'vite';

/** Without this a file also takes whatever its modules import. */
const alone = { includeDependenciesRecursively: false };

/** What the sign-in page shares with the rooms of `ui` stands in a file of its own, or that page would load the whole file. */
const ofSignIn = (id: string, build: Rolldown.ChunkingContext) =>
  build.getModuleInfo(id)?.importers.some((path) => path.includes('/src/console/login/')) ? 'sign-in' : null;

/**
 * How the console is cut into files. Libraries change rarely, so a browser keeps their files. Nearly every page is a list. Forms and
 * calendars are needed by drawers and by some lists only. Left alone, the build makes a file for every set of pages that share a module.
 */
export const chunks = {
  groups: [
    { name: ofSignIn, debugName: 'sign-in', test: /\/src\/ui\//, priority: 7, ...alone },
    { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 6 },
    { name: 'data', test: /\/node_modules\/(zod|@tanstack\/(react-query|query-core))\//, priority: 6 },
    { name: 'mantine', test: /\/node_modules\/(@mantine|@floating-ui)\//, tags: ['$initial' as const], priority: 5 },
    { name: 'list', test: /\/src\/ui\/(list|api|feedback|router)\//, priority: 4 },
    { name: 'hooks', test: /\/node_modules\/@mantine\/hooks\//, minShareCount: 8, priority: 3, ...alone },
    { name: 'dates', test: /\/node_modules\/(@mantine\/dates|dayjs)\/|\/src\/ui\/dates\//, priority: 3, ...alone },
    { name: 'form', test: /\/src\/ui\/form\//, minShareCount: 8, priority: 2 },
    { name: 'shared', test: /\/src\/(?!console\/)|\/@tabler\//, minShareCount: 10, priority: 1, ...alone },
  ],
};

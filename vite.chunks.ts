import type { Rolldown } from 'vite';

/** Without this option a chunk also contains the imports of its modules. */
const withoutImports = { includeDependenciesRecursively: false };

/** The helper of `import()`, with which the sign-in page fetches the library of passkeys. */
const IMPORT_HELPER = 'vite/preload-helper';

/** Puts modules that the sign-in page shares with the console into a separate chunk, so that this page does not load the others. */
const ofSignIn = (id: string, build: Rolldown.ChunkingContext) =>
  id.includes(IMPORT_HELPER) || build.getModuleInfo(id)?.importers.some((path) => path.includes('/src/console/login/'))
    ? 'sign-in'
    : null;

/**
 * The chunks of the console. Libraries change rarely, so a browser caches their chunks. Nearly every page is a list.
 * Only drawers and some lists need forms and calendars.
 * Without these groups the build makes a chunk for every set of pages that share a module.
 */
export const chunks = {
  groups: [
    {
      name: ofSignIn,
      debugName: 'sign-in',
      test: /\/src\/(ui|domain|contract)\/|vite\/preload-helper/,
      priority: 7,
      ...withoutImports,
    },
    { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 6 },
    { name: 'data', test: /\/node_modules\/(zod|@tanstack\/(react-query|query-core))\//, priority: 6 },
    { name: 'mantine', test: /\/node_modules\/(@mantine|@floating-ui)\//, tags: ['$initial' as const], priority: 5 },
    // Contracts call `staffOf(...personScreens)` while they load, so the screens of populations load before every contract.
    { name: 'list', test: /\/src\/(ui\/(list|api|feedback|router)\/|contract\/population)/, priority: 4 },
    { name: 'hooks', test: /\/node_modules\/@mantine\/hooks\//, minShareCount: 8, priority: 3, ...withoutImports },
    { name: 'dates', test: /\/node_modules\/(@mantine\/dates|dayjs)\/|\/src\/ui\/dates\//, priority: 3, ...withoutImports },
    { name: 'form', test: /\/src\/ui\/form\//, minShareCount: 8, priority: 2 },
    { name: 'shared', test: /\/src\/(?!console\/)|\/@tabler\//, minShareCount: 10, priority: 1, ...withoutImports },
  ],
};

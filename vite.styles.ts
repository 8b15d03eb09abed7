import type { Plugin } from 'vite';

const LIBRARIES = /@mantine\/(core|dates|notifications)\//;
/** Styles of the component library that belong to no component. */
const BASE = ['baseline', 'default-css-variables', 'global'];

/**
 * Replaces the style sheet of the component library by the styles of each used component, so that the first page loads fewer styles.
 * A component imports its parts before itself, so the order of the rules stays the same.
 * The development server uses the whole style sheets.
 */
export const stylesByComponent: Plugin = {
  name: 'styles-by-component',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^@mantine\/(core|dates|notifications)\/styles\.layer\.css$/ },
    handler: (id, importer) => (importer && !LIBRARIES.test(importer) ? `\0${id}.js` : undefined),
  },
  load: {
    filter: { id: /^\0@mantine\/.*styles\.layer\.css\.js$/ },
    handler: (id) =>
      id.includes('/core/') ? BASE.map((name) => `import '@mantine/core/styles/${name}.layer.css';`).join('\n') : '',
  },
  transform: {
    filter: { id: /@mantine\/(core|dates|notifications)\/.*\.module\.mjs$/ },
    handler(code, id) {
      const [, library, component] = /@mantine\/(\w+)\/.*?(\w+)\.module\.mjs$/.exec(id) ?? [];
      return `import '@mantine/${library}/styles${library === 'core' ? `/${component}` : ''}.layer.css';\n${code}`;
    },
  },
};

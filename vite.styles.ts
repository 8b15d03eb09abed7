import type { Plugin } from 'vite';

const KITS = /@mantine\/(core|dates|notifications)\//;
/** Styles of the whole kit that belong to no component. */
const BASE = ['baseline', 'default-css-variables', 'global'];

/**
 * Each component of the kit brings its own styles, instead of all of them coming with the first page: a build takes the kit's style
 * sheet apart along its components. What a component is made of is imported before it, so the order of the rules stays the kit's.
 * While developing the whole sheets are used as the source imports them.
 */
export const stylesByComponent: Plugin = {
  name: 'styles-by-component',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^@mantine\/(core|dates|notifications)\/styles\.layer\.css$/ },
    handler: (id, importer) => (importer && !KITS.test(importer) ? `\0${id}.js` : undefined),
  },
  load: {
    filter: { id: /^\0@mantine\/.*styles\.layer\.css\.js$/ },
    handler: (id) =>
      id.includes('/core/') ? BASE.map((name) => `import '@mantine/core/styles/${name}.layer.css';`).join('\n') : '',
  },
  transform: {
    filter: { id: /@mantine\/(core|dates|notifications)\/.*\.module\.mjs$/ },
    handler(code, id) {
      const [, kit, component] = /@mantine\/(\w+)\/.*?(\w+)\.module\.mjs$/.exec(id) ?? [];
      return `import '@mantine/${kit}/styles${kit === 'core' ? `/${component}` : ''}.layer.css';\n${code}`;
    },
  },
};

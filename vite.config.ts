import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunks } from './vite.chunks.ts';
import { compressed } from './vite.compressed.ts';
import { stylesByComponent } from './vite.styles.ts';

/** Lists the files of the console in the sign-in page. The page prefetches them while a person types a password. */
const prefetchList: Plugin = {
  name: 'prefetch-list',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle, filename }) {
      if (!bundle) return html;
      if (!filename.endsWith('login.html')) return html;
      const files = new Set<string>();
      const add = (name: string) => {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk' || files.has(name)) return;
        files.add(name);
        for (const style of (chunk as { viteMetadata?: { importedCss: Set<string> } }).viteMetadata?.importedCss ?? [])
          files.add(style);
        chunk.imports.forEach(add);
      };
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && chunk.isEntry && chunk.facadeModuleId?.endsWith('/index.html')) add(chunk.fileName);
      // Leave out the files that the sign-in page loads itself.
      const names = [...files].map((name) => `/${name}`).filter((path) => !html.includes(path));
      return html.replace('</head>', `<meta name="warm" content="${names.join(' ')}" /></head>`);
    },
  },
};

const server = 'http://127.0.0.1:8080';

/** Builds the console, its sign-in page and the page of the OpenAPI description. The respondent's pages are a separate build. */
export default defineConfig({
  plugins: [react(), stylesByComponent, compressed, prefetchList],
  resolve: { alias: [{ find: /^#(?!db\/|seed\/)/, replacement: fileURLToPath(new URL('./src/', import.meta.url)) }] },
  server: { proxy: Object.fromEntries(['/api', '/qr', '/readyz', '/openapi.json'].map((path) => [path, server])) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome109', 'safari16.4', 'firefox115'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The chart library is larger and loads with the first picture.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: { index: 'index.html', login: 'login.html', openapi: 'openapi.html' },
      output: { codeSplitting: chunks },
    },
  },
});

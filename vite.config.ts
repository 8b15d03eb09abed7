import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunks } from './vite.chunks.ts';
import { compressed } from './vite.compressed.ts';
import { stylesByComponent } from './vite.styles.ts';

/** Tells the sign-in page which files the console will need, so that it can fetch them while a person types a password. */
const warmed: Plugin = {
  name: 'warmed-console',
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
      // What the sign-in page is made of itself is here already.
      const names = [...files].map((name) => `/${name}`).filter((path) => !html.includes(path));
      return html.replace('</head>', `<meta name="warm" content="${names.join(' ')}" /></head>`);
    },
  },
};

const server = 'http://127.0.0.1:8080';

/** The console, its sign-in page and the reader of the wire's description. The respondent's pages are a build of their own. */
export default defineConfig({
  plugins: [react(), stylesByComponent, compressed, warmed],
  resolve: { alias: [{ find: /^#(?!db\/|seed\/)/, replacement: fileURLToPath(new URL('./src/', import.meta.url)) }] },
  server: { proxy: Object.fromEntries(['/api', '/qr', '/readyz', '/openapi.json'].map((path) => [path, server])) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome109', 'safari16.4', 'firefox115'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', login: 'login.html', openapi: 'openapi.html' },
      output: { codeSplitting: chunks },
    },
  },
});

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { compressed } from './vite.compressed.ts';

/** Builds the respondent's pages into the same folder, with Preact, for the browsers inside chat apps. */
export default defineConfig({
  plugins: [compressed],
  resolve: {
    alias: [
      { find: /^react(-dom)?$/, replacement: 'preact/compat' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^#(?!db\/|seed\/)/, replacement: fileURLToPath(new URL('./src/', import.meta.url)) },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: ['es2019', 'chrome79', 'safari13'],
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      input: 'respondent.html',
      output: { entryFileNames: 'assets/respondent-[hash].js', assetFileNames: 'assets/respondent-[hash][extname]' },
    },
  },
});

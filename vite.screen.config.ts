import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './vite.compressed.ts';

/**
 * Builds the page of 数据大屏 into the same folder. It shares no file with the console, whose files would start the console on a
 * display.
 */
export default defineConfig({
  plugins: [react(), compressed],
  resolve: { alias: [{ find: /^#(?!db\/|seed\/)/, replacement: fileURLToPath(new URL('./src/', import.meta.url)) }] },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: ['chrome109', 'safari16.4', 'firefox115'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The chart library is larger and loads with the first picture.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: 'screen.html',
      output: { entryFileNames: 'assets/screen-[hash].js', chunkFileNames: 'assets/wall-[hash].js' },
    },
  },
});

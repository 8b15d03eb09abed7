import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Writes compressed copies beside the files of a build. The server sends these copies and never compresses a file itself. */
export const compressed: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (!/\.(js|css|svg)$/.test(file.fileName)) continue;
        const content = file.type === 'chunk' ? file.code : file.source;
        const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(content, best) });
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(content, { level: 9 }) });
      }
    },
  },
};

import { z } from 'zod';

/** What an `export` action answers with; the HTTP shell sends the bytes, never JSON. */
export const file = z.object({ filename: z.string(), mime: z.string(), body: z.unknown() });

/** A file that came with a request; only `import` actions receive one. At most 20 MB (`maxUploadBytes`). */
export interface Upload {
  filename: string;
  mime: string;
  content: Uint8Array;
}
export const maxUploadBytes = 20 * 1024 * 1024;

/** The same while it is still arriving: nobody has to hold it whole. */
export interface IncomingFile {
  filename: string;
  mime: string;
  content: Uint8Array | AsyncIterable<Uint8Array>;
}
/** An arriving file that was written to the store before its call began. */
export interface StoredFile {
  path: string;
  size: number;
  sha256: string;
  mime: string;
  filename: string;
}

export const xlsxMime = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

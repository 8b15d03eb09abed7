import { z } from 'zod';

/** What an `export` action answers with; the HTTP shell sends the bytes, never JSON. */
export const file = z.object({ filename: z.string(), mime: z.string(), body: z.unknown() });

/** A file that came with a request; only `import` actions receive one. At most 20 MB. */
export interface Upload {
  filename: string;
  mime: string;
  content: Uint8Array;
}

export const xlsxMime = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

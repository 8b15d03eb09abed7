import { z } from 'zod';

/** The response of an `export` action. The HTTP layer sends the bytes, never JSON. */
export const file = z.object({ filename: z.string(), mime: z.string(), body: z.unknown() });

/** A file of a request, at most 20 MB (`maxUploadBytes`). Only `import` actions receive one. */
export interface Upload {
  filename: string;
  mime: string;
  content: Uint8Array;
}
export const maxUploadBytes = 20 * 1024 * 1024;

/** A file during its upload, as a stream, so the server need not hold the whole file in memory. */
export interface IncomingFile {
  filename: string;
  mime: string;
  content: Uint8Array | AsyncIterable<Uint8Array>;
  /** Reads the fields that follow the file, once the file has been read. */
  readRest?: (() => Promise<Record<string, unknown>>) | undefined;
}
/** A file that the server stored before the action began. */
export interface StoredFile {
  path: string;
  size: number;
  sha256: string;
  mime: string;
  filename: string;
}

export const xlsxMime = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

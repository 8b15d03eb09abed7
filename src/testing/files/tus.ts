import type { FileUseKey } from '#domain/files/filekind.ts';

/** The first bytes of a film, which tell its type. */
export const filmHead = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypmp42'),
  Buffer.alloc(12),
  Buffer.alloc(5000),
]);
/** A film of this size. Its bytes differ from place to place, so that a lost or doubled part changes its hash. */
export function film(size: number): Buffer<ArrayBuffer> {
  const content = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) content.writeUInt32LE(at, at);
  filmHead.copy(content, 0, 0, 24);
  return content;
}

/** The answer to one request of an upload. */
export interface TusAnswer {
  status: number;
  headers: Headers;
  json: { errorCode?: number; errorMsg?: string; data?: { reason?: string; field?: string } };
}

/** Returns a client that sends single requests of tus 1.0 to a server, with the token of an account. */
export function tusClient(base: string, token: string) {
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: RequestInit['body']) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { token, 'tus-resumable': '1.0.0', ...headers },
      ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']>, duplex: 'half' }),
    } as RequestInit);
    const text = await response.text();
    const json = (text === '' ? {} : JSON.parse(text)) as TusAnswer['json'];
    return { status: response.status, headers: response.headers, json } satisfies TusAnswer;
  };
  const metadata = (fields: Record<string, string>) =>
    Object.entries(fields)
      .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
      .join(',');
  const create = (
    file: { biztype?: FileUseKey; filename?: string; ispublic?: string; size: number },
    headers: Record<string, string> = {},
  ) => {
    const { size, biztype = 'course', filename = '呼吸放松.mp4', ispublic = '0' } = file;
    const fields = metadata({ biztype, filename, ispublic });
    return send('POST', '/upload', { 'upload-length': String(size), 'upload-metadata': fields, ...headers });
  };
  /** Begins an upload and returns its address. */
  const begin = async (...request: Parameters<typeof create>): Promise<string> => {
    const { status, headers, json } = await create(...request);
    if (status !== 201) throw new Error(`${status} ${json.errorMsg}`);
    return headers.get('location') ?? '';
  };
  const patch = (path: string, offset: number | string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
    send('PATCH', path, { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream', ...headers }, body);
  const head = (path: string) => send('HEAD', path);
  const remove = (path: string) => send('DELETE', path);
  return { send, create, begin, patch, head, remove };
}

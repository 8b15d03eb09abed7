import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { onTestFinished } from 'vitest';
import type { S3Config } from '#server/config.ts';

/**
 * A test server for the part of S3 that we use, as strict as Aliyun OSS. It stores objects in memory.
 * It computes signature version 4 itself from the published description: canonical request, string to sign, derived key.
 * It accepts the bucket in the host name only, with `pathStyle` in the path only. Like OSS it refuses chunked signed payloads,
 * trailing checksums and the checksum headers of newer AWS clients.
 */
export interface S3Server {
  config: S3Config;
  /** Resolves every bucket's host name to this server. */
  lookup: LookupFunction;
  objects: Map<string, { body: Buffer; time: Date }>;
  /** The code and message of each refusal. */
  refusals: string[];
}

const region = 'oss-cn-test';
const bucket = 'xinli-files';
const accessKeyId = 'TESTKEYID';
const secretAccessKey = 'a secret of the test';

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Starts a test server; it stops at the end of the test. */
export async function startS3({ pathStyle = false } = {}): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();
  const refusals: string[] = [];
  const server = createServer((request, response) => {
    handleRequest(request, response, objects, pathStyle).catch((error: unknown) => {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'InternalError', String(error));
      refusals.push(`${refusal.code}: ${refusal.message}`);
      response.writeHead(refusal.status, { 'content-type': 'application/xml' });
      response.end(
        request.method === 'HEAD'
          ? undefined
          : `<?xml version="1.0"?><Error><Code>${refusal.code}</Code><Message>${refusal.message}</Message></Error>`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const host = pathStyle ? '127.0.0.1' : 'oss.test';
  const config = { endpoint: `http://${host}:${port}`, region, bucket, accessKeyId, secretAccessKey, pathStyle };
  const lookup: LookupFunction = (_host, options, callback) =>
    options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
  return { config, lookup, objects, refusals };
}

async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  objects: S3Server['objects'],
  pathStyle: boolean,
) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`);
  const root = pathStyle ? `/${bucket}/` : '/';
  const isNamed = pathStyle ? `${url.pathname}/`.startsWith(root) : url.hostname.startsWith(`${bucket}.`);
  if (!isNamed) throw new Refusal(403, 'SecondLevelDomainForbidden', 'please use virtual hosted style to access');
  assertPlainPayload(request);
  assertSignature(request, url, body);

  const key = decodeURIComponent(url.pathname.slice(root.length));
  const stored = objects.get(key);
  const headers = (object: { body: Buffer; time: Date }) => ({
    'content-length': object.body.length,
    'last-modified': object.time.toUTCString(),
    etag: `"${createHash('md5').update(object.body).digest('hex')}"`,
    'x-amz-request-id': randomUUID(),
  });
  const missing = () => new Refusal(404, 'NoSuchKey', 'the specified key does not exist');
  switch (request.method) {
    case 'PUT': {
      const source = request.headers['x-amz-copy-source'];
      if (typeof source === 'string') {
        const from = objects.get(decodeURIComponent(source).replace(/^\/?[^/]+\//, ''));
        if (!from) throw missing();
        objects.set(key, { body: from.body, time: new Date() });
        response.writeHead(200, { 'content-type': 'application/xml' });
        return response.end('<?xml version="1.0"?><CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>');
      }
      if (request.headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength', 'a length is needed');
      objects.set(key, { body, time: new Date() });
      response.writeHead(200, { etag: '"x"' });
      return response.end();
    }
    case 'GET': {
      if (url.searchParams.get('list-type') === '2') return list(url, response, objects);
      if (!stored) throw missing();
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      if (first === undefined) {
        response.writeHead(200, headers(stored));
        return response.end(stored.body);
      }
      const part = stored.body.subarray(Number(first), Number(last) + 1);
      response.writeHead(206, {
        ...headers(stored),
        'content-length': part.length,
        'content-range': `bytes ${first}-${Number(first) + part.length - 1}/${stored.body.length}`,
      });
      return response.end(part);
    }
    case 'HEAD':
      if (!stored) throw missing();
      response.writeHead(200, headers(stored));
      return response.end();
    case 'DELETE':
      objects.delete(key);
      response.writeHead(204);
      return response.end();
    default:
      throw new Refusal(405, 'MethodNotAllowed', 'not allowed');
  }
}

/** Lists the objects in pages of two, to detect a client that does not read the next page. */
function list(url: URL, response: ServerResponse, objects: S3Server['objects']) {
  const after = url.searchParams.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(url.searchParams.get('prefix') ?? '') && key > after).sort();
  const page = keys.slice(0, 2);
  const contents = page.map((key) => {
    const { body, time } = objects.get(key) as { body: Buffer; time: Date };
    return `<Contents><Key>${key}</Key><Size>${body.length}</Size><LastModified>${time.toISOString()}</LastModified></Contents>`;
  });
  const hasMore = keys.length > page.length;
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${hasMore}</IsTruncated>${contents.join('')}` +
      `${hasMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''}</ListBucketResult>`,
  );
}

function assertPlainPayload({ headers }: IncomingMessage) {
  const payload = String(headers['x-amz-content-sha256'] ?? '');
  if (payload.startsWith('STREAMING-') || /aws-chunked/.test(String(headers['content-encoding'] ?? '')))
    throw new Refusal(400, 'InvalidArgument', 'aws-chunked encoding is not supported');
  if (headers['x-amz-trailer'] !== undefined) throw new Refusal(400, 'InvalidArgument', 'trailers are not supported');
  const checksum = Object.keys(headers).find((name) => /^x-amz-(checksum|sdk-checksum)/.test(name));
  if (checksum) throw new Refusal(400, 'InvalidArgument', `${checksum} is not supported`);
}

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
const percentEncode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function assertSignature(request: IncomingMessage, url: URL, body: Buffer) {
  const { headers } = request;
  const [, key, date, zone, signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const time = String(headers['x-amz-date'] ?? '');
  if (key !== accessKeyId || zone !== region || !time.startsWith(date ?? '-'))
    throw new Refusal(403, 'InvalidAccessKeyId', 'unknown key, region or day');
  const moment = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - moment) < 15 * 60_000)) throw new Refusal(403, 'RequestTimeTooSkewed', 'the clock is wrong');
  const names = signed.split(';');
  for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!names.includes(needed)) throw new Refusal(403, 'SignatureDoesNotMatch', `${needed} is not signed`);
  const payload = String(headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body))
    throw new Refusal(400, 'XAmzContentSHA256Mismatch', 'the content is not what was signed');
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => percentEncode(decodeURIComponent(part)))
      .join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    payload,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, `${date}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
  const signingKey = ['s3', 'aws4_request'].reduce(
    (key, part) => hmac(key, part),
    hmac(hmac(`AWS4${secretAccessKey}`, date as string), region),
  );
  if (hmac(signingKey, text).toString('hex') !== signature)
    throw new Refusal(403, 'SignatureDoesNotMatch', 'the signature is wrong');
}

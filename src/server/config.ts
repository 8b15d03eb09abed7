import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { AI_TIMEOUT, type AiConfig } from '#server/ai/completion.ts';
import { StartError } from '#server/startError.ts';

/** The settings that the operator gives as environment variables. The server reads them once at start. */
export interface Config {
  /** `HOST`, default 127.0.0.1. */
  readonly host: string;
  /** `PORT`, default 8080; 0 lets the system choose. */
  readonly port: number;
  /** `DATA_DIR` as an absolute path, default ./data. */
  readonly dataDir: string;
  /** `DATABASE_URL`: a PostgreSQL of the operator's own; `null` means the embedded cluster inside `dataDir`. */
  readonly databaseUrl: string | null;
  /** `DATABASE_REPLICA_URL`: a streaming replica of the database, which answers figures and exports; `null`: there is none. */
  readonly replicaUrl: string | null;
  /** `DATABASE_POOLER=1`: `DATABASE_URL` leads to a pooler in transaction mode, such as PgBouncer. */
  readonly isPooled: boolean;
  /** `DATABASE_POOL`, default 12: the connections of each large pool of this server (staff, nested work, respondents). */
  readonly poolSize: number;
  /** `DRAIN_SECONDS`, default 0: so long the server goes on after SIGTERM while /readyz says no, until a balancer has noticed. */
  readonly drainSeconds: number;
  /** `DEMO`, default 1: the first start fills demonstration data; 0: an empty installation with one super account. */
  readonly demo: boolean;
  /** `PUBLIC_URL`: the address in links and QR codes, when it differs from the address the server listens on. */
  readonly publicUrl: string | null;
  /** `WEBSITE_URL`: the operator's official website. The navigation bar of accounts with `navextra` links to it. */
  readonly websiteUrl: string | null;
  /**
   * `TRUST_PROXY`: the proxies in front of the server, which end TLS and send the caller's address in their headers. Their number, or
   * their addresses. The server believes no other sender of such headers; false: none.
   */
  readonly trustProxy: false | number | readonly string[];
  /** `ALLOW_PRIVATE_TARGETS=1`: mail servers and webhooks of institutions may lie on this machine or in a private network. */
  readonly isPrivateTargetAllowed: boolean;
  /** `PAY_LOCAL=1`, and the demonstration: the local payment gateway, which moves no money, stands for the online channels. */
  readonly isPayLocal: boolean;
  /** `S3_ENDPOINT` and the other `S3_…`: files live in a bucket; `null` means `dataDir`. */
  readonly s3: S3Config | null;
  /** `AI_BASE_URL`, `AI_API_KEY`, `AI_MODEL`: an OpenAI-compatible provider; `null` means none. */
  readonly ai: AiConfig | null;
}

/** A bucket of a store that speaks S3, e.g. Aliyun OSS. */
export interface S3Config {
  /** `S3_ENDPOINT` without the bucket, e.g. `https://s3.oss-cn-hangzhou.aliyuncs.com`. */
  readonly endpoint: string;
  /** `S3_REGION`, e.g. `oss-cn-hangzhou`. */
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** `S3_PATH_STYLE=1`: the bucket is part of the path, for stores that give buckets no host name. */
  readonly pathStyle: boolean;
}

/** `DEMO_ANCHOR` (`YYYY-MM-DD` or `YYYY-MM-DD HH:mm`, Shanghai): the time of "now" in demonstration data; default: the present. */
export const demoAnchor = (): string | undefined => process.env['DEMO_ANCHOR']?.trim() || undefined;

/** The search path for the programs that the server starts. */
export const searchPath = (): string => process.env['PATH'] ?? '/usr/bin:/bin';

/**
 * Reads and checks the environment. An empty variable counts as absent, so `PORT= npm start` means the default.
 * One error reports all problems.
 * @throws StartError `config` naming each wrong variable in Chinese and English.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env, cwd: string = process.cwd()): Config {
  const zh: string[] = [];
  const en: string[] = [];
  const wrong = (chinese: string, english: string): void => {
    zh.push(chinese);
    en.push(english);
  };
  const read = (name: string): string | undefined => env[name]?.trim() || undefined;

  const portText = read('PORT') ?? '8080';
  const port = Number(portText);
  if (!/^\d{1,5}$/.test(portText) || port > 65_535) {
    wrong(`PORT 应为 0–65535 的整数，现在是“${portText}”`, `PORT must be an integer from 0 to 65535, not "${portText}"`);
  }

  const host = read('HOST') ?? '127.0.0.1';
  if (!/^[\w.:%-]+$/.test(host)) {
    wrong(`HOST 应为 IP 地址或主机名，现在是“${host}”`, `HOST must be an IP address or a host name, not "${host}"`);
  }

  const demoText = (read('DEMO') ?? '1').toLowerCase();
  const demo = ['1', 'true', 'yes', 'on'].includes(demoText);
  if (!demo && !['0', 'false', 'no', 'off'].includes(demoText)) {
    wrong(`DEMO 应为 1 或 0，现在是“${demoText}”`, `DEMO must be 1 or 0, not "${demoText}"`);
  }

  const databaseUrl = read('DATABASE_URL') ?? null;
  if (databaseUrl !== null && !isPostgresUrl(databaseUrl)) {
    // The value may hold a password, so the message shows the expected form and never the value.
    wrong(
      'DATABASE_URL 格式不正确，应为 postgres://用户:密码@主机:5432/数据库',
      'DATABASE_URL is malformed; expected postgres://user:password@host:5432/database',
    );
  }

  const replicaUrl = read('DATABASE_REPLICA_URL') ?? null;
  if (replicaUrl !== null && !isPostgresUrl(replicaUrl))
    wrong(
      'DATABASE_REPLICA_URL 格式不正确，应为 postgres://用户:密码@主机:5432/数据库',
      'DATABASE_REPLICA_URL is malformed; expected postgres://user:password@host:5432/database',
    );

  const readNumber = (name: string, value: number, least: number, most: number): number => {
    const text = read(name) ?? String(value);
    if (/^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    wrong(
      `${name} 应为 ${least}–${most} 的整数，现在是“${text}”`,
      `${name} must be an integer from ${least} to ${most}, not "${text}"`,
    );
    return value;
  };
  const poolSize = readNumber('DATABASE_POOL', 12, 2, 200);
  const drainSeconds = readNumber('DRAIN_SECONDS', 0, 0, 300);

  const websiteUrl = read('WEBSITE_URL') ?? null;
  if (websiteUrl !== null && !/^https?:\/\/[^\s/]/.test(websiteUrl))
    wrong('WEBSITE_URL 应以 http:// 或 https:// 开头', 'WEBSITE_URL must begin with http:// or https://');

  const trustProxy = parseProxies(read('TRUST_PROXY') ?? '0');
  if (trustProxy === undefined)
    wrong(
      'TRUST_PROXY 应为代理的层数（如 1），或代理的地址（如 10.0.0.2,192.168.0.0/16）',
      'TRUST_PROXY must be the number of proxies (such as 1) or their addresses (such as 10.0.0.2,192.168.0.0/16)',
    );

  const s3 = readS3(read, wrong);
  const ai = readAi(read, wrong);

  if (zh.length > 0 || trustProxy === undefined) {
    throw new StartError('config', `环境变量有误：${zh.join('；')}。`, `Wrong environment: ${en.join('; ')}.`);
  }
  return {
    host,
    port,
    dataDir: resolve(cwd, read('DATA_DIR') ?? 'data'),
    databaseUrl,
    replicaUrl,
    isPooled: read('DATABASE_POOLER') === '1',
    poolSize,
    drainSeconds,
    demo,
    publicUrl: read('PUBLIC_URL') ?? null,
    websiteUrl,
    trustProxy,
    isPrivateTargetAllowed: read('ALLOW_PRIVATE_TARGETS') === '1',
    isPayLocal: demo || read('PAY_LOCAL') === '1',
    s3,
    ai,
  };
}

/** The proxies of `TRUST_PROXY`; undefined when the text is neither a number of hops nor a list of addresses and networks. */
function parseProxies(text: string): Config['trustProxy'] | undefined {
  if (/^\d$/.test(text)) return Number(text) || false;
  const addresses = text.split(',').map((item) => item.trim());
  return addresses.every(isAddressOrNetwork) ? addresses : undefined;
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** Reads the settings of a bucket: all of them or none. The messages never repeat the values, because they are secret. */
function readS3(read: (name: string) => string | undefined, wrong: (zh: string, en: string) => void): S3Config | null {
  const names = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  const [endpoint, region, bucket, accessKeyId, secretAccessKey] = names.map(read);
  const absent = names.filter((name) => read(name) === undefined);
  if (absent.length === names.length) return null;
  if (!endpoint || !region || !bucket || !accessKeyId || !secretAccessKey) {
    wrong(`使用对象存储还需要 ${absent.join('、')}`, `an object store also needs ${absent.join(', ')}`);
    return null;
  }
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    wrong('S3_ENDPOINT 应为 http(s):// 开头的地址', 'S3_ENDPOINT must be an http(s) address');
    return null;
  }
  return { endpoint, region, bucket, accessKeyId, secretAccessKey, pathStyle: read('S3_PATH_STYLE') === '1' };
}

/** Reads the settings of the AI provider: all of them or none. The messages never repeat the key. */
function readAi(read: (name: string) => string | undefined, wrong: (zh: string, en: string) => void): AiConfig | null {
  const names = ['AI_BASE_URL', 'AI_API_KEY', 'AI_MODEL'] as const;
  const [baseUrl, apiKey, model] = names.map(read);
  const absent = names.filter((name) => read(name) === undefined);
  if (absent.length === names.length) return null;
  if (!baseUrl || !apiKey || !model) {
    wrong(`使用 AI 服务还需要 ${absent.join('、')}`, `an AI provider also needs ${absent.join(', ')}`);
    return null;
  }
  const isPrivateHost = read('AI_PRIVATE_HOST') === '1';
  const protocol = URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '';
  if (protocol !== 'https:' && !(isPrivateHost && protocol === 'http:')) {
    wrong('AI_BASE_URL 应以 https:// 开头', 'AI_BASE_URL must begin with https://');
    return null;
  }
  return { baseUrl, apiKey, model, isPrivateHost, timeout: AI_TIMEOUT };
}

function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === 'postgres:' || url.protocol === 'postgresql:') && url.pathname.length > 1;
}

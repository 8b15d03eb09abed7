import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { DataStore, Upload } from '@tus/server';
import type { Parts } from '#server/storage/parts.ts';

const folder = 'part/';
/** The object that holds the size of an upload. */
const INFO = 'info';
/** Digits of an offset in a key, so that keys sort like offsets. */
const OFFSET_DIGITS = 15;

interface Part {
  key: string;
  size: number;
}

/**
 * The tus store in a bucket: each request becomes one object, named by its offset (`part/UPLOAD/000000008388608`). It uses no
 * multipart upload, because Aliyun OSS refuses the checksums that newer AWS clients send for it (decision 0097).
 */
class ObjectStore extends DataStore {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    super();
    this.#client = client;
    this.#bucket = bucket;
    this.extensions = ['creation', 'termination'];
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#put(`${folder}${upload.id}/${INFO}`, Buffer.from(JSON.stringify({ size: upload.size })));
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const info = await this.#get(`${folder}${id}/${INFO}`);
    const { size } = JSON.parse(await text(info)) as { size: number };
    return new Upload({ id, size, offset: (await this.partsOf(id)).reduce((sum, part) => sum + part.size, 0) });
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    // The service needs the length first, so what arrives goes to the disk first.
    const temporaryPath = join(tmpdir(), `xinli-${randomUUID()}.part`);
    try {
      await pipeline(stream, createWriteStream(temporaryPath, { flags: 'wx', mode: 0o600 }));
      const { size } = await stat(temporaryPath);
      if (size > 0)
        await this.#put(`${folder}${id}/${String(offset).padStart(OFFSET_DIGITS, '0')}`, createReadStream(temporaryPath), size);
      return offset + size;
    } finally {
      await rm(temporaryPath, { force: true });
    }
  }

  /** Returns the objects of an upload from its beginning, as far as they join without a hole. */
  async partsOf(id: string): Promise<Part[]> {
    const parts: Part[] = [];
    let offset = 0;
    for await (const { key, size } of this.objects(`${folder}${id}/`)) {
      if (key.endsWith(INFO)) continue;
      if (Number(key.slice(-OFFSET_DIGITS)) !== offset) break;
      parts.push({ key, size });
      offset += size;
    }
    return parts;
  }

  /** Yields the bytes of an upload from its beginning. */
  async *read(id: string): AsyncGenerator<Uint8Array> {
    for (const { key } of await this.partsOf(id)) yield* await this.#get(key);
  }

  override async remove(id: string): Promise<void> {
    for await (const { key } of this.objects(`${folder}${id}/`))
      await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  /** Lists the objects whose keys begin with `prefix`, by key. */
  async *objects(prefix: string): AsyncGenerator<Part & { time: Date }> {
    let ContinuationToken: string | undefined;
    do {
      const output = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: prefix,
          ...(ContinuationToken ? { ContinuationToken } : {}),
        }),
      );
      for (const { Key, Size, LastModified } of output.Contents ?? [])
        if (Key) yield { key: Key, size: Size ?? 0, time: LastModified ?? new Date(0) };
      ContinuationToken = output.IsTruncated ? output.NextContinuationToken : undefined;
    } while (ContinuationToken);
  }

  async #put(Key: string, Body: Readable | Buffer, length?: number) {
    const ContentLength = length ?? (Body as Buffer).length;
    await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key, Body, ContentLength }));
  }

  async #get(Key: string): Promise<Readable> {
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key }));
    return Body as Readable;
  }
}

/** Returns the parts of uploads in a bucket. */
export function s3Parts(client: S3Client, bucket: string): Parts {
  const store = new ObjectStore(client, bucket);
  return {
    store,
    async begin(uploadid, size) {
      await store.create(new Upload({ id: uploadid, size, offset: 0 }));
    },
    sizeOf: async (uploadid) => (await store.partsOf(uploadid)).reduce((sum, part) => sum + part.size, 0),
    read: async (uploadid) => Readable.from(store.read(uploadid)),
    remove: (uploadid) => store.remove(uploadid),
    async *list() {
      const times = new Map<string, Date>();
      for await (const { key, time } of store.objects(folder)) {
        const uploadid = key.split('/')[1] ?? '';
        const last = times.get(uploadid);
        if (!last || last < time) times.set(uploadid, time);
      }
      for (const [uploadid, time] of times) yield { uploadid, time };
    },
  };
}

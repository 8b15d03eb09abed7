import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { Agent as HttpAgent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { S3Config } from '#server/config.ts';
import { signFile } from '#server/security/fileLink.ts';
import { requireKey, FileMissing, type Storage } from '#server/storage/storage.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/**
 * Files in a bucket of any store that speaks S3. Kept to what Aliyun OSS takes: the bucket in the host name, whole requests with a
 * known length, no checksum headers of newer AWS clients. Objects are private; browsers get them through this server.
 * @param options.lookup resolves names, where the operator's resolver should not be asked
 */
export function s3Storage(config: S3Config, vault: FieldCipher, options: { lookup?: LookupFunction } = {}): Storage {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, pathStyle } = config;
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: pathStyle,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 120_000,
      ...(options.lookup ? { httpAgent: new HttpAgent({ keepAlive: true, lookup: options.lookup }) } : {}),
    },
  });
  const at = (key: string) => ({ Bucket: bucket, Key: requireKey(key) });
  const missing = (error: unknown) =>
    error instanceof S3ServiceException && (error.$metadata.httpStatusCode === 404 || error.name === 'NoSuchKey');

  const storage: Storage = {
    async put(key, content) {
      if (!(content instanceof Readable)) {
        await client.send(new PutObjectCommand({ ...at(key), Body: content, ContentLength: content.length }));
        return content.length;
      }
      // A store wants the length first, and a broken stream must leave nothing: it is written aside, then sent.
      requireKey(key);
      const aside = join(tmpdir(), `xinli-${randomUUID()}.part`);
      try {
        await pipeline(content, createWriteStream(aside, { flags: 'wx', mode: 0o600 }));
        const { size } = await stat(aside);
        await client.send(new PutObjectCommand({ ...at(key), Body: createReadStream(aside), ContentLength: size }));
        return size;
      } finally {
        await rm(aside, { force: true });
      }
    },
    async get(key, range) {
      const bytes = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
      const { Body } = await client.send(new GetObjectCommand({ ...at(key), ...bytes })).catch((error: unknown) => {
        throw missing(error) ? new FileMissing(key) : error;
      });
      return Body as Readable;
    },
    async head(key) {
      try {
        const output = await client.send(new HeadObjectCommand(at(key)));
        return { key, size: output.ContentLength ?? 0, time: output.LastModified ?? new Date(0) };
      } catch (error) {
        if (missing(error)) return undefined;
        throw error;
      }
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(at(key))).catch((error: unknown) => {
        if (!missing(error)) throw error;
      });
    },
    async *list(folder) {
      let ContinuationToken: string | undefined;
      do {
        const output = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: `${folder}/`, ...(ContinuationToken ? { ContinuationToken } : {}) }),
        );
        for (const { Key, Size, LastModified } of output.Contents ?? [])
          if (Key) yield { key: Key, size: Size ?? 0, time: LastModified ?? new Date(0) };
        ContinuationToken = output.IsTruncated ? output.NextContinuationToken : undefined;
      } while (ContinuationToken);
    },
    async copy(from, to) {
      const CopySource = `${bucket}/${requireKey(from)}`;
      await client.send(new CopyObjectCommand({ ...at(to), CopySource })).catch((error: unknown) => {
        throw missing(error) ? new FileMissing(from) : error;
      });
    },
    signedUrl: (file, until) => signFile(vault, file, until),
  };
  return storage;
}

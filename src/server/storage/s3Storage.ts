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
import { s3Parts } from '#server/storage/s3Parts.ts';
import { requireKey, FileMissing, type Storage } from '#server/storage/storage.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/**
 * Returns a store in a bucket of an S3-compatible service. It uses only features that Aliyun OSS supports: the bucket in the host
 * name, requests of a known length, no checksum headers of newer AWS clients. Objects are private; browsers get them through
 * this server.
 * @param options.lookup resolves host names instead of the system's resolver
 */
export function s3Storage(config: S3Config, cipher: FieldCipher, options: { lookup?: LookupFunction } = {}): Storage {
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
  const objectOf = (key: string) => ({ Bucket: bucket, Key: requireKey(key) });
  const isMissing = (error: unknown) =>
    error instanceof S3ServiceException && (error.$metadata.httpStatusCode === 404 || error.name === 'NoSuchKey');

  const storage: Storage = {
    async put(key, content) {
      if (!(content instanceof Readable)) {
        await client.send(new PutObjectCommand({ ...objectOf(key), Body: content, ContentLength: content.length }));
        return content.length;
      }
      // The service needs the length first, and a broken stream must leave no object. So the file goes to the disk first.
      requireKey(key);
      const temporaryPath = join(tmpdir(), `xinli-${randomUUID()}.part`);
      try {
        await pipeline(content, createWriteStream(temporaryPath, { flags: 'wx', mode: 0o600 }));
        const { size } = await stat(temporaryPath);
        await client.send(new PutObjectCommand({ ...objectOf(key), Body: createReadStream(temporaryPath), ContentLength: size }));
        return size;
      } finally {
        await rm(temporaryPath, { force: true });
      }
    },
    async get(key, range) {
      const bytes = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
      const { Body } = await client.send(new GetObjectCommand({ ...objectOf(key), ...bytes })).catch((error: unknown) => {
        throw isMissing(error) ? new FileMissing(key) : error;
      });
      return Body as Readable;
    },
    async head(key) {
      try {
        const output = await client.send(new HeadObjectCommand(objectOf(key)));
        return { key, size: output.ContentLength ?? 0, time: output.LastModified ?? new Date(0) };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(objectOf(key))).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
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
      await client.send(new CopyObjectCommand({ ...objectOf(to), CopySource })).catch((error: unknown) => {
        throw isMissing(error) ? new FileMissing(from) : error;
      });
    },
    signedUrl: (file, until) => signFile(cipher, file, until),
    parts: s3Parts(client, bucket),
  };
  return storage;
}

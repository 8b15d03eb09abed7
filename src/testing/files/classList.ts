import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Upload } from '#contract/file.ts';
import type { startServer } from '#testing/server.ts';

/** The heads of a small class list. */
export const HEADS = ['团体名称', '姓名', '学号', '性别', '联系电话'];
type Server = Awaited<ReturnType<typeof startServer>>;
/** Returns a list as an uploaded CSV file. */
export const csv = (rows: readonly (readonly string[])[], filename = '名单.csv'): Upload => ({
  filename,
  mime: 'text/csv',
  content: Buffer.from(rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')),
});
/** A list with two students of 初二(3)班. */
export const class3 = [
  HEADS,
  ['初二（3）班', '林小雨', '0001', '女', '13800000001'],
  ['初二（3）班', '张小北', '0002', '男', ''],
];

/** Returns the hashes of the tables of persons and teams, for comparing two states. An undone change is a change, so versions differ. */
export async function fingerprint({ sqlAsOwner }: Server) {
  const tables = ['cuser', 'cuserarchive', 'guardian', 'assessteam', 'teamroster'];
  return Promise.all(
    tables.map(async (name) => [
      name,
      createHash('sha256')
        .update(
          JSON.stringify(
            await sqlAsOwner(
              `select to_jsonb(t) - array['version', 'edits'] as row from ${name} t
               order by (to_jsonb(t) - array['version', 'edits'])::text`,
            ),
          ),
        )
        .digest('hex'),
    ]),
  );
}
/** Returns the bytes of a download. */
export const bytesOf = async (body: unknown) => (body instanceof Readable ? buffer(body) : Buffer.from(body as Uint8Array));

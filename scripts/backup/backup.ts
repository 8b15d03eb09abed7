// `npm run backup [-- --to folder] [--keep 7] [--with-key]` backs up the data folder of an embedded database while the server serves
// (docs/operations.md, "Backups").
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { formatNumber } from '#domain/base/number.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { backup } from '#server/backup/backup.ts';
import { readConfig } from '#server/config.ts';
import { StartError } from '#server/startError.ts';

const { values } = parseArgs({
  options: { to: { type: 'string' }, keep: { type: 'string' }, 'with-key': { type: 'boolean', default: false } },
});
try {
  const config = readConfig();
  const keep = values.keep === undefined ? undefined : Number(values.keep);
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1))
    throw new StartError('config', '--keep 应为 1 以上的整数。', '--keep must be a whole number from 1.');
  const to = resolve(values.to ?? join(config.dataDir, 'backups'));
  const withKey = values['with-key'];
  const { folder, manifest, removed } = await backup({ config, to, keep, withKey, log: (message) => console.log(message) });
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`备份完成：${folder}`);
  console.log(
    `数据截至 ${shanghaiTime(new Date(manifest.time))}，${formatNumber(manifest.files.length)} 个文件，${formatNumber(Math.ceil(bytes / 1e6))} MB`,
  );
  if (manifest.hasBucket) console.log('上传的文件在对象存储中，不在这份备份里，请另行备份存储桶。');
  console.log(
    withKey
      ? '注意：这份备份含有主密钥，拿到它的人可以读出全部内容。请加密存放。'
      : `这份备份不含主密钥。没有主密钥就不能恢复，请把 ${join(config.dataDir, 'keys')} 另行备份，并与备份分开存放。`,
  );
  console.log(
    `请把 ${join(config.dataDir, 'audit', 'erasures.jsonl')}（有人匿名化后才有）也另行备份：恢复时靠它再次匿名化备份之后已匿名化的人。`,
  );
  if (removed.length > 0) console.log(`已删除较早的备份：${removed.join('、')}`);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}

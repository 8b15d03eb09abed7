// `npm run restore -- --from folder [--replace] [--key file] [--erasures file]` restores a backup into DATA_DIR while no server runs there
// (docs/operations.md, "Backups").
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { formatNumber } from '#domain/base/number.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { restore } from '#server/backup/restore.ts';
import { readConfig } from '#server/config.ts';
import { StartError } from '#server/startError.ts';

const path = { type: 'string' } as const;
const { values } = parseArgs({
  options: { from: path, key: path, erasures: path, replace: { type: 'boolean', default: false } },
});
const resolved = (text: string | undefined) => (text === undefined ? undefined : resolve(text));
try {
  const { dataDir, databaseUrl } = readConfig();
  const from = resolved(values.from);
  if (from === undefined)
    throw new StartError('config', '请用 --from 指定备份目录。', 'Name the folder of the backup with --from.');
  if (databaseUrl !== null)
    throw new StartError(
      'config',
      '设置了 DATABASE_URL：自备的数据库请用它自己的工具恢复（见运维文档“Backups”）。',
      'DATABASE_URL is set: restore a database of your own with its own tools (docs/operations.md, "Backups").',
    );
  const { manifest, aside, erasures, ...found } = await restore({
    dataDir,
    from,
    key: resolved(values.key),
    erasures: resolved(values.erasures),
    replace: values.replace,
    log: (message) => console.log(message),
  });
  const { erased, refused } = erasures;
  console.log(`已恢复到 ${dataDir}`);
  console.log(`备份时间：${shanghaiTime(new Date(manifest.time))}（版本 ${manifest.version}）。之后的记录不在其中。`);
  console.log(
    `受测者 ${formatNumber(found.persons)} 人，个案 ${formatNumber(found.cases)} 件，审计日志 ${formatNumber(found.auditRows)} 条`,
  );
  console.log('主密钥与数据库相符。所有人须重新登录。');
  if (found.applied.length > 0) console.log(`数据库已升级：${found.applied.join('、')}`);
  console.log(found.faults.length === 0 ? '审计日志：完整' : `审计日志：被改动\n${found.faults.join('\n')}`);
  console.log(found.unbalanced.length === 0 ? '次数台账：一致' : `次数台账与钱包不一致：${found.unbalanced.join('、')}`);
  console.log(`备份之后匿名化的人：再次匿名化 ${formatNumber(erased.length)} 人`);
  if (refused.length > 0)
    console.log(
      `未能再次匿名化 ${formatNumber(refused.length)} 人，多因备份时个案未结案或有保全；条件解除后系统会自动匿名化：\n` +
        refused.map(({ cuserid, reason }) => `  ${cuserid}：${reason}`).join('\n'),
    );
  if (manifest.hasBucket) console.log('上传的文件在对象存储中，不在这份备份里，请确认存储桶可用。');
  if (aside !== undefined) console.log(`原有内容已移到 ${aside}，确认无误后可自行删除。`);
  if (found.faults.length + found.unbalanced.length + refused.length > 0) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}

import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import {
  findContentLinks,
  releaseUsedFiles,
  requireFiles,
  setUsedFiles,
  type UsedFile,
} from '#features/file/content/contentFiles.ts';
import * as contract from '#features/music/music.contract.ts';
import * as queries from '#features/music/music.queries.ts';

/** 音乐管理. An institution edits its own music; what others above and below it own does not appear here. */

const getMusicPageList = handle(contract.getMusicPageList, async (filters, ctx) => {
  const { total, rows } = await queries.findMusic(ctx.scope, ctx.caller.musercode, filters);
  const links = await findContentLinks(
    ctx,
    rows.flatMap(({ coverfileid, fileid }) => [coverfileid, fileid]),
  );
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      coverurl: links.get(row.coverfileid ?? '')?.url ?? '',
      url: links.get(row.fileid)?.url ?? '',
      filename: links.get(row.fileid)?.filename ?? '',
      category: row.category as contract.MusicRow['category'],
      audience: row.audience as contract.MusicRow['audience'],
      status: row.status === 1 ? (1 as const) : (0 as const),
      updatetime: shanghaiTime(row.updatetime),
    })),
  };
});

/** The files of a piece of music: an MP3, and a picture as cover. */
const filesOf = (fileid: string, coverfileid: string | null | undefined): UsedFile[] => [
  { fileid, field: 'fileid', group: 'audio' },
  ...(coverfileid ? [{ fileid: coverfileid, field: 'coverfileid', group: 'image' } as const] : []),
];

const insertMusic = handle(contract.insertMusic, async (fields, ctx) => {
  const { scope, caller, now } = ctx;
  const files = filesOf(fields.fileid, fields.coverfileid);
  await requireFiles(ctx, 'music', files);
  const musicid = await queries.addMusic(scope, {
    ...fields,
    musercode: caller.musercode,
    createby: caller.accountid,
    createtime: now,
    updatetime: now,
  });
  await setUsedFiles(ctx, `music:${musicid}`, 'music', files);
  ctx.audit({ objectid: String(musicid), detail: { title: fields.title } });
  return { musicid };
});

const updateMusic = handle(contract.updateMusic, async ({ musicid, version: _, ...fields }, ctx) => {
  const { scope, caller, now } = ctx;
  const before = await queries.lockMusic(scope, caller.musercode, musicid);
  if (!before) throw problems.notFound({ what: '音乐' });
  if (fields.fileid !== undefined && fields.fileid !== before.fileid && fields.duration === undefined)
    throw problems.missing({ title: '时长' }, { field: 'duration' });
  const coverfileid = fields.coverfileid === undefined ? before.coverfileid : fields.coverfileid;
  await setUsedFiles(ctx, `music:${musicid}`, 'music', filesOf(fields.fileid ?? before.fileid, coverfileid));
  await queries.changeMusic(scope, musicid, { ...fields, updatetime: now });
  ctx.audit({ objectid: String(musicid), detail: { title: fields.title ?? before.title } });
  return {};
});

const deleteMusic = handle(contract.deleteMusic, async ({ musicid }, ctx) => {
  const { scope, caller, now } = ctx;
  const before = await queries.lockMusic(scope, caller.musercode, musicid);
  if (!before) throw problems.notFound({ what: '音乐' });
  if (before.status === 1) throw problems.wrongState({ why: '已上架的音乐不能删除，请先下架' });
  await queries.changeMusic(scope, musicid, { isdeleted: 1, updatetime: now });
  await releaseUsedFiles(scope, `music:${musicid}`);
  ctx.audit({ objectid: String(musicid), detail: { title: before.title } });
  return {};
});

export const musicHandlers = [getMusicPageList, insertMusic, updateMusic, deleteMusic];

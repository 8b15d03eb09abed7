import { z } from 'zod';
import { ContentAudience, MusicCategory } from '#domain/content/content.ts';
import { defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { appids, audience, levels } from '#features/article/article.contract.ts';

/** 音乐管理: the music of the platform or of a provider. Institutions below play what is on the shelf (`features/content`). */

const editors = forTypes(OPERATOR_TYPES, staffOf('operations.music'));
const musicid = z.number().int().positive().describe('音乐');
const status = z.union([z.literal(0), z.literal(1)]).describe('状态');

const fields = {
  title: z.string().trim().min(1, '请填写标题').max(80, '标题不超过 80 个字').describe('标题'),
  coverfileid: z.uuid().nullish().describe('封面'),
  fileid: z.uuid('请上传音频').describe('音频'),
  /** seconds, as the browser read them from the file */
  duration: z
    .number()
    .int()
    .min(1, '没有读到时长，请换一个文件')
    .max(4 * 3600, '音频不超过 4 小时')
    .describe('时长'),
  category: z.enum(MusicCategory.codes, '请选择分类').describe('分类'),
  audience,
  appids,
  levels,
  licence: z.string().trim().min(1, '请写明来源与授权').max(500, '来源与授权不超过 500 个字').describe('来源与授权'),
  status,
  ordernum: z.number().int().min(0).max(9999, '顺序不超过 9999').describe('顺序'),
};

export const musicRow = z.object({
  musicid: z.number(),
  version: z.number(),
  title: z.string(),
  coverfileid: z.string().nullable(),
  coverurl: z.string(),
  fileid: z.string(),
  filename: z.string(),
  /** a link of the audio file, valid for four hours */
  url: z.string(),
  duration: z.number(),
  category: z.enum(MusicCategory.codes),
  audience: z.enum(ContentAudience.codes),
  appids: z.array(z.string()),
  levels: z.array(z.number()),
  licence: z.string(),
  status,
  playcount: z.number(),
  ordernum: z.number(),
  updatetime: z.string(),
});
export type MusicRow = z.infer<typeof musicRow>;

/** A page of the institution's music, by its order. */
export const getMusicPageList = defineAction({
  name: 'as.m.music.getMusicPageList',
  title: '查询音乐',
  allow: editors,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('ordernum', 'updatetime', 'playcount'),
    keyword: z.string().trim().max(80).optional().describe('标题'),
    /** one piece: a player renews the link of its file */
    musicid: musicid.optional(),
    category: z.enum(MusicCategory.codes).optional().describe('分类'),
    status: z.coerce.number().pipe(status).optional().describe('状态'),
  }),
  response: pageOf(musicRow),
});

/** Adds a piece of music. The files are uploads of the institution for music. */
export const insertMusic = defineAction({
  name: 'as.m.music.insertMusic',
  title: '新增音乐',
  allow: editors,
  kind: 'write',
  request: z.strictObject({
    ...fields,
    audience: audience.default('01'),
    appids: appids.default([]),
    levels: levels.default([]),
    status: status.default(0),
    ordernum: fields.ordernum.default(0),
  }),
  response: z.object({ musicid: z.number() }),
});

/** Changes a piece of music, also whether it is on the shelf. */
export const updateMusic = defineAction({
  name: 'as.m.music.updateMusic',
  title: '修改音乐',
  allow: editors,
  kind: 'write',
  edits: { table: 'music', key: 'musicid', together: [['fileid', 'duration']] },
  request: z.strictObject({ musicid, version: editVersion, ...z.object(fields).partial().shape }),
  response: z.object(newVersion),
});

/** Deletes a piece of music that is not on the shelf (140001 otherwise). Its files stay in 文件上传. */
export const deleteMusic = defineAction({
  name: 'as.m.music.deleteMusic',
  title: '删除音乐',
  allow: editors,
  kind: 'write',
  request: z.strictObject({ musicid }),
  response: z.object({}),
});

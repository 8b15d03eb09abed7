import { z } from 'zod';
import type { CommentaryCond } from '#domain/report/commentary/commentary.ts';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/**
 * The paragraphs of reports (资料库). An institution reads its own rows and those above it, and writes its own. A change closes the row,
 * so that a report keeps the texts of its hand-in.
 */

const readers = staffOf('plans.comments');
const writers = forTypes(NON_AUTHORITY_TYPES, staffOf('form.edit'));

export const sections = [
  'overall',
  'form',
  'formdefault',
  'highlight',
  'compare',
  'riskfactors',
  'suggestion',
  'conclusion',
  'group',
] as const;
const section = z.enum(sections, '请选择段落位置').describe('段落位置');
const audience = z.enum(['self', 'staff', 'group'], '请选择读者').describe('读者');
const appid = z.string().length(9).describe('人群');
const formcode = z.string().max(20).describe('量表');
const quotacode = z.string().max(60).describe('得分');
const level = z.number().int().min(0).max(4).describe('等级');
const gender = z.enum(['01', '02']).describe('性别');
const age = z.number().int().min(0).max(120);
const commentid = z.string().max(60).describe('段落');

const number = z.number().min(-99_999).max(99_999);
const value = z.union([z.string().max(40), number, z.boolean()]);
const cmp = {
  eq: value.optional(),
  ne: value.optional(),
  gte: number.optional(),
  gt: number.optional(),
  lte: number.optional(),
  lt: number.optional(),
  in: z
    .array(z.union([z.string().max(40), number]))
    .max(30)
    .optional(),
};
const form = z.string().max(20);
const code = z.string().max(60);

/** A condition of a paragraph: the grammar of questionnaires and its short forms for reports (reports.md 5.5). */
export const commentCond: z.ZodType<CommentaryCond> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(commentCond).min(1).max(10) }),
    z.strictObject({ any: z.array(commentCond).min(1).max(10) }),
    z.strictObject({ not: commentCond }),
    z.strictObject({ archive: z.string().max(40), ...cmp }),
    z.strictObject({ overall: level }),
    z.strictObject({ overallgte: level }),
    z.strictObject({ hasalert: z.union([z.literal(0), z.literal(1)]) }),
    z.strictObject({ maxscorelevel: z.strictObject(cmp) }),
    z.strictObject({ delta: code, ...cmp }),
    z.strictObject({ form, item: code, ...cmp }),
    z.strictObject({ form, score: code, ...cmp }),
    z.strictObject({ form, level: code, ...cmp }),
    z.strictObject({ form, alert: code }),
    z.strictObject({ item: code, ...cmp }),
    z.strictObject({ score: code, ...cmp }),
    z.strictObject({ level: code, ...cmp }),
    z.strictObject({ person: code, ...cmp }),
    z.strictObject({ flag: code }),
    z.strictObject({ valid: z.boolean() }),
  ]),
) as z.ZodType<CommentaryCond>;

const fields = {
  section,
  audience,
  /** child: only in the version for pupils of primary school */
  reader: z.enum(['child']).nullish().describe('小学生版'),
  appid: appid.nullish(),
  formcode: formcode.nullish(),
  quotacode: quotacode.nullish(),
  level: level.nullish(),
  gender: gender.nullish(),
  agemin: age.nullish().describe('最小年龄'),
  agemax: age.nullish().describe('最大年龄'),
  priority: z.number().int().min(-100).max(100).default(0).describe('优先级'),
  cond: commentCond.nullish().describe('其他条件'),
  template: z.string().trim().min(1, '请填写文字').max(1000, '不超过 1000 个字').describe('文字'),
  tier: z.number().int().min(1).max(3).nullish().describe('建议层次'),
  excl: z.string().trim().max(20).nullish().describe('互斥组'),
  enabled: flag.default(1).describe('启用'),
};

export const commentRow = z.object({
  commentid: z.string(),
  version: z.number(),
  section,
  audience,
  reader: z.string().nullable(),
  appid: z.string().nullable(),
  formcode: z.string().nullable(),
  formname: z.string(),
  quotacode: z.string().nullable(),
  quotaname: z.string(),
  level: z.number().nullable(),
  gender: z.string().nullable(),
  agemin: z.number().nullable(),
  agemax: z.number().nullable(),
  priority: z.number(),
  cond: commentCond.nullable(),
  template: z.string(),
  tier: z.number().nullable(),
  excl: z.string().nullable(),
  enabled: z.number(),
  /** own: of the caller's institution; above: of an institution above; platform */
  owner: z.enum(['own', 'above', 'platform']),
  insname: z.string(),
  /** the row above that this one was copied from */
  originid: z.string().nullable(),
  /** 1: the row above changed after the copy */
  isoutdated: z.number(),
  validfrom: z.string(),
});
export type CommentRow = z.infer<typeof commentRow>;

/** Returns a page of the paragraphs in force: own ones, those above and those of the platform. */
export const getCommentPageList = defineAction({
  name: 'as.m.assess.comments.getCommentPageList',
  title: '查询报告段落',
  allow: readers,
  kind: 'read',
  request: pageRequest.extend({
    keyword: z.string().trim().max(50).optional().describe('文字或编号'),
    section: section.optional(),
    audience: audience.optional(),
    appid: appid.optional(),
    formcode: formcode.optional(),
    quotacode: quotacode.optional(),
    level: z.coerce.number().int().min(0).max(4).optional().describe('等级'),
    owner: z.enum(['own', 'above', 'platform']).optional().describe('来源'),
    enabled: flag.optional().describe('启用'),
  }),
  response: pageOf(commentRow),
});

/** Adds a paragraph of the caller's institution. 120002 at the field names what its text or its condition may not contain. */
export const insertComment = defineAction({
  name: 'as.m.assess.comments.insertComment',
  title: '新增报告段落',
  allow: writers,
  kind: 'write',
  request: z.strictObject(fields),
  response: z.object({ commentid: z.string() }),
});

/**
 * Changes a paragraph for reports of later hand-ins. A row from above becomes an own copy; a second copy is refused (130002). 140002
 * when somebody else changed the row since `version`.
 */
export const updateComment = defineAction({
  name: 'as.m.assess.comments.updateComment',
  title: '修改报告段落',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ commentid, version: z.number().int().min(1), ...fields }),
  /** the row itself, or the own copy */
  response: z.object({ commentid: z.string(), version: z.number() }),
});

/** Ends a paragraph of the caller's institution. Reports of earlier hand-ins keep it; after a copy its origin counts again. */
export const deleteComment = defineAction({
  name: 'as.m.assess.comments.deleteComment',
  title: '删除报告段落',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ commentid }),
  response: z.object({}),
});

/** The placeholders of a place in reports, and the questionnaires and archive fields that conditions may name. */
export const getCommentPlaceholders = defineAction({
  name: 'as.m.assess.comments.getCommentPlaceholders',
  title: '查询可用占位符',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ section, audience, formcode: formcode.optional() }),
  response: z.array(z.object({ name: z.string(), title: z.string(), example: z.string() })),
});

/**
 * Chooses the paragraphs of a section, for a report in the caller's range or for an invented result, and says why each other row was
 * not chosen. A report is read like the report itself: with its right and with an audit row of its person.
 */
export const testComment = defineAction({
  name: 'as.m.assess.comments.testComment',
  title: '试用报告段落',
  allow: readers,
  kind: 'reveal',
  // Only the report names the person, so the handler audits them.
  person: () => [],
  request: z
    .strictObject({
      section,
      audience: z.enum(['self', 'staff']).describe('读者'),
      formcode: formcode.optional(),
      reportcode: z.string().max(20).optional().describe('报告编号'),
      invented: z
        .strictObject({
          appid,
          gender: gender.optional(),
          age: age.optional().describe('年龄'),
          scores: z.record(z.string().max(60), z.number().min(-9999).max(99_999)).default({}),
          items: z.record(z.string().max(40), z.number().min(-999).max(999)).default({}),
        })
        .optional()
        .describe('虚拟结果'),
    })
    .refine(({ reportcode, invented }) => (reportcode === undefined) !== (invented === undefined), {
      path: ['reportcode'],
      message: '请填写报告编号，或填写虚拟结果',
    }),
  response: z.object({
    /** the chosen paragraphs in their order */
    chosen: z.array(z.object({ commentid: z.string(), text: z.string(), because: z.string() })),
    others: z.array(z.object({ commentid: z.string(), template: z.string(), why: z.string() })),
    /** true: the section has no paragraph of its own, and `chosen` comes from the fallback */
    isfallback: z.boolean(),
  }),
});

export const coverageRow = z.object({
  formcode: z.string(),
  formname: z.string(),
  quotacode: z.string(),
  quotaname: z.string(),
  appid: z.string(),
  level: z.number(),
  levelname: z.string(),
  audience: z.enum(['self', 'staff']),
  /** the row that a report would use; '' when only the fallback matches */
  commentid: z.string(),
});
export type CoverageRow = z.infer<typeof coverageRow>;

/** Says for each level of the main scores of the questionnaires, each population and each reader which paragraph a report would use. */
export const getCommentCoverage = defineAction({
  name: 'as.m.assess.comments.getCommentCoverage',
  title: '检查段落覆盖',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ formcode: formcode.optional(), appid: appid.optional() }),
  response: z.object({ rows: z.array(coverageRow), holes: z.number() }),
});

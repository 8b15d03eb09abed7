import { z } from 'zod';
import { FormPurpose } from '#domain/base/enums.ts';
import type { Cond, Scale } from '#domain/scoring/scale.ts';

/**
 * The shape of a definition (`asds/1`) on the wire. It accepts unfinished drafts: the checks of domain/scoring/editor find what is
 * missing or wrong. It limits sizes and refuses unknown keys, so that a stored draft never holds anything else.
 */

const code = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,19}$/, '编码以字母开头，只含字母、数字和下划线，不超过 20 个字符');
const text = (max: number) => z.string().max(max, `不超过 ${max} 个字`);
const number = z.number().min(-1_000_000).max(1_000_000);

const cmp = {
  eq: z.union([z.string().max(40), number, z.boolean()]).optional(),
  ne: z.union([z.string().max(40), number, z.boolean()]).optional(),
  gte: number.optional(),
  gt: number.optional(),
  lte: number.optional(),
  lt: number.optional(),
  in: z
    .array(z.union([z.string().max(40), number]))
    .max(60)
    .optional(),
};
const of = z.union([z.string().max(2000), z.array(z.string().max(40)).max(500)]);

/** A condition about one form; conditions over several forms occur in warning rules only. */
export const cond: z.ZodType<Cond> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(cond).max(20) }),
    z.strictObject({ any: z.array(cond).max(20) }),
    z.strictObject({ not: cond }),
    z.strictObject({ count: of, where: z.strictObject(cmp), ...cmp }),
    z.strictObject({ item: z.string().max(20), ...cmp }),
    z.strictObject({ score: z.string().max(20), ...cmp }),
    z.strictObject({ level: z.string().max(20), ...cmp }),
    z.strictObject({ person: z.string().max(40), ...cmp }),
    z.strictObject({ flag: z.string().max(60) }),
    z.strictObject({ valid: z.boolean() }),
  ]),
) as z.ZodType<Cond>;

const item = z.strictObject({
  c: code,
  t: text(500),
  type: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
  input: z.number().int().min(0).max(8).optional(),
  o: z.string().max(40).optional(),
  scored: z.boolean().optional(),
  required: z.boolean().optional(),
  showif: cond.optional(),
  loinc: z.string().max(20).optional(),
  min: number.optional(),
  max: number.optional(),
  maxlen: z.number().int().min(1).max(2000).optional(),
  pattern: text(200).optional(),
  group: text(40).optional(),
  head: text(100).optional(),
  page: z.boolean().optional(),
  minsel: z.number().int().min(0).max(60).optional(),
  maxsel: z.number().int().min(1).max(60).optional(),
  excl: z.array(z.string().max(20)).max(60).optional(),
  step: z.number().positive().max(1000).optional(),
  sensitive: z.boolean().optional(),
});

const postStep = z.union([
  z.tuple([z.literal('mul'), number]),
  z.tuple([z.literal('add'), number]),
  z.tuple([z.literal('floor')]),
  z.tuple([z.literal('round'), z.number().int().min(0).max(4)]),
  z.tuple([z.literal('clamp'), number, number]),
  z.tuple([z.literal('tscore'), z.string().max(40)]),
]);

const score = z.strictObject({
  c: code,
  n: text(40),
  op: z.enum(['sum', 'mean', 'max', 'min', 'count', 'weighted', 'ref', 'ratio']),
  of: of.optional(),
  where: z.strictObject(cmp).optional(),
  w: z.array(number).max(500).optional(),
  b: number.optional(),
  ref: z.string().max(20).optional(),
  num: z.string().max(20).optional(),
  den: z.string().max(20).optional(),
  miss: z.strictObject({ max: z.number().int().min(0).max(500), how: z.enum(['prorate', 'zero']) }).optional(),
  post: z.array(postStep).max(10).optional(),
  min: number.optional(),
  max: number.optional(),
  primary: z.boolean().optional(),
  better: z.enum(['low', 'high']).optional(),
  domain: z.enum(['01', '02', '03', '04', '05', '06', '07', '08']).optional(),
});

const level = z.number().int().min(0).max(4);
const band = z.tuple([number.nullable(), number.nullable(), level, text(20)]);
const name = z.string().min(1).max(40);

/** A definition, finished or not. `formcode` and `version` come from the server; what the request has there is ignored. */
export const definition: z.ZodType<Scale> = z.strictObject({
  schema: z.literal('asds/1'),
  formcode: z.string().max(20).default(''),
  version: z.string().max(20).default('draft'),
  formtype: z.enum(['01', '02', '03', '04']),
  title: text(50),
  entitle: text(100).optional(),
  tier: z.enum(['A', 'B', 'C', 'S']),
  recall: text(40).optional(),
  instruction: text(1000).optional(),
  loinc: z.strictObject({ panel: z.string().max(20).optional(), total: z.string().max(20).optional() }).optional(),
  optionsets: z.record(name, z.array(z.tuple([z.string().max(20), text(100), number.nullable()])).max(60)),
  items: z.array(item).max(500, '一份量表最多 500 题'),
  reverse: z.array(z.string().max(20)).max(500).optional(),
  derive: z
    .array(z.strictObject({ if: cond, set: z.record(z.string().max(20), z.string().max(20)) }))
    .max(50)
    .optional(),
  scores: z.array(score).max(60, '最多 60 个得分'),
  norms: z
    .record(name, z.array(z.strictObject({ where: cond.optional(), mean: number, sd: number, source: text(200) })).max(60))
    .optional(),
  bands: z.record(z.string().max(20), z.array(band).max(20)),
  bandmode: z.record(z.string().max(20), z.enum(['closed', 'halfopen'])).optional(),
  validity: z
    .array(z.strictObject({ c: code, when: cond, action: z.enum(['invalid', 'warn']), msg: text(150) }))
    .max(50)
    .optional(),
  alerts: z
    .array(z.strictObject({ c: code, when: cond, level: z.number().int().min(1).max(4), msg: text(150) }))
    .max(50)
    .optional(),
  licencetext: text(300).optional(),
  citation: text(500).optional(),
  minutes: z.number().int().min(1).max(120).optional(),
  appids: z.array(z.string().length(9)).max(20).optional(),
  agemin: z.number().int().min(0).max(120).optional(),
  agemax: z.number().int().min(0).max(120).optional(),
  nextform: z
    .array(z.strictObject({ when: cond, formcode: z.string().max(20) }))
    .max(10)
    .optional(),
  capturemode: z.enum(['self', 'staff']).optional(),
  purpose: z.enum(FormPurpose.codes).optional(),
}) as unknown as z.ZodType<Scale>;

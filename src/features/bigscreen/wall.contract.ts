import { z } from 'zod';
import { defineAction } from '#contract/action.ts';
import { screenOwners } from '#features/bigscreen/screen.contract.ts';

/** A number of persons or cases; null: hidden, because it could tell single persons. A screen shows —. */
const count = z.number().nullable();
/** A rate in percent with one decimal; null when its denominator is 0 or a part of it is hidden. */
const rate = z.number().nullable();

/** A region, an institution, or a grade or stage of the only institution. `parent` is the key of the region around it, or ''. */
export const place = z.object({
  key: z.string(),
  parent: z.string(),
  kind: z.enum(['region', 'institution', 'group']),
  name: z.string(),
  institutions: z.number(),
  total: z.number(),
  tested: z.number(),
  rate,
  /** an open case here is overdue */
  hasoverdue: z.boolean(),
});

/**
 * Returns the figures of a screen (数据大屏): no names, no lists. Authorities read the nightly release; others read what their page of
 * statistics reads. A screen asks once a minute.
 */
export const getBigScreenData = defineAction({
  name: 'as.m.statistic.getBigScreenData',
  title: '查询数据大屏',
  allow: { ...screenOwners, screens: true },
  kind: 'read',
  request: z.strictObject({
    regioncode: z
      .string()
      .regex(/^\d{6}$/, '地区编码是 6 位数字')
      .optional()
      .describe('地区'),
  }),
  response: z.object({
    /** whose figures; and of which region, '' for all */
    insname: z.string(),
    regionname: z.string(),
    /** rows: counted now or some minutes ago; release: what authorities read (docs/decisions/0069) */
    source: z.enum(['rows', 'release']),
    /** the time of the server, and up to when the figures are complete; '' when there are none yet */
    now: z.string(),
    datatime: z.string(),
    /** such as 2025-2026 学年秋季学期 */
    periodname: z.string(),
    /** of a release: the period of result and cases and when it was released; '' for other figures and before the first release */
    outcomename: z.string(),
    outcometime: z.string(),
    /** of a release: the institutions whose outcome of the period is not released yet */
    waiting: z.number(),
    institutions: z.object({ total: z.number(), active: z.number() }),
    completion: z.object({ total: z.number(), tested: z.number(), exempt: z.number(), rate }),
    places: z.array(place),
    /** null: not released yet, or no result */
    result: z.object({ valid: count, abnormal: count, rate, levels: z.array(count).length(5) }).nullable(),
    trend: z.object({
      title: z.string(),
      unit: z.string(),
      points: z.array(z.object({ name: z.string(), value: count })),
    }),
    /** null: not released yet */
    cases: z
      .object({
        opened: count,
        closed: count,
        /** 闭环率: closed, or open without an overdue duty, of those opened in the period */
        rate,
        /** open cases of the levels 1 to 4 in the words of the sector, and those overdue; null for an authority and for one institution */
        open: z.array(z.object({ name: z.string(), count: z.number() })).nullable(),
        overdue: z.number().nullable(),
      })
      .nullable(),
    /** institutions with an overdue case */
    overdueplaces: z.number(),
  }),
});

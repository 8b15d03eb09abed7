import { z } from 'zod';
import { defineAction, forTypes, NON_AUTHORITY_TYPES, staffOf } from '#contract/action.ts';
import { institutionFilters } from '#features/statistics/statistics.contract.ts';

const readers = forTypes(NON_AUTHORITY_TYPES, staffOf('statistics.school', 'statistics.hospital'));

/** The choices of the filters of a page of statistics: only what has a task that counts, or sheets. */
export const getStatisticOptions = defineAction({
  name: 'as.m.statistic.getStatisticOptions',
  title: '查询统计条件选项',
  allow: readers,
  kind: 'read',
  request: z.strictObject({
    ...institutionFilters,
    year: z.string().max(20).optional().describe('学年'),
    term: z.string().max(2).optional().describe('学期'),
    taskcode: z.string().max(20).optional().describe('任务'),
  }),
  response: z.object({
    /** institutions of the filters that care for persons; with more than one the page offers the choice */
    institutions: z.number(),
    /** providers and authorities above some of them, with the number of institutions below; in the order of the tree */
    parents: z.array(z.object({ musercode: z.string(), insname: z.string(), institutions: z.number() })),
    /** terms with tasks, the newest first */
    terms: z.array(z.object({ year: z.string(), term: z.string(), termname: z.string() })),
    /** tasks of the year and term, the newest first, at most 200 */
    tasks: z.array(z.object({ taskcode: z.string(), taskname: z.string() })),
    /** grades with their classes, of the tasks of year, term and task */
    grades: z.array(z.object({ gradecode: z.string(), gradename: z.string(), classes: z.array(z.string()) })),
    plans: z.array(z.object({ plancode: z.string(), planname: z.string() })),
    appids: z.array(z.string()),
    /** the day of the server, on which the page opens */
    today: z.string(),
  }),
});

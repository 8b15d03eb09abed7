import { z } from 'zod';

/** One line of a closing checklist. `bysecond`: the agreement of a second person meets it. */
export const criterion = z.object({
  key: z.string(),
  title: z.string(),
  met: z.boolean(),
  detail: z.string(),
  bysecond: z.number(),
});
/** One line of the log of a case. */
export const logLine = z.object({
  logid: z.number(),
  action: z.string(),
  fromstate: z.string().nullable(),
  tostate: z.string().nullable(),
  fromlevel: z.number().nullable(),
  tolevel: z.number().nullable(),
  content: z.string(),
  operatorname: z.string(),
  time: z.string(),
  attach: z.array(z.string()),
});

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
/** A duty of a case with its record. */
export const dutyLine = z.object({
  dutyid: z.number(),
  kind: z.string(),
  title: z.string(),
  duetime: z.string(),
  donetime: z.string().nullable(),
  unit: z.string(),
  receipt: z.string(),
  /** who accompanied the person in danger, from when until when; '' for other duties */
  companion: z.string(),
  content: z.string(),
  operatorname: z.string(),
  isoverdue: z.boolean(),
});

import { z } from 'zod';
import { REQUEST_SUBJECTS, type RequestSubject } from '#domain/warning/decision/secondRequest.ts';

/** The chosen second persons of a request; empty: all who may answer. Steps that get it ask instead of refusing. */
export const seconds = z.array(z.string().max(20)).max(20, '复核人不超过 20 人').describe('复核人');

/** A request to a second person as the page of its case shows it. */
export const requestView = z.object({
  requestid: z.number(),
  subject: z.enum(Object.keys(REQUEST_SUBJECTS) as [RequestSubject, ...RequestSubject[]]),
  title: z.string(),
  summary: z.string(),
  /** 01 waits, 02 agreed, 03 returned, 04 withdrawn, 05 void */
  status: z.string(),
  askname: z.string(),
  asktime: z.string(),
  duetime: z.string(),
  /** names of the second persons */
  persons: z.array(z.string()),
  answername: z.string(),
  answer: z.string(),
  answertime: z.string().nullable(),
  /** 1: the caller asked */
  mine: z.number(),
  /** 1: the caller may answer now */
  answerable: z.number(),
});
export type RequestView = z.infer<typeof requestView>;

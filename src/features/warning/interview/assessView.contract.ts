import { z } from 'zod';
import { AsqResult } from '#domain/warning/asqTriage.ts';

/** One interview of a case as its page shows it. */
export const assessView = z.object({
  assessid: z.number(),
  ideation: z.number(),
  plan: z.number(),
  means: z.number(),
  attempthistory: z.number(),
  hopelessness: z.number(),
  support: z.number(),
  psychosis: z.number(),
  substance: z.number(),
  infantharm: z.number(),
  abuse: z.number(),
  protective: z.array(z.string()),
  /** the answers to the ASQ as one text; '' when it was not asked */
  asq: z.string(),
  asqresult: z.enum(AsqResult.codes).nullable(),
  asqskipreason: z.string(),
  conclusionlevel: z.number(),
  suggestedlevel: z.number(),
  /** 0: the ASQ is unfinished */
  isfinished: z.number(),
  /** the reason for a low conclusion; '' for other conclusions */
  lowreason: z.string(),
  /** the second person who confirmed a low conclusion, with the time; '' without one */
  confirmed: z.string(),
  effectivelevel: z.number(),
  note: z.string(),
  assessorname: z.string(),
  time: z.string(),
});

import { z } from 'zod';
import { defineAction } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { consultReaders, consultWriters } from '#features/consult/register/register.contract.ts';

/**
 * The private note of a consultation (个别咨询记录): only its counsellor reads and writes it. Everybody else is refused with 110004; the
 * attempt is audited and told to the counsellor.
 */

export const getConsultNote = defineAction({
  name: 'as.m.consult.getConsultNote',
  title: '查看个别咨询记录',
  allow: consultReaders,
  kind: 'reveal',
  person: () => [],
  request: z.strictObject({ consultid: z.number().int() }),
  response: z.object({ note: z.string(), isshared: z.number(), updatetime: z.string().nullable() }),
});

/** Saves the private note; an empty text deletes it. */
export const saveConsultNote = defineAction({
  name: 'as.m.consult.saveConsultNote',
  title: '保存个别咨询记录',
  allow: consultWriters,
  kind: 'write',
  personal: true,
  request: z.strictObject({
    consultid: z.number().int(),
    note: z.string().max(10_000, '最多 10000 字').describe('个别咨询记录'),
    /** 随案移交: it passes on to the counsellor who takes the person over */
    isshared: flag.default(0).describe('随案移交'),
    /** `updatetime` of the note that the caller read; another one is refused (140001), so that two devices lose nothing */
    updatetime: z.string().nullable().optional(),
  }),
  response: z.object({ updatetime: z.string().nullable() }),
});

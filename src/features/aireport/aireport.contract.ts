import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';

/** Texts of the AI provider for reports, and an institution's consent to it. */

const writers = forTypes(CARE_TYPES, staffOf('individual.ai'));

/** Asks for a text; a job writes it. With the provider off, the report keeps the text of the rules. */
export const generateAiReport = defineAction({
  name: 'as.m.report.generateAiReport',
  title: '生成AI综合解读',
  allow: writers,
  kind: 'write',
  person: () => [],
  request: z.strictObject({
    reportcode: z.string().min(1).max(20),
    /** 1: writes a new text although one stands */
    force: flag.optional(),
  }),
  response: z.object({
    /** a code of AiStatus */
    aistatus: z.number(),
    /** the text that stands; null while a job writes it */
    content: z
      .object({ summary: z.string(), factors: z.array(z.string()), advice: z.array(z.string()), talk: z.string() })
      .nullable(),
  }),
});

/** Whether the platform has a provider, whether the institution agrees, how many texts it asked for today, and the last failure. */
export const getAiSettings = defineAction({
  name: 'as.m.report.getAiSettings',
  title: '查询AI设置',
  allow: forTypes(CARE_TYPES, staffOf('individual.ai', 'organization.users')),
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    isavailable: z.number(),
    allowed: z.number(),
    model: z.string(),
    usedtoday: z.number(),
    limittoday: z.number(),
    lastfault: z.string(),
  }),
});

/** Records the consent of the caller's institution or its withdrawal (委托处理条款). */
export const saveAiConsent = defineAction({
  name: 'as.m.report.saveAiConsent',
  title: '修改AI授权',
  allow: forTypes(CARE_TYPES, staffOf('organization.users')),
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ allowed: flag.describe('AI授权') }),
  response: z.object({ allowed: z.number() }),
});

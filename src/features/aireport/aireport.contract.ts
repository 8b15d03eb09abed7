import { z } from 'zod';
import { andHolding, CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';

/** Texts of the AI provider for reports, and an institution's consent to it. */

const writers = forTypes(CARE_TYPES, staffOf('individual.ai', 'group.ai'));
const teamreportcode = z.string().min(1).max(20).describe('团体报告');

/**
 * Asks for a text on a report of a person (001802) or on a group report (00043); a job writes it. With the provider off, the report
 * keeps the text of the rules.
 */
export const generateAiReport = defineAction({
  name: 'as.m.report.generateAiReport',
  title: '生成AI综合解读',
  allow: writers,
  kind: 'write',
  person: () => [],
  request: z
    .strictObject({
      reportcode: z.string().min(1).max(20).optional().describe('报告'),
      teamreportcode: teamreportcode.optional(),
      /** 1: writes a new text although one stands */
      force: flag.optional(),
    })
    .refine((request) => (request.reportcode === undefined) !== (request.teamreportcode === undefined), {
      path: ['reportcode'],
      message: '请选择一份报告',
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

/** Approves the text on a group report, or discards it: the report then keeps the text of the rules. */
export const reviewTeamReportText = defineAction({
  name: 'as.m.report.reviewTeamReportText',
  title: '审核团体报告AI综合解读',
  allow: forTypes(CARE_TYPES, andHolding(staffOf('group.ai'), 'report.edit')),
  kind: 'write',
  request: z.strictObject({
    teamreportcode,
    /** the snapshot that the reviewer has read */
    version: z.number().int().min(1).describe('版本'),
    /** when the text that the reviewer has read was written */
    aitime: z.string().max(20).describe('生成时间'),
    agreed: flag.describe('采用'),
  }),
  response: z.object({ aistatus: z.number() }),
});

/** Whether the platform has a provider, whether the institution agrees, how many texts it asked for today, and the last failure. */
export const getAiSettings = defineAction({
  name: 'as.m.report.getAiSettings',
  title: '查询AI设置',
  allow: forTypes(CARE_TYPES, staffOf('individual.ai', 'group.ai', 'organization.users')),
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

import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';

/** The terms of the consent text and the hotlines of an institution: settings of its entry. */

const editors = forTypes(NON_AUTHORITY_TYPES, staffOf('service.institutions'));
const musercode = z.string().min(1).max(20);
const words = (max: number) => z.string().trim().max(max);

const terms = z.strictObject({
  contactname: words(30).describe('联系人'),
  contactphone: words(30).describe('联系电话'),
  channel: words(60).describe('查询与投诉渠道'),
  answersterm: words(60).describe('回答保存期限'),
  casesterm: words(60).describe('安全个案保存期限'),
  leader: words(20).describe('危险时告知的负责人'),
  authority: words(20).describe('主管部门'),
  recipient: words(40).describe('接收方'),
  teenguardian: z.enum(['none', 'inform', 'agree']).describe('14–17 岁监护人'),
});
const hotline = z.strictObject({
  number: z
    .string()
    .trim()
    .regex(/^[\d-]{3,20}$/, '请填写电话号码')
    .describe('号码'),
  name: z.string().trim().min(2, '请填写名称').max(20).describe('名称'),
  hours: z
    .string()
    .trim()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00))?$/, '时间格式应为 08:30-17:00，全天为 00:00-24:00')
    .describe('服务时间'),
});
export type OwnHotline = z.infer<typeof hotline>;

/** Returns the terms, the hotlines and the text that follows from them. Empty terms take the defaults. */
export const getConsentSettings = defineAction({
  name: 'as.m.consent.getConsentSettings',
  title: '查询知情同意与热线设置',
  allow: editors,
  kind: 'read',
  request: z.strictObject({ musercode: musercode.optional() }),
  response: z.object({
    terms,
    defaults: terms,
    hotlines: z.array(hotline.extend({ checkedon: z.string() })),
    /** the lines of the region and the country, with their sources */
    shared: z.array(
      z.object({ number: z.string(), name: z.string(), hours: z.string(), source: z.string(), checkedon: z.string() }),
    ),
    /** of the text */
    textversion: z.string(),
    version: z.number(),
    text: z.string(),
  }),
});

/** Saves the terms and the institution's own hotlines. Another text is another version: everybody is asked again. */
export const saveConsentSettings = defineAction({
  name: 'as.m.consent.saveConsentSettings',
  title: '修改知情同意与热线设置',
  allow: editors,
  kind: 'write',
  edits: { table: 'muserclient', key: 'musercode', marks: { terms: 'consentterms' }, parts: ['terms'] },
  request: z.strictObject({
    musercode,
    version: editVersion,
    terms: terms.partial().optional().describe('知情同意'),
    hotlines: z.array(hotline).max(6, '最多 6 条热线').describe('本单位热线'),
  }),
  response: z.object({ textversion: z.string(), ...newVersion }),
});

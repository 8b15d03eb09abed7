import { z } from 'zod';
import { ContactResult, FollowMethod, ReferralStatus, StaffCloseReason } from '#domain/base/enums.ts';
import { AsqResult } from '#domain/warning/asqTriage.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { REPORT_SIGNS, type ReportSign } from '#domain/warning/clock/caseduty.ts';
import type { ExemptGround } from '#domain/warning/decision/exemption.ts';
import { day, flag, moment } from '#contract/field.ts';
import { safetyPlanFields } from '#features/warning/plan/planFields.contract.ts';
import { seconds } from '#features/warning/second/seconds.contract.ts';

/** The actions that change a case, step by step. Every refusal (140001) has its reasons in `data.reasons`. */

const handlers = forTypes(CARE_TYPES, staffOf('warning.handle'));
const text = (title: string, max = 2000) =>
  z.string().trim().min(1, `请填写${title}`).max(max, `${title}不超过 ${max} 个字`).describe(title);
const optionalText = (title: string, max = 2000) =>
  z.string().trim().max(max, `${title}不超过 ${max} 个字`).default('').describe(title);
const level = (min: number) => z.coerce.number().int().min(min).max(4);

/** Files that the client has uploaded (`updateToOSS`, use `case`). The step attaches them to the case. */
const attachments = z.array(z.uuid()).max(6, '一次最多 6 个附件').default([]).describe('附件');

/** The case and the version that the user sees. A step with an outdated version is refused (140002), so that no change is lost. */
export const onCase = z.strictObject({ warningcode: z.string().max(20), version: z.number().int().optional() });
/** The case after the step. */
export const changed = z.object({
  warningcode: z.string(),
  state: z.string(),
  statename: z.string(),
  level: z.number(),
  version: z.number(),
});

/** The case after a step that may need a second person. */
export const changedOrAsked = changed.extend({
  /** 1: the step waits for a second person */
  waits: z.number(),
});

/** Channels of a contact. */
export const contactChannels = { '01': '电话', '02': '当面', '03': '短信或即时消息', '04': '经他人转达' } as const;
const channel = z.enum(Object.keys(contactChannels) as [keyof typeof contactChannels]).default('01');

/** Staff report a person by hand. The report opens a case or joins the open case. */
export const insertWarning = defineAction({
  name: 'as.m.warning.insertWarning',
  title: '人工上报预警',
  allow: forTypes(CARE_TYPES, staffOf('warning.handle', 'team.shortcut')),
  kind: 'write',
  person: ({ cuserid }) => [cuserid],
  request: z.strictObject({
    cuserid: z.string().min(1, '请选择受测者').max(20).describe('受测者'),
    level: level(1).describe('等级'),
    source: z.enum(['02', '03', '04', '05']).default('03').describe('来源'),
    content: text('情况说明'),
    /** signs that make the report urgent; words of the text add further signs */
    signs: z
      .array(z.enum(Object.keys(REPORT_SIGNS) as [ReportSign, ...ReportSign[]]))
      .max(5)
      .default([])
      .describe('紧急情形'),
    /** a member of staff suspected of harm: is told nothing */
    suspectuserid: z.string().max(20).optional().describe('疑似侵害人（本机构人员）'),
    suspectname: optionalText('疑似侵害人', 50),
  }),
  response: z.object({ warningcode: z.string(), joined: z.boolean() }),
});

/** Accepts a case. The caller becomes its owner unless `owneruserid` names another. */
export const acceptWarning = defineAction({
  name: 'as.m.warning.acceptWarning',
  title: '受理预警',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ owneruserid: z.string().max(20).optional().describe('责任人') }),
  response: changed,
});
/**
 * Takes back an acceptance by mistake, within 10 minutes and before anything else was done; the case waits again, and its clock has
 * never stopped. Refuses (140001) afterwards, and a case from another institution, which has read the receipt.
 */
export const withdrawAcceptance = defineAction({
  name: 'as.m.warning.withdrawAcceptance',
  title: '撤回受理',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ owneruserid: z.string().max(20).nullable().default(null).describe('原责任人') }),
  response: changed,
});
/** Gives a case to another owner. */
export const assignWarning = defineAction({
  name: 'as.m.warning.assignWarning',
  title: '分派预警',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    owneruserid: z.string().min(1, '请选择责任人').max(20).describe('责任人'),
    content: optionalText('说明', 500),
  }),
  response: changed,
});
/** Records the contact with the person, or excludes the case as a false alarm. */
export const verifyWarning = defineAction({
  name: 'as.m.warning.verifyWarning',
  title: '核实预警',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    contactresult: z.enum(ContactResult.codes, '请选择核实结果').describe('核实结果'),
    content: text('核实情况'),
    channel: channel.describe('联系方式'),
    /** 1: a false alarm, which ends the case as excluded (08) */
    falsealarm: flag.default(0).describe('排除/误报'),
    seconds: seconds.optional(),
  }),
  response: changedOrAsked,
});

const yes = z.coerce
  .number()
  .int()
  .min(0)
  .max(1)
  .default(0)
  .transform((value) => value as 0 | 1);
/** The fields of the structured interview; domain/warning/riskassess.ts gives their values and sources. */
export const riskFields = z.strictObject({
  ideation: z.coerce
    .number('请选择自杀意念')
    .int()
    .min(0)
    .max(4)
    .transform((value) => value as 0 | 1 | 2 | 3 | 4)
    .describe('自杀意念'),
  plan: yes.describe('具体计划'),
  means: yes.describe('可获得的工具'),
  attempthistory: z.coerce
    .number('请选择既往自伤或自杀未遂')
    .int()
    .min(0)
    .max(2)
    .transform((value) => value as 0 | 1 | 2)
    .describe('既往自伤或自杀未遂'),
  hopelessness: yes.describe('绝望感'),
  support: z.coerce
    .number('请选择支持系统')
    .int()
    .min(0)
    .max(2)
    .transform((value) => value as 0 | 1 | 2)
    .describe('支持系统'),
  psychosis: yes.describe('精神病性表现'),
  substance: yes.describe('物质使用'),
  infantharm: yes.describe('伤害婴儿的想法'),
  abuse: yes.describe('疑似侵害、忽视或欺凌'),
});
/** Saves a structured interview. Returns the suggested level and the level of the case. */
export const insertRiskAssess = defineAction({
  name: 'as.m.warning.insertRiskAssess',
  title: '结构化评估',
  allow: handlers,
  kind: 'write',
  request: onCase.extend(riskFields.shape).extend({
    protective: z.array(z.string().max(50)).max(10).default([]).describe('保护因素'),
    /** the answers to the ASQ in the interview: option code by item code */
    asqanswers: z.record(z.string().max(10), z.string().max(500).nullable()).optional().describe('ASQ'),
    /** why the ASQ was not asked; required after a screening without a question about self-harm */
    asqskipreason: optionalText('未询问 ASQ 的原因', 500),
    conclusionlevel: level(0).describe('评估结论'),
    /** required for a low conclusion, at least 20 characters */
    lowreason: optionalText('低于系统建议的理由', 1000),
    seconds: seconds.default([]),
    safetyplan: safetyPlanFields.optional().describe('安全计划'),
    note: optionalText('访谈记录'),
  }),
  response: z.object({
    assessid: z.number(),
    suggestedlevel: z.number(),
    reasons: z.array(z.string()),
    /** the level of the case afterwards */
    level: z.number(),
    asqresult: z.enum(AsqResult.codes).nullable(),
    /** 0: the ASQ is unfinished, so the assessment stays due */
    isfinished: z.number(),
    /** 1: a second person must confirm the conclusion */
    needssecond: z.number(),
    /** the missing parts of the safety plan */
    plangaps: z.array(z.string()),
  }),
});

/** Raises or lowers the level of a case. */
export const updateWarningLevel = defineAction({
  name: 'as.m.warning.updateWarningLevel',
  title: '升级或降级预警',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ level: level(1).describe('等级'), reason: text('原因') }),
  response: changed,
});
/** The kinds of log line that staff can add by hand. */
export const logActions = ['备注', '访谈', '联系尝试', '强制报告', '上报主管部门', '督办'] as const;
/** Adds a line to the log of a case. */
export const insertWarningLog = defineAction({
  name: 'as.m.warning.insertWarningLog',
  title: '记录预警处置',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    action: z.enum(logActions).default('备注').describe('类型'),
    channel: channel.describe('联系方式'),
    content: text('内容'),
    /** colleagues who get a message; the text names each as @姓名 (120002 otherwise) */
    mentions: z.array(z.string().max(20)).max(5, '一次最多提到 5 位同事').default([]).describe('提到的同事'),
  }),
  response: changed,
});
/**
 * Takes back a failed attempt that was recorded by mistake: within 10 minutes, by the person who recorded it, before anything else was
 * done. The clock U is as before it. The log keeps both lines. Refuses (140001) afterwards.
 */
export const withdrawContactTry = defineAction({
  name: 'as.m.warning.withdrawContactTry',
  title: '撤回联系尝试',
  allow: handlers,
  kind: 'write',
  request: onCase,
  response: changed,
});

export const guardianMethods = { '01': '电话', '02': '当面', '03': '书面告知', '04': '家访' } as const;
/** Records the notification of a guardian. */
export const notifyGuardian = defineAction({
  name: 'as.m.warning.notifyGuardian',
  title: '登记告知监护人',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    guardianid: z.number().int().optional().describe('监护人'),
    guardianname: optionalText('被告知人', 32),
    method: z.enum(['01', '02', '03', '04'], '请选择告知方式').describe('告知方式'),
    /** the time of the notification, not in the future; by default now */
    time: moment.optional().describe('告知时间'),
    content: text('告知内容与家长反馈'),
    /** the notice with the guardian's signature */
    fileids: attachments.describe('告知回执'),
  }),
  response: changed,
});
/** Records why the guardian is not told, and who is told instead. From level 3 a second person must confirm it. */
export const exemptGuardian = defineAction({
  name: 'as.m.warning.exemptGuardian',
  title: '登记不告知监护人原因',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    ground: z.coerce
      .number('请选择理由')
      .int()
      .min(1)
      .max(6)
      .transform((value) => value as ExemptGround)
      .describe('理由'),
    reason: text('不告知的原因').refine((value) => [...value].length >= 10, '不告知的原因不少于 10 个字'),
    alternate: text('改为告知', 200),
    seconds: seconds.default([]),
  }),
  response: changed,
});

/** Adds a referral letter to a hospital. */
export const insertReferral = defineAction({
  name: 'as.m.warning.insertReferral',
  title: '开具转介单',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    tohospital: text('转介医院', 100),
    todept: optionalText('科室', 50),
    reason: text('转介原因'),
    urgent: flag.default(0).describe('紧急'),
    fileids: attachments.describe('转介单'),
  }),
  response: changed.extend({ referralid: z.number() }),
});
/** Records the hospital's feedback on a referral. */
export const updateReferral = defineAction({
  name: 'as.m.warning.updateReferral',
  title: '登记转介回执',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    referralid: z.number().int(),
    status: z.enum(ReferralStatus.codes, '请选择就诊情况').describe('就诊情况'),
    visitdate: day.or(z.literal('')).optional().describe('就诊日期'),
    feedback: optionalText('反馈'),
    fileids: attachments.describe('就诊资料'),
  }),
  response: changed,
});

/** Starts the intervention. */
export const startIntervene = defineAction({
  name: 'as.m.warning.startIntervene',
  title: '开始干预',
  allow: handlers,
  kind: 'write',
  request: onCase,
  response: changed,
});
/** Moves a case to observation and plans its follow-ups by level, unless follow-ups already wait. */
export const observe = defineAction({
  name: 'as.m.warning.observe',
  title: '转入随访观察',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    /** the first day of the schedule; by default today */
    begindate: day.optional().describe('起始日期'),
    method: z.enum(FollowMethod.codes).default('01').describe('随访方式'),
  }),
  response: changed.extend({ duetimes: z.array(z.string()) }),
});

/** Closes a case. A refusal also carries the closing criteria. */
export const closeWarning = defineAction({
  name: 'as.m.warning.closeWarning',
  title: '结案',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    closereason: z.enum(StaffCloseReason.codes, '请选择结案原因').describe('结案原因'),
    closenote: z.string().trim().max(2000).describe('结案说明'),
    /** for 失访 at a peak of 4: police record (unit, time, number) or the guardian's written proof of safety */
    policerecord: optionalText('公安查找记录或平安证明', 500),
    seconds: seconds.optional(),
  }),
  response: changedOrAsked,
});
/** Opens a closed case again. */
export const reopenWarning = defineAction({
  name: 'as.m.warning.reopenWarning',
  title: '重开预警',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ reason: text('重开原因') }),
  response: changed,
});

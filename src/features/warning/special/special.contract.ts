import { z } from 'zod';
import { CONFIRM_SUBJECTS } from '#domain/warning/decision/secondPerson.ts';
import type { ConfirmSubject } from '#domain/warning/warningfacts.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag, moment } from '#contract/field.ts';
import { changed, changedOrAsked, onCase } from '#features/warning/handling/handling.contract.ts';
import { seconds } from '#features/warning/second/seconds.contract.ts';

/** The rarer steps of a case: second person, transfer, discharge, duties with a record, death. */

const handlers = forTypes(CARE_TYPES, staffOf('warning.handle'));
const text = (title: string, max = 2000) =>
  z.string().trim().min(1, `请填写${title}`).max(max, `${title}不超过 ${max} 个字`).describe(title);

/** The colleagues of the caller's institution, to name one as suspected of harm. They are told nothing. */
export const getColleagueList = defineAction({
  name: 'as.m.warning.getColleagueList',
  title: '查询本机构人员',
  allow: forTypes(CARE_TYPES, staffOf('warning.handle', 'team.shortcut')),
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(z.object({ userid: z.string(), realname: z.string(), post: z.string() })),
});

/** A second human confirms a decision about the case. They see the version that they confirm. */
export const confirmWarning = defineAction({
  name: 'as.m.warning.confirmWarning',
  title: '复核确认',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    subject: z
      .enum(Object.keys(CONFIRM_SUBJECTS) as [ConfirmSubject, ...ConfirmSubject[]], '请选择复核事项')
      .describe('复核事项'),
    /** the interview, for the subject 低于建议的评估结论 */
    objectid: z.string().max(20).optional(),
    content: text('复核意见').refine((value) => [...value].length >= 10, '复核意见不少于 10 个字'),
  }),
  response: changed,
});

/**
 * Hands a case to another institution. It stays open, with its clocks, until the receiver confirms. A receiver on the platform gets
 * a linked case, and confirms by accepting it.
 */
export const transferWarning = defineAction({
  name: 'as.m.warning.transferWarning',
  title: '转出/移交',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    /** exactly the name of an institution of the platform: that institution; else a receiver outside */
    receiver: text('接收机构', 100),
    person: text('接收人', 50),
    phone: text('联系电话', 30),
    content: text('移交情况'),
    seconds: seconds.optional(),
  }),
  response: changedOrAsked,
});
/** Records the receiver's receipt. The case can then be closed as 转出/移交. */
export const receiveWarning = defineAction({
  name: 'as.m.warning.receiveWarning',
  title: '登记移交回执',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ content: text('回执内容（确认人、时间）') }),
  response: changed,
});

/** Records a discharge from hospital. A closed case opens again; contacts within 24 and 72 hours become due. */
export const dischargeWarning = defineAction({
  name: 'as.m.warning.dischargeWarning',
  title: '登记出院',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    hospital: text('医院', 100),
    /** by default now; not in the future */
    time: moment.optional().describe('出院时间'),
    afterattempt: flag.default(0).describe('因自杀或自伤住院'),
    content: text('出院情况'),
  }),
  response: changed,
});

/** Records that a duty was done: who was told, when, with which receipt; in danger, who accompanied the person from when until when. */
export const finishDuty = defineAction({
  name: 'as.m.warning.finishDuty',
  title: '登记专项职责',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    dutyid: z.number().int(),
    /** required, except for the duty `danger` */
    unit: z.string().trim().max(100, '接报单位或联系人不超过 100 个字').default('').describe('接报单位或联系人'),
    /** by default now; not in the future */
    time: moment.optional().describe('时间'),
    receipt: z.string().trim().max(100).default('').describe('回执编号或经办人'),
    /** only of the duty `danger`, which requires a name or a role */
    companion: z.string().trim().max(50, '陪伴人不超过 50 个字').default('').describe('陪伴人'),
    companionrole: z.string().trim().max(50, '陪伴人身份不超过 50 个字').default('').describe('陪伴人身份'),
    /** by default now; not in the future */
    companionfrom: moment.optional().describe('陪伴开始时间'),
    /** without it the person is still accompanied */
    companionuntil: moment.optional().describe('陪伴结束时间'),
    content: text('情况'),
  }),
  response: changed,
});

/** Reports the death of the person. They leave all lists at once; a second human closes the case. */
export const reportDeath = defineAction({
  name: 'as.m.warning.reportDeath',
  title: '登记死亡',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ source: text('消息来源（何人、何时、如何得知）', 500) }),
  response: changed,
});
/** Corrects a death that was reported by mistake. A second human must have confirmed it. */
export const correctDeath = defineAction({
  name: 'as.m.warning.correctDeath',
  title: '更正死亡登记',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ reason: text('更正原因'), seconds: seconds.optional() }),
  response: changedOrAsked,
});

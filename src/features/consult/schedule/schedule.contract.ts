import { z } from 'zod';
import { ConsultStatus, ConsultType } from '#domain/base/enums.ts';
import { defineAction } from '#contract/action.ts';
import { personName } from '#contract/fieldAccess.ts';
import { day, editVersion, flag, moment, newVersion } from '#contract/field.ts';
import { consultReaders, consultWriters } from '#features/consult/register/register.contract.ts';

/** 日历 and 排班: counsellors, their weekly hours, their times off, the free times and the bookings. */

const clock = (message: string) => z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, message);
const timeFields = {
  userid: z.string().min(1, '请选择咨询师').max(20).describe('咨询师'),
  weekday: z.coerce.number().int().min(1).max(7).describe('星期'),
  begintime: clock('请填写开始时间').describe('开始时间'),
  endtime: clock('请填写结束时间').describe('结束时间'),
  minutes: z.coerce.number().int().min(10).max(180).default(50).describe('每次分钟'),
  pause: z.coerce.number().int().min(0).max(60).default(10).describe('间隔分钟'),
  room: z.string().trim().max(30).default('').describe('咨询室'),
  validfrom: day.describe('生效日期'),
  validto: day.nullable().default(null).describe('截止日期'),
};

/** An institution below the caller's; default: the caller's own. */
const musercode = z.string().max(20).optional().describe('机构');
/** Coming bookings that the caller sees and that a change of hours concerns. They stay until somebody moves them. */
const booked = z.array(z.object({ consultid: z.number(), slotbegin: z.string() }));
/** Whether the caller may change the hours of this counsellor: the own hours, and with 用户管理 those of others. */
const isEditable = z.number();
/** A free time. */
const slot = z.object({
  counsellor: z.string(),
  counsellorname: z.string(),
  slotbegin: z.string(),
  slotend: z.string(),
  room: z.string(),
});

/** The staff who can be booked: named accounts of the institution with 00016 and 00047. */
export const getCounsellorList = defineAction({
  name: 'as.m.consult.getCounsellorList',
  title: '查询咨询师',
  allow: consultReaders,
  kind: 'read',
  request: z.strictObject({ musercode }),
  response: z.array(
    z.object({
      userid: z.string(),
      realname: z.string(),
      /** away until then; null: present */
      absentuntil: z.string().nullable(),
      /** hours a week that are in force today */
      hours: z.number(),
      isown: z.number(),
      iseditable: isEditable,
    }),
  ),
});

/** The weekly hours that are not over, and the coming times off, of the counsellors of the institution. */
export const getCounsellorTimeList = defineAction({
  name: 'as.m.consult.getCounsellorTimeList',
  title: '查询排班',
  allow: consultReaders,
  kind: 'read',
  request: z.strictObject({ musercode, userid: z.string().max(20).optional().describe('咨询师') }),
  response: z.object({
    times: z.array(
      z.object({
        timeid: z.number(),
        version: z.number(),
        userid: z.string(),
        realname: z.string(),
        weekday: z.number(),
        begintime: z.string(),
        endtime: z.string(),
        minutes: z.number(),
        pause: z.number(),
        room: z.string(),
        validfrom: z.string(),
        validto: z.string().nullable(),
        /** coming bookings within these hours that the caller sees */
        booked: z.number(),
        iseditable: isEditable,
      }),
    ),
    offs: z.array(
      z.object({
        offid: z.number(),
        userid: z.string(),
        realname: z.string(),
        begintime: z.string(),
        endtime: z.string(),
        reason: z.string(),
        iseditable: isEditable,
      }),
    ),
  }),
});

/** Adds weekly hours for a counsellor; `weekdays` adds the same hours on several days. Overlapping hours are refused (120002). */
export const insertCounsellorTime = defineAction({
  name: 'as.m.consult.insertCounsellorTime',
  title: '新增排班',
  allow: consultWriters,
  kind: 'write',
  request: z.strictObject({
    ...timeFields,
    weekday: timeFields.weekday.optional(),
    weekdays: z.array(z.number().int().min(1).max(7)).min(1, '请选择星期').max(7).optional().describe('星期'),
  }),
  response: z.object({ timeids: z.array(z.number()) }),
});

/** Changes weekly hours. The answer lists the bookings that lie outside the counsellor's hours now. */
export const updateCounsellorTime = defineAction({
  name: 'as.m.consult.updateCounsellorTime',
  title: '修改排班',
  allow: consultWriters,
  kind: 'write',
  edits: { table: 'counsellortime', key: 'timeid' },
  request: z.strictObject({
    timeid: z.number().int(),
    version: editVersion,
    weekday: timeFields.weekday.optional(),
    begintime: timeFields.begintime.optional(),
    endtime: timeFields.endtime.optional(),
    minutes: z.coerce.number().int().min(10).max(180).optional().describe('每次分钟'),
    pause: z.coerce.number().int().min(0).max(60).optional().describe('间隔分钟'),
    room: z.string().trim().max(30).optional().describe('咨询室'),
    validfrom: day.optional().describe('生效日期'),
    validto: day.nullable().optional().describe('截止日期'),
  }),
  response: z.object({ booked, ...newVersion }),
});

/** Deletes weekly hours. The answer lists the bookings that lie outside the counsellor's hours now. */
export const deleteCounsellorTime = defineAction({
  name: 'as.m.consult.deleteCounsellorTime',
  title: '删除排班',
  allow: consultWriters,
  kind: 'write',
  request: z.strictObject({ timeid: z.number().int() }),
  response: z.object({ booked }),
});

/**
 * Gives a counsellor the weekly hours of a colleague, without the rooms, with a validity of their own. Hours that overlap own ones are
 * left out and counted.
 */
export const copyCounsellorTime = defineAction({
  name: 'as.m.consult.copyCounsellorTime',
  title: '复制排班',
  allow: consultWriters,
  kind: 'write',
  request: z.strictObject({
    userid: timeFields.userid,
    colleague: z.string().min(1, '请选择同事').max(20).describe('复制自'),
    validfrom: timeFields.validfrom,
    validto: timeFields.validto,
  }),
  response: z.object({ timeids: z.array(z.number()), skipped: z.number() }),
});

/** Records a time off of a counsellor. The answer lists the bookings within it. */
export const insertCounsellorOff = defineAction({
  name: 'as.m.consult.insertCounsellorOff',
  title: '新增停诊',
  allow: consultWriters,
  kind: 'write',
  request: z.strictObject({
    userid: timeFields.userid,
    begintime: moment.describe('开始时间'),
    endtime: moment.describe('结束时间'),
    reason: z.string().trim().max(100).default('').describe('原因'),
  }),
  response: z.object({ offid: z.number(), booked }),
});

/** Deletes a time off. */
export const deleteCounsellorOff = defineAction({
  name: 'as.m.consult.deleteCounsellorOff',
  title: '删除停诊',
  allow: consultWriters,
  kind: 'write',
  request: z.strictObject({ offid: z.number().int() }),
  response: z.object({}),
});

/** The free times of counsellors: hours without times off and bookings. At most 31 days. */
export const getSlotList = defineAction({
  name: 'as.m.consult.getSlotList',
  title: '查询可约时间',
  allow: consultReaders,
  kind: 'read',
  request: z.strictObject({
    musercode,
    counsellor: z.string().max(20).optional().describe('咨询师'),
    begindate: day.describe('开始日期'),
    enddate: day.describe('结束日期'),
  }),
  response: z.array(slot),
});

/** The bookings of some days, with the free times and the times off beside them. At most 42 days. */
export const getConsultCalendar = defineAction({
  name: 'as.m.consult.getConsultCalendar',
  title: '查询咨询日历',
  allow: consultReaders,
  kind: 'read',
  request: z.strictObject({
    musercode,
    begindate: day.describe('开始日期'),
    enddate: day.describe('结束日期'),
    counsellor: z.string().max(20).optional().describe('咨询师'),
    mine: flag.optional().describe('我的'),
  }),
  response: z.object({
    bookings: z.array(
      z.object({
        consultid: z.number(),
        cuserid: z.string(),
        username: personName(),
        belongs: z.string(),
        counsellor: z.string(),
        counsellorname: z.string(),
        slotbegin: z.string(),
        slotend: z.string(),
        room: z.string(),
        consulttype: z.enum(ConsultType.codes),
        status: z.enum(ConsultStatus.codes),
        groupid: z.number().nullable(),
      }),
    ),
    free: z.array(slot),
    offs: z.array(z.object({ userid: z.string(), realname: z.string(), begintime: z.string(), endtime: z.string() })),
  }),
});
